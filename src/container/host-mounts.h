/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "oci/config.h"

/* A container without a mount namespace of its own makes its mounts in the host's, or in the one that it
 * joins. They have to be taken off when it goes: by its end, an error or the next command. */

typedef struct HostMounts {
        char *place;     /* where the root is mounted, links resolved; NULL: in a namespace of its own */
        uint64_t below;  /* the ID of the mount that lay there before */
        char *namespace; /* path of the mount namespace; NULL: the caller's */
        uint64_t namespace_id; /* its inode number: the path may lead to another one later */
} HostMounts;

void host_mounts_clear(HostMounts *mounts);

/**
 * host_mounts_plan:
 * @rootfs: absolute
 * @mounts: empty; filled if the container has no mount namespace of its own
 *
 * To be written down before anything is mounted.
 */
bool host_mounts_plan(const OciConfig *config, const char *rootfs, HostMounts *mounts, GError **error);

/**
 * host_mounts_copy:
 * Returns: its strings are for host_mounts_clear().
 */
HostMounts host_mounts_copy(const HostMounts *mounts);

/**
 * host_mounts_remove:
 * Takes off everything that lies on the place above what was there before. Nothing may run in there any more.
 * A mount namespace that is gone has taken them along.
 */
bool host_mounts_remove(const HostMounts *mounts, GError **error);
