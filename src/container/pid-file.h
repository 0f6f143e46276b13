/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * pid_file_write:
 * @path: (nullable): of --pid-file; NULL does nothing
 *
 * Writes @pid in digits, without a newline (containerd takes the bytes as they are). The file is written
 * beside and renamed: it is never there half-way, and what was there before is gone.
 */
bool pid_file_write(const char *path, pid_t pid, GError **error);
