/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"
#include "init/mount-api.h"

/* One mount on its way, and the kinds of work that have a file of their own. */
typedef struct MountWork {
        Init *init;
        const MountPlan *plan;
        size_t index;
        int tree_fd;
        int target_fd;
        bool flags_are_set; /* by fsmount(2) */
        char log[MOUNT_LOG_SIZE];
} MountWork;

/**
 * mount_work_failed:
 * @what: was tried with the mount: "attach"
 * Notes it together with the mount's place in the config, source, destination and options. Returns @error.
 */
int mount_work_failed(const MountWork *work, int error, const char *what, SetupFailure *reterr_failure);

/**
 * mount_work_set_flags:
 * @mount_fd: the mount, attached or detached
 * Sets the flags and propagation that the plan wants. Returns 0 or a negative errno.
 */
int mount_work_set_flags(const MountWork *work, int mount_fd, MountFlags flags, SetupFailure *reterr_failure);

/**
 * mount_copy_link:
 * Makes the symbolic link that work->tree_fd is at the destination. One that is there already must say the
 * same.
 */
int mount_copy_link(const MountWork *work, SetupFailure *reterr_failure);

/**
 * mount_remount:
 * Gives what is mounted at the destination other flags, and its file system other parameters.
 */
int mount_remount(MountWork *work, SetupFailure *reterr_failure);
