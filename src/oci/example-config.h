/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * oci_example_config:
 * @rootless: for a container that @uid and @gid, no root, can run: with a user namespace in which they are 0,
 * and without what takes more than that
 *
 * Returns (transfer full): a config.json to start from, pretty: a shell at a terminal in the directory
 * "rootfs", with the usual namespaces, mounts and restrictions.
 */
char *oci_example_config(bool rootless, uid_t uid, gid_t gid);
