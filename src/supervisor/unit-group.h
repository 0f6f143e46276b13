/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup/group.h"
#include "protocol/failure.h"

/* The control group of the unit and its two sub-groups, "supervisor" and "payload". */

#define GROUP_SUPERVISOR "supervisor"
#define GROUP_PAYLOAD    "payload"

/**
 * unit_group_enter:
 * @ret_path: the unit's own group, "/a.slice/x.service"
 *
 * Moves the caller into the sub-group "supervisor", where systemd has not done so already
 * (DelegateSubgroup=, systemd 254): controllers can't be enabled while a group holds processes itself.
 * Returns an O_PATH fd of the unit's group, or a negative errno.
 */
int unit_group_enter(char ret_path[static CGROUP_PATH_SIZE], SetupFailure *reterr_failure);

/**
 * unit_group_thaw_payload:
 * @group_fd: of the unit
 *
 * Lets a paused container run, so that a signal reaches it. Returns 1 if it was frozen, 0 if not or if there
 * is no payload (any more), or a negative errno.
 */
int unit_group_thaw_payload(int group_fd);

/**
 * unit_group_name:
 * Returns (nullable) (transfer none): the name of the unit whose group is at @path, a piece of it.
 */
const char *unit_group_name(const char *path);
