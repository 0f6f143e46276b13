/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

/**
 * cgroup_delegate:
 * @group_fd: a group's directory
 *
 * Gives the group to @uid: its directory and the files named in /sys/kernel/cgroup/delegate, cgroups(7),
 * "Cgroup delegation". Limits stay ours. Returns 0 or a negative errno.
 */
int cgroup_delegate(int group_fd, uid_t uid);
