/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Paths inside a root that somebody else controls. Everything is resolved by the kernel with openat2(2) and
 * RESOLVE_IN_ROOT: symbolic links, absolute ones too, and ".." stay inside @root_fd, magic links
 * (/proc/PID/fd/N) are refused. What is found is used by its fd, never by its name again: the name may point
 * elsewhere a moment later. */

/**
 * path_open_in_root:
 * @root_fd: the root, a directory fd (O_PATH is enough)
 * @path: absolute or relative, both start at the root; "" and "/" are the root itself
 * @flags: for open(2); O_CLOEXEC is added
 *
 * Returns an fd for close(), or a negative errno.
 */
int path_open_in_root(int root_fd, const char *path, int flags);

/**
 * path_make_dir_in_root:
 * @mode: of the directories that have to be made (0755 by habit)
 *
 * Opens the directory at @path and makes it first, parents included, where it is missing. Existing symbolic
 * links on the way are followed inside the root. Returns an O_PATH fd for close(), or a negative errno
 * (-ENOTDIR when something else is in the way).
 */
int path_make_dir_in_root(int root_fd, const char *path, mode_t mode);

/**
 * path_make_file_in_root:
 * Like path_make_dir_in_root(), but what is made at the end is an empty regular file of mode @mode; parents
 * are made with 0755. An existing file, directory, device, … at @path is opened as it is. Returns an O_PATH
 * fd or a negative errno.
 */
int path_make_file_in_root(int root_fd, const char *path, mode_t mode);

/**
 * path_open_parent_in_root:
 * @make: make missing parents (0755)
 * @ret_name: (transfer none): the last component inside @path
 *
 * Opens the directory that holds the last component of @path, for mknodat(), symlinkat(), …. Fails with
 * -EINVAL when the last component is empty, "." or "..". Returns an O_PATH fd or a negative errno.
 */
int path_open_parent_in_root(int root_fd, const char *path, bool make, const char **ret_name);

/**
 * path_of_fd:
 * Writes "/proc/self/fd/N" for calls that take no fd. @buffer must have PATH_OF_FD_SIZE bytes. Returns
 * @buffer.
 */
#define PATH_OF_FD_SIZE 32
const char *path_of_fd(int fd, char buffer[static PATH_OF_FD_SIZE]);

/**
 * path_is_absolute, path_is_normal:
 * Text checks: starts with '/'; has no empty, "." or ".." component (a trailing slash is allowed).
 */
bool path_is_absolute(const char *path);
bool path_is_normal(const char *path);
