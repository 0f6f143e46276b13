/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"
#include "init/mount-api.h"

/**
 * mount_cgroup_open:
 * @attributes: for fsmount(2)
 * @reterr_log: as of mount_create()
 *
 * The container's view of cgroup2, as a detached tree: with a cgroup namespace of its own its own group is
 * the root, else it is the host's hierarchy. Returns an fd or a negative errno.
 */
int mount_cgroup_open(Init *init, const MountPlan *plan, uint64_t attributes,
                      char reterr_log[MOUNT_LOG_SIZE]);

/**
 * mount_cgroup_note_path:
 * Notes the path of init's cgroup as the host sees it, in init->cgroup_path; to be called when init was moved
 * and has no cgroup namespace yet. Returns 0 or a negative errno.
 */
int mount_cgroup_note_path(Init *init, SetupFailure *reterr_failure);
