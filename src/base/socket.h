/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* AF_UNIX SOCK_SEQPACKET sockets in a state directory: a message is one packet, end of file means that the
 * other side is gone. Names are reached as /proc/self/fd/DIRFD/NAME, since a path in sockaddr_un has 108
 * bytes only. */

/**
 * socket_listen:
 * Binds @name in @dir_fd (which must not exist there) and listens. Returns the fd for close(), or a negative
 * errno.
 */
int socket_listen(int dir_fd, const char *name);

/**
 * socket_connect:
 * Connects to @name in @dir_fd. Returns the fd, -ECONNREFUSED when nobody listens any more, -ENOENT, ….
 */
int socket_connect(int dir_fd, const char *name);

/**
 * socket_peer_uid:
 * @ret_uid: the effective uid of who connected or listened (SO_PEERCRED, unix(7))
 */
int socket_peer_uid(int fd, uid_t *ret_uid);

#define SOCKET_MAX_FDS 4

/**
 * socket_send:
 * Sends one packet with up to SOCKET_MAX_FDS fds, which stay the caller's. No SIGPIPE. Returns 0 or a
 * negative errno.
 */
int socket_send(int fd, const void *data, size_t size, const int *fds, size_t n_fds);

/**
 * socket_receive:
 * @ret_fds: (nullable): gets up to *@n_fds fds, close-on-exec, the caller's from now on; others are closed
 * @n_fds: (nullable) (inout): the room in @ret_fds, then how many came
 *
 * Takes one packet. Returns its size, 0 at end of file, -EMSGSIZE when it does not fit (it is lost, its fds
 * closed), or another negative errno.
 */
ssize_t socket_receive(int fd, void *data, size_t size, int *ret_fds, size_t *n_fds);
