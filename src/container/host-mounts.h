/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "oci/config.h"

/* A container without a mount namespace of its own makes its mounts in the host's. They have to be taken off
 * when it goes: by its end, an error or the next command. */

/**
 * host_mounts_plan:
 * @rootfs: absolute
 * @ret_place: where the root will be mounted, links resolved; NULL if the container has a mount namespace
 * @ret_below: the ID of the mount that lies there now
 *
 * To be written down before anything is mounted.
 */
bool host_mounts_plan(const OciConfig *config, const char *rootfs, char **ret_place, uint64_t *ret_below,
                      GError **error);

/**
 * host_mounts_remove:
 * @place: (nullable)
 * Takes off everything that lies on @place above the mount @below. Nothing may run in there any more.
 */
bool host_mounts_remove(const char *place, uint64_t below, GError **error);
