/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * fd_set_cloexec:
 * Sets or clears close-on-exec. Returns 0 or a negative errno.
 */
int fd_set_cloexec(int fd, bool cloexec);

/**
 * fd_open_standard:
 * Opens /dev/null in the place of whichever of the fds 0, 1 and 2 are closed, so that nothing that is opened
 * later gets a standard number, and with it what others write there. Returns 0 or a negative errno.
 */
int fd_open_standard(void);

/**
 * fd_cloexec_from:
 * Marks every open fd from @first on close-on-exec: close_range(2) with CLOSE_RANGE_CLOEXEC (Linux 5.11),
 * else a walk over /proc/self/fd. Returns 0 or a negative errno.
 */
int fd_cloexec_from(int first);

/**
 * fd_list_open:
 * @first: the lowest fd of interest
 * @ret_fds: (transfer full): an array for free()
 *
 * Lists the open fds from @first on in ascending order, as /proc/self/fd shows them (its own fd left out).
 * Returns 0 or a negative errno.
 */
int fd_list_open(int first, int **ret_fds, size_t *ret_n);

/**
 * fd_write_all:
 * Writes all of @data, through short writes and EINTR. Returns 0 or a negative errno.
 */
int fd_write_all(int fd, const void *data, size_t size);

/**
 * fd_read_all:
 * @limit: the most that is taken, in bytes
 * @ret_data: (transfer full): what was read with a NUL byte behind it
 *
 * Reads until end of file. Returns 0, -EFBIG when there is more than @limit, or another negative errno.
 */
int fd_read_all(int fd, size_t limit, char **ret_data, size_t *ret_size);
