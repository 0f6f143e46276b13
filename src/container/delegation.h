/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "oci/config.h"

/**
 * delegation_apply:
 * @payload_fd: the container's cgroup
 * @init: is in the container's user namespace
 *
 * Gives the cgroup to the user that runs the container's program, as config-linux.md, "Cgroup ownership", has
 * it: if the container has a new cgroup namespace and /sys/fs/cgroup in it is writable. A caller who may not
 * give anything away keeps it; that is no error.
 */
bool delegation_apply(const OciConfig *config, int payload_fd, pid_t init, GError **error);

/**
 * delegation_is_wanted:
 * Returns: whether the config asks for it.
 */
bool delegation_is_wanted(const OciConfig *config);
