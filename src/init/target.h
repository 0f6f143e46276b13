/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Places in the rootfs to put mounts on. The rootfs is the image's: its symbolic links, dangling ones too,
 * are followed as they would be inside the container, so that nothing outside is ever reached or made. */

/**
 * target_make:
 * @directory: make a directory where nothing is there, else an empty file
 * @mode: of what is made at the end; directories on the way get 0755
 *
 * Opens what is at @path inside @root_fd, made if it is missing; missing parts behind dangling links are made
 * where the links point. Returns an O_PATH fd for close(), or a negative errno (-ELOOP: too many links).
 */
int target_make(int root_fd, const char *path, bool directory, mode_t mode);

/**
 * target_open_parent:
 * @ret_name: (transfer none): the last component inside @path
 *
 * Opens the directory of @path, made if it is missing, for what is to be found or made in it without
 * following a link. Returns an O_PATH fd for close(), or a negative errno.
 */
int target_open_parent(int root_fd, const char *path, const char **ret_name);

/**
 * target_make_nofollow:
 * Like target_make(), but a symbolic link at the end of @path is the target itself.
 */
int target_make_nofollow(int root_fd, const char *path, bool directory, mode_t mode);

/**
 * target_path:
 * @proc_fd: a procfs
 * @ret_path: where @target_fd really is, absolute as seen in the container ("/" for the root itself)
 *
 * Returns 0, -EXDEV when it is not below @root_fd, or another negative errno.
 */
int target_path(int proc_fd, int root_fd, int target_fd, char ret_path[static PATH_MAX]);
