/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where a container lives: in a unit of its own; in the service that systemd has started us as, where systemd
 * is the supervisor (container/service.h); in a control group of its own below that of the caller's
 * unit (podman's --cgroups=split) or anywhere else (--cgroup-manager=cgroupfs); or where the caller is
 * (--cgroup-manager=disabled). Without a unit the front end starts the supervisor itself, `start` runs the
 * poststart hooks, and `delete` removes the control group. */

typedef enum HomeKind {
        HOME_UNIT,
        HOME_SERVICE,
        HOME_GROUP,
        HOME_NOWHERE,
} HomeKind;

/* What the command line says. */
typedef enum HomeManager {
        HOME_MANAGER_BY_PATH, /* nothing: linux.cgroupsPath tells */
        HOME_MANAGER_SYSTEMD,
        HOME_MANAGER_CGROUPFS,
        HOME_MANAGER_DISABLED,
} HomeManager;

static inline bool home_has_unit(HomeKind home) {
        return home == HOME_UNIT || home == HOME_SERVICE;
}

/**
 * home_decide:
 * @cgroups_path: (nullable): linux.cgroupsPath
 * @ret_group: (transfer full): for HOME_GROUP the control group, absolute below the mount of cgroup2; else
 * NULL
 * @error: starts with "linux.cgroupsPath: ": the path and the manager don't fit
 */
bool home_decide(HomeManager manager, const char *cgroups_path, const char *id, HomeKind *ret_kind,
                 char **ret_group, GError **error);

/**
 * home_check_group:
 * Refuses a control group that has processes in it or is frozen: limits would hit strangers, and the
 * container could not run.
 */
bool home_check_group(const char *group, GError **error);

/**
 * home_start_supervisor:
 * @group: (nullable): NULL starts it where the caller is
 * @state_dir: absolute
 * @ret_pid: our child; it outlives us
 *
 * Makes @group with all that is missing above it, and starts the supervisor in the sub-group for it.
 */
bool home_start_supervisor(const char *group, const char *state_dir, pid_t *ret_pid, GError **error);

/**
 * home_clear_group:
 * @payload_id: of the container's group in @group; one that has another is somebody else's. 0: not known
 *
 * Kills what is left in the sub-groups of @group, lets the supervisor end, and removes them and the group.
 * Does nothing when it is gone.
 */
bool home_clear_group(const char *group, uint64_t payload_id, GError **error);

/**
 * home_clear_service:
 * Kills what is left of the container in the control group @group of its service, and removes its group
 * there. Does nothing when it is gone.
 */
bool home_clear_service(const char *group, GError **error);
