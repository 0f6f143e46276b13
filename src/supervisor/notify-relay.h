/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* The program's notifications (sd_notify(3)) on their way to whom the caller of `create` named in
 * NOTIFY_SOCKET, and as far as they make sense there to the container's own unit. The socket is in the state
 * directory, and reached in the container at NOTIFY_DESTINATION. */

typedef struct NotifyRelay {
        int fd; /* -EBADF: the caller has no NOTIFY_SOCKET */
        struct sockaddr_un to;
        socklen_t to_size;
        pid_t sender; /* as whom to send; 0: ourselves */
} NotifyRelay;

/**
 * notify_relay_open:
 * @dir_fd: the state directory
 * Makes the socket, if STATE_NOTIFY_TO says where to. Returns 0 or a negative errno. Release with
 * notify_relay_clear().
 */
int notify_relay_open(NotifyRelay *relay, int dir_fd);
void notify_relay_clear(NotifyRelay *relay);

/**
 * notify_relay_pass_on:
 * @init: the container's init, which readiness is told with, unless somebody else is the caller's main
 * process Passes on what has come. Never waits. Returns 0, or a negative errno if something was lost.
 */
int notify_relay_pass_on(const NotifyRelay *relay, pid_t init);

/**
 * notify_relay_run:
 * @init: as which everything is sent
 * Goes on in a process of its own until @init is gone. Returns, in the caller, 0 when that process takes
 * notifications, or a negative errno.
 */
int notify_relay_run(const char *state_dir, pid_t init);
