/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/creation.h"

/**
 * placement_apply:
 * @creation: the supervisor has told the unit's cgroup
 * @pid: init, or who is going to restore it
 *
 * Prepares the payload group (controllers, limits, device program) and moves @pid into it. Where the kernel
 * does not let us move it (the common ancestor is not ours to write), systemd does.
 */
bool placement_apply(Creation *creation, pid_t pid, GError **error);
