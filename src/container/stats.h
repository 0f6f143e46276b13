/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

#include "container/resctrl.h"

/**
 * stats_to_json:
 * @payload_fd: the container's group
 * @resctrl: and its group there, if it has one
 *
 * Returns (transfer full): what the group has used and may use, as JSON on one line, in the form that runc
 * gives the same under cgroup v2. What a missing controller would know is 0 or left out; so is what is gone
 * when the group is.
 */
char *stats_to_json(int payload_fd, const ResctrlGroup *resctrl);

/**
 * stats_of_resctrl:
 * Returns (transfer full): "{}" or what the container's group in the resctrl file system has to say, its
 * monitoring group's counters if it has one. Part of stats_to_json().
 */
char *stats_of_resctrl(const ResctrlGroup *group);
