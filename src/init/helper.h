/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* The stage stays for a while beside an init that has lost the caller's privileges to its new user namespace:
 * as init's helper it does what only the caller may (open a bind source below a directory of mode 0700, map
 * the IDs of a mount). Both have the plan, so init names an entry of it, never a path. In the reaper it also
 * learns that init was moved. A stage that joins a user namespace loses the privileges as well, and leaves
 * the helper's work to a process that it forks before. */

typedef enum HelperRequestKind {
        HELPER_BIND_SOURCE, /* of plan->mounts[index] */
        HELPER_DEVICE,      /* the host's node at plan->devices[index].path */
        HELPER_ROOTFS,
        HELPER_ID_MAP, /* for the tree sent along: that of plan->mounts[index] */
        HELPER_MOVED,  /* init sits in its unit: the stage need not die with the front end any more */
} HelperRequestKind;

/**
 * helper_open:
 * @kind: one of the first three
 *
 * Lets the helper open a detached copy of a mount tree. Returns its fd for close(), -EBADF when there is no
 * helper, or another negative errno.
 */
int helper_open(const Init *init, HelperRequestKind kind, size_t index);

/**
 * helper_map_ids:
 * Lets the helper give the detached mount @tree_fd the mapping of plan->mounts[@index]. Returns 0 or a
 * negative errno.
 */
int helper_map_ids(const Init *init, size_t index, int tree_fd);

/**
 * helper_tell_moved:
 * Returns when the stage no longer depends on the front end: 0, also without a helper, or a negative errno.
 */
int helper_tell_moved(const Init *init);

/**
 * helper_serve:
 * @init: with plan and id_map_fds
 * @fd: the helper's end
 * @user_namespace_fd: the container's, or -EBADF
 * Answers until init closes its end.
 */
void helper_serve(const Init *init, int fd, int user_namespace_fd);
