/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* The rootfs from a directory of the host to "/". Each returns 0 or a negative errno. */

/**
 * rootfs_prepare:
 * Cuts the propagation of mounts to the host and makes the rootfs a mount of its own: init->rootfs_fd.
 */
int rootfs_prepare(Init *init, SetupFailure *reterr_failure);

/**
 * rootfs_make_cwd:
 * Makes process.cwd where it is missing.
 */
int rootfs_make_cwd(Init *init, SetupFailure *reterr_failure);

/**
 * rootfs_finish:
 * Makes read-only what had to wait until all was in its place: mounts, then the rootfs.
 */
int rootfs_finish(Init *init, SetupFailure *reterr_failure);

/**
 * rootfs_enter:
 * Makes the rootfs "/" and lets go of the host's tree.
 */
int rootfs_enter(Init *init, SetupFailure *reterr_failure);
