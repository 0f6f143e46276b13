/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* A container's directory below the state root, and the lock on it. The lock is flock(2) on the directory
 * itself: it ends with the process that holds it, so a SIGKILL leaves no lock behind, only leftovers
 * (protocol/state-dir.h).
 *
 * `create` and `delete` hold the lock for their whole time; other commands don't take it. */

typedef struct StateDir {
        char *root; /* absolute */
        char *id;
        char *path; /* root/id */
        int fd;     /* the directory, with the lock if it was taken */
} StateDir;

void state_dir_free(StateDir *dir);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StateDir, state_dir_free)

/**
 * state_root_default:
 * @system: the container belongs to the system manager
 *
 * Returns (transfer full): /run/unitrun, or $XDG_RUNTIME_DIR/unitrun. NULL with @error set without
 * XDG_RUNTIME_DIR.
 */
char *state_root_default(bool system, GError **error);

/**
 * container_id_check:
 * An ID names a directory and shows up in a unit's name: letters, digits, "_", "+", "-" and ".", at most 255
 * bytes, not "." or "..", not starting with "-" (it would be taken for an option).
 */
bool container_id_check(const char *id, GError **error);

/**
 * state_dir_create:
 * @ret_leftover: set to true when the directory was there without a commit, left by somebody who was killed:
 * what is in it tells what has to be cleared before it is used (state_dir_clear())
 *
 * Makes the directory, and the root where it is missing, and takes the lock. Fails with UNITRUN_ERROR_EXISTS
 * when a container of that ID exists or is just being created or deleted.
 */
StateDir *state_dir_create(const char *root, const char *id, bool *ret_leftover, GError **error);

/**
 * state_dir_open:
 * @lock: wait for the lock
 *
 * Opens the directory of a container or of leftovers. Fails with UNITRUN_ERROR_NOT_FOUND and the wording that
 * engines know: "container 'ID' does not exist".
 */
StateDir *state_dir_open(const char *root, const char *id, bool lock, GError **error);

/**
 * state_dir_lock_again:
 * After state_dir_unlock(): waits for the lock. Returns false when the directory is gone, or somebody else's
 * by now: there is nothing left to lock.
 */
bool state_dir_lock_again(StateDir *dir);

/**
 * state_dir_unlock:
 * Lets others have the lock; @dir stays open.
 */
void state_dir_unlock(StateDir *dir);

/**
 * state_dir_is_locked:
 * Whether somebody is creating or deleting right now. Never waits.
 */
bool state_dir_is_locked(StateDir *dir);

/**
 * state_dir_clear:
 * Removes everything in the directory, the commit first, so that being killed half-way leaves mere leftovers.
 */
bool state_dir_clear(StateDir *dir, GError **error);

/**
 * state_dir_remove:
 * state_dir_clear(), then the directory itself.
 */
bool state_dir_remove(StateDir *dir, GError **error);
