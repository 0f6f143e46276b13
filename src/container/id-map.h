/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "oci/config.h"

/**
 * id_map_write:
 * @pid: a process in its new user namespace
 *
 * Writes uid_map and gid_map as linux.uidMappings and linux.gidMappings have them, see user_namespaces(7).
 * Without CAP_SETUID and CAP_SETGID over the ids outside, the caller may map itself; more is written by
 * newuidmap(1) and newgidmap(1).
 */
bool id_map_write(const OciConfig *config, pid_t pid, GError **error);
