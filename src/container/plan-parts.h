/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "container/mount-options.h"
#include "container/plan.h"

/* The parts of a plan, one file each. Every function fills its fields of plan->init and returns false with an
 * error that starts with the JSON path. */

bool plan_namespaces(Plan *plan, const OciConfig *config, GError **error);
bool plan_mounts(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error);
bool plan_devices(Plan *plan, const OciConfig *config, GError **error);
bool plan_process(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error);
bool plan_capabilities(Plan *plan, const OciProcess *process, const PlanContext *context, GError **error);
bool plan_seccomp(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error);
bool plan_hooks(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error);

/**
 * plan_id_map:
 * @entry: has its name and kind by now
 * Plans the mapping of one mount, if it is to be ID-mapped.
 */
bool plan_id_map(Plan *plan, MountPlan *entry, const OciMount *mount, const MountOptions *options,
                 const OciLinux *linux, GError **error);

/**
 * plan_seccomp_listener:
 * Returns (nullable) (transfer none): the path of the socket to which the fd for SCMP_ACT_NOTIFY is sent.
 */
const char *plan_seccomp_listener(const OciConfig *config);

/**
 * plan_memory_policy:
 * Plans linux.memoryPolicy. Part of plan_process().
 */
bool plan_memory_policy(Plan *plan, const OciLinux *linux, GError **error);

/**
 * plan_compile_seccomp:
 * Writes the program for plan->config's seccomp rules, which plan_seccomp() has checked, to init's
 * seccomp_fd. It takes as long as everything else together (about 10 ms for an engine's default profile), so
 * it is not done before init runs.
 */
bool plan_compile_seccomp(const Plan *plan, GError **error);

/**
 * plan_warn:
 * Adds a sentence to plan->warnings.
 */
void plan_warn(Plan *plan, const char *format, ...) G_GNUC_PRINTF(2, 3);

/**
 * plan_path:
 * Returns (transfer full): @path, relative to @directory, without ".", ".." and repeated slashes. Not even
 * two of them at the start, which POSIX and g_canonicalize_filename() let stand.
 */
char *plan_path(const char *path, const char *directory);

/**
 * plan_array:
 * Allocates @n zeroed elements of @size bytes in the plan's image and links @slot (a pointer of any type) to
 * them; NULL when there are none.
 */
void *plan_array(Plan *plan, void *slot, size_t n, size_t size);

/**
 * plan_text:
 * Links @slot to a formatted string in the plan's image.
 */
void plan_text(Plan *plan, char **slot, const char *format, ...) G_GNUC_PRINTF(3, 4);
