/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * passwd_find:
 * @rootfs: whose /etc/passwd and /etc/group count. They may be anything: they are opened inside of it, and
 * have to be regular files
 * @user: "USER[:GROUP]", each a name or a number
 * @ret_gid: without a group that of the user, 0 for a number that is not in the file
 */
bool passwd_find(const char *rootfs, const char *user, uid_t *ret_uid, gid_t *ret_gid, GError **error);
