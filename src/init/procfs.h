/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* Reading and writing /proc where it matters that it really is procfs, and that nobody mounted something over
 * the file in question (CVE-2019-16884, CVE-2019-19921, CVE-2025-52881): init has a procfs of its own that is
 * mounted nowhere. Where the kernel doesn't allow one (user namespaces), the runtime's /proc is taken, which
 * no container can reach. */

/**
 * procfs_open:
 * Sets init->proc_fd. Returns 0 or a negative errno.
 */
int procfs_open(Init *init, SetupFailure *reterr_failure);

/**
 * procfs_open_joined:
 * The same in a process that has joined a container, with nothing but processes in it. Where a mount is not
 * allowed it is the container's own /proc, if that is the root of a procfs. Returns an fd or a negative
 * errno.
 */
int procfs_open_joined(void);

/**
 * procfs_write:
 * @path: relative to /proc
 *
 * Writes @text with one write(2) into a file that is checked to be of the same procfs mount. Returns 0 or a
 * negative errno.
 */
int procfs_write(int proc_fd, const char *path, const char *text);
