/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/container.h"

/**
 * exec_group_enter:
 * @sub_group: (nullable): of --cgroup, below the container's own group; it has to be there
 *
 * Moves @pid into the container's group. Where the container has made groups of its own with controllers, the
 * kernel allows no process in there (cgroups(7)): then into that of the container's init, if that is one of
 * them. Where the kernel does not let us move it, systemd does.
 */
bool exec_group_enter(const Container *container, const char *sub_group, pid_t pid, GError **error);
