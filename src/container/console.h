/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/**
 * console_connect:
 * @path: (nullable): an AF_UNIX stream socket on which an engine waits for the terminal; NULL does nothing
 * @ret_fd: the connection, over which init sends the terminal's master with SCM_RIGHTS
 */
bool console_connect(const char *path, int *ret_fd, GError **error);

/**
 * listener_connect:
 * @path: of the seccomp agent's socket (linux.seccomp.listenerPath), NULL: none
 * Likewise for the listener of seccomp notifications.
 */
bool listener_connect(const char *path, int *ret_fd, GError **error);

/**
 * socket_option_connect:
 * @option: the name of the option that gives @path, for messages
 * The same for another socket on which an engine waits for an fd.
 */
bool socket_option_connect(const char *option, const char *path, int *ret_fd, GError **error);
