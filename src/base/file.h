/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/**
 * file_read:
 * @dir_fd: the directory @path starts at, or AT_FDCWD
 * @limit: the most bytes taken
 * @ret_data: (transfer full): the content with a NUL byte behind it, for free()
 * @ret_size: (nullable)
 *
 * Reads a whole file. Returns 0, -EFBIG or another negative errno.
 */
int file_read(int dir_fd, const char *path, size_t limit, char **ret_data, size_t *ret_size);

/**
 * file_replace:
 * Writes @data into a new file beside @path and renames it into place, so that a reader sees the old content
 * or the new one, whole. @path must not contain a slash (one writer per file). Returns 0 or a negative errno.
 */
int file_replace(int dir_fd, const char *path, const void *data, size_t size, mode_t mode);

/**
 * file_write:
 * Writes @text into an existing file with one write(2), as the files of cgroupfs, /proc and sysctl want it.
 * Returns 0 or a negative errno.
 */
int file_write(int dir_fd, const char *path, const char *text);
