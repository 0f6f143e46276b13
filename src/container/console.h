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
 * pidfd_socket_connect:
 * @path: of --pidfd-socket, NULL: none
 * Likewise for a pidfd of the process, which pidfd_socket_send() sends; that does nothing for a negative
 * @socket_fd.
 */
bool pidfd_socket_connect(const char *path, int *ret_fd, GError **error);
bool pidfd_socket_send(int socket_fd, const char *path, int pidfd, GError **error);
