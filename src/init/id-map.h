/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* Mappings of ID-mapped mounts. mount_setattr(2) takes a mapping in the shape of a user namespace, and wants
 * the privileges of who mounted the file system: the caller's, which init has lost in a user namespace of the
 * container's. */

/**
 * id_maps_make:
 * To be called with the caller's privileges: a user namespace for each of plan->id_maps, in init->id_map_fds.
 */
int id_maps_make(Init *init, SetupFailure *reterr_failure);

/**
 * id_map_set:
 * @mount: its mapping is what @tree_fd, a detached mount, gets
 * @user_namespace_fd: the container's, for ID_MAP_CONTAINER
 *
 * To be called with the caller's privileges. Returns 0 or a negative errno: -EINVAL when the file system
 * can't.
 */
int id_map_set(const Init *init, const MountPlan *mount, int user_namespace_fd, int tree_fd);

/**
 * id_map_apply:
 * @index: of the mount
 * Called by init: has the helper do it where the container has a user namespace.
 */
int id_map_apply(const Init *init, size_t index, int tree_fd);
