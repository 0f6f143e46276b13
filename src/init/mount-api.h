/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "init/plan.h"

/* Mounts as fds: made or copied detached, attached to a target that is an fd too. No name is looked up twice,
 * so nobody can put a symbolic link in between. Linux 5.2 has all of it but mount_setattr(2) (5.12), for
 * which there is a fallback through mount(2) and /proc/self/fd. */

/**
 * mount_tree_open, mount_link_open:
 * @path: "" is @dir_fd itself
 * @recursive: with all mounts below
 *
 * The second does not follow a symbolic link at the end of @path: it is the tree then.
 *
 * Makes a detached copy of the mount at @path, of just what lies below it. Returns an fd or a negative errno.
 */
int mount_tree_open(int dir_fd, const char *path, bool recursive);
int mount_link_open(int dir_fd, const char *path, bool recursive);

/**
 * mount_set_id_map:
 * @tree_fd: a detached mount
 * @user_namespace_fd: whose maps are the mapping
 *
 * Returns 0 or a negative errno: -EINVAL when the file system can't, -EPERM when it is not ours.
 */
int mount_set_id_map(int tree_fd, int user_namespace_fd, bool recursive);

/**
 * mount_reconfigure:
 * @mount_fd: the root of a mount
 * @parameters, @reterr_log: as of mount_create()
 *
 * Gives its file system other parameters. Returns 0 or a negative errno.
 */
int mount_reconfigure(int mount_fd, char *const *parameters, char *reterr_log);

/**
 * mount_attach:
 * Puts the detached (or moves the attached) mount @tree_fd onto @target_fd. @tree_fd then stands for the
 * mount's root. Returns 0 or a negative errno.
 */
int mount_attach(int tree_fd, int target_fd);

/**
 * mount_set_flags:
 * @mount_fd: the root of an attached mount
 * Returns 0 or a negative errno: -EPERM when a flag to be cleared is locked, see mount_namespaces(7).
 */
int mount_set_flags(int mount_fd, MountFlags flags, bool recursive);

/**
 * mount_set_propagation:
 * @propagation: MS_SHARED, MS_SLAVE, MS_PRIVATE or MS_UNBINDABLE, with MS_REC for all below
 */
int mount_set_propagation(int mount_fd, uint32_t propagation);

/**
 * mount_create:
 * @type: of the file system
 * @source: (nullable)
 * @parameters: (nullable): "key=value" or "key", NULL-terminated
 * @attributes: MOUNT_ATTR_RDONLY, …: those of fsmount(2)
 * @reterr_log: (nullable): what the kernel says about it, a line or ""
 *
 * Makes a detached mount of a new file system. Returns an fd or a negative errno.
 */
#define MOUNT_LOG_SIZE 256
int mount_create(const char *type, const char *source, char *const *parameters, uint64_t attributes,
                 char reterr_log[MOUNT_LOG_SIZE]);
