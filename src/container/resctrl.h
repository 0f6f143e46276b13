/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "oci/config.h"

/* linux.intelRdt: groups of the resctrl file system, which share out cache and memory bandwidth and count
 * their use. See runtime-spec, config-linux.md, "IntelRdt", and Documentation/filesystems/resctrl.rst of the
 * kernel. */

#define RESCTRL_MOUNT    "/sys/fs/resctrl"
#define RESCTRL_VARIABLE "UNITRUN_RESCTRL" /* names a directory that stands for it, for tests */

typedef struct ResctrlGroup {
        char *path;    /* of the group ("class of service"), absolute; NULL: there is none */
        bool made;     /* for this container, and to be removed with it */
        char *monitor; /* of the monitoring group in it, made for this container; NULL: there is none */
} ResctrlGroup;

void resctrl_group_clear(ResctrlGroup *group);

/**
 * resctrl_mount:
 * Returns (nullable) (transfer none): where the file system is mounted.
 */
const char *resctrl_mount(void);

/**
 * resctrl_make:
 * @rdt: (nullable): linux.intelRdt
 * @ret_group: also set when it fails: what there is to remove
 *
 * Makes the groups that @rdt asks for, or checks that a group which is there already is as it is wanted.
 * Errors start with the JSON path.
 */
bool resctrl_make(const OciIntelRdt *rdt, const char *id, ResctrlGroup *ret_group, GError **error);

/**
 * resctrl_join:
 * Puts process @pid there; what it forks later comes along.
 */
bool resctrl_join(const ResctrlGroup *group, pid_t pid, GError **error);

/**
 * resctrl_write:
 * Sets the schemata @lines of the group. The kernel's reason is part of the error.
 */
bool resctrl_write(const ResctrlGroup *group, const char *lines, GError **error);

/**
 * resctrl_remove:
 * Removes what was made. What is gone is no error.
 */
bool resctrl_remove(const ResctrlGroup *group, GError **error);

/**
 * resctrl_lines:
 * @l3_cache_schema, @mem_bw_schema: (nullable)
 * Returns (transfer full): both as lines for resctrl_write(). Where both have a line for the memory
 * bandwidth, that of @mem_bw_schema counts.
 */
char *resctrl_lines(const char *l3_cache_schema, const char *mem_bw_schema);
