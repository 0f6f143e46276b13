/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cgroup/device-program.h"
#include "cgroup/limits.h"
#include "oci/config.h"
#include "unit/properties.h"

/* linux.resources, carried twice: as properties of the unit (so that systemctl show tells the truth, and
 * daemon-reload and set-property work) and as values for the files of the payload group (so that the
 * container sees its limits in /sys/fs/cgroup, and for what systemd has no property for). The table in
 * resources.c says which goes where. */

typedef enum ResourcesPurpose {
        RESOURCES_CREATE,       /* everything, with the default devices */
        RESOURCES_CREATE_GROUP, /* likewise, where there is no unit: nothing is left to systemd */
        RESOURCES_UPDATE,       /* only what is there: absent fields change nothing, nor do devices */
} ResourcesPurpose;

/* What holds in the payload before an update, for resources of which only a part is given. */
typedef struct ResourcesPresent {
        uint64_t memory_max;      /* UINT64_MAX: none */
        uint64_t cpu_quota_usec;  /* UINT64_MAX: none */
        uint64_t cpu_period_usec; /* 0: not known */
        bool cpu_idle;
} ResourcesPresent;

typedef struct ResourcePlan {
        PropertySet *properties;
        GPtrArray *limits; /* of ResourceLimit, in the order of writing */
        bool check_usage;  /* memory.checkBeforeUpdate: refuse a memory.max below memory.current */
        uint64_t memory_max;

        /* The rules in full, for the payload's own program, when systemd can't express them; else empty. */
        DeviceRule *device_rules;
        size_t n_device_rules;
} ResourcePlan;

typedef struct ResourceLimit {
        char *json_path; /* "linux.resources.memory.limit" */
        char *file;
        char *value;
        bool unlimited;
} ResourceLimit;

void resource_plan_free(ResourcePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ResourcePlan, resource_plan_free)

/**
 * resources_plan:
 * @resources: (nullable): NULL is an empty object
 * @control_devices: false leaves devices alone: without privileges over the host's first user namespace no
 * device program can be attached (the user manager can't either)
 * @error: names the JSON path: "linux.resources.memory.swap: …"
 *
 * Touches nothing. Returns (transfer full), or NULL.
 */
ResourcePlan *resources_plan(const OciResources *resources, ResourcesPurpose purpose, bool control_devices,
                             GError **error);

/**
 * resources_plan_update:
 * The same for RESOURCES_UPDATE.
 */
ResourcePlan *resources_plan_update(const OciResources *resources, const ResourcesPresent *present,
                                    GError **error);

/**
 * resources_present_load:
 * @payload_fd: the container's group
 * A file that is not there says that there is no limit.
 */
void resources_present_load(int payload_fd, ResourcesPresent *ret_present);

/**
 * resources_apply:
 * @unit_cgroup: the unit's control group ("/a.slice/x.service"), in whose cgroup.subtree_control the
 * controllers are enabled already
 * @payload_fd: the group that gets the limits, below it
 * @error: starts with the JSON path; names the file, and the controller if it is missing
 *
 * Writes the payload's files and attaches the device program. Controllers that systemd does not manage
 * (hugetlb, rdma, misc) are enabled from the root down first, when a limit needs them.
 */
bool resources_apply(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd, GError **error);

typedef struct ResourceUndo ResourceUndo;

/**
 * resources_apply_update:
 * @ret_undo: (transfer full): for resources_undo(), or to be freed
 *
 * The same for a container that exists, all or nothing: on failure the files are as they were. What gives
 * more is written first, what takes away last and in reverse, so that no value on the way is refused for what
 * the other still is: memory goes out to swap that is there already, and a burst is never above its quota.
 */
bool resources_apply_update(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd,
                            ResourceUndo **ret_undo, GError **error);

/**
 * resources_undo:
 * Writes back what the files were, the last one first. What is refused is left.
 */
void resources_undo(const ResourceUndo *undo, int payload_fd);
void resource_undo_free(ResourceUndo *undo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ResourceUndo, resource_undo_free)

/**
 * resources_memory_hint:
 * @resources: (nullable)
 * Returns (transfer full): "" or, when the memory limit is so low that the kernel may kill what only prepares
 * a program, a remark in parentheses to stand behind an error.
 */
char *resources_memory_hint(const OciResources *resources);
