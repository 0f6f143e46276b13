/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/state-dir.h"
#include "oci/config.h"

/* A caller with NOTIFY_SOCKET in its environment hears of the notifications (sd_notify(3)) of the container's
 * program, by the supervisor. */

/**
 * notify_socket_wanted:
 * Returns (nullable) (transfer none): the caller's socket. NULL if there is none; if the program has a
 * NOTIFY_SOCKET in config.json, which is its engine's affair then; or, with a warning, if it can't be served.
 */
const char *notify_socket_wanted(const OciConfig *config);

/**
 * notify_socket_directory:
 * Returns (transfer full): where the container's socket will be, to be mounted at NOTIFY_DESTINATION.
 */
char *notify_socket_directory(const char *state_dir);

/**
 * notify_socket_prepare:
 * @address: from notify_socket_wanted()
 * @sender: as whom to send there: a process of the unit that waits for it, or 0
 *
 * Makes the directory, and tells the supervisor, which reads it when it starts.
 */
bool notify_socket_prepare(const StateDir *dir, const char *address, pid_t sender, GError **error);
