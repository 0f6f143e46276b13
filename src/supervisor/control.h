/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <stdbool.h>

#include "protocol/message.h"

/* The socket on which later commands reach the supervisor: a listener and the few connections open at a time.
 * One of them, the starter's, has a meaning of its own, see protocol/message.h. */

#define CONTROL_MAX_CONNECTIONS 16
#define CONTROL_N_POLL          (1 + CONTROL_MAX_CONNECTIONS)

typedef struct Control {
        int listener;
        int connections[CONTROL_MAX_CONNECTIONS]; /* -EBADF: free */
        int starter;                              /* index of the connection that has started, or -1 */
} Control;

/**
 * control_listen:
 * Binds STATE_SOCKET_CONTROL in @dir_fd, in place of one that a dead supervisor left. Returns 0 or a negative
 * errno. Release with control_clear(), which leaves the name.
 */
int control_listen(Control *control, int dir_fd);
void control_clear(Control *control);

/**
 * control_poll:
 * Fills in what has to be waited for. While all connections are taken new ones wait in the backlog.
 */
void control_poll(const Control *control, struct pollfd polled[static CONTROL_N_POLL]);

/**
 * control_accept:
 * Takes a new connection; one of another user than ours or root is closed at once.
 */
void control_accept(Control *control);

/**
 * control_receive:
 * @ret_fd: the fd that came along, the caller's from now on, or -EBADF
 * Takes a message from connection @index, and closes the connection if it has ended or makes no sense.
 * Returns whether @ret_type, @ret_value with the message's pid, and @ret_fd are set.
 */
bool control_receive(Control *control, int index, MessageType *ret_type, int32_t *ret_value, int *ret_fd);

/**
 * control_reply, control_reply_failure:
 * Answer connection @index (nothing is done for -1 or one that has ended).
 */
void control_reply(Control *control, int index, MessageType type);
void control_reply_failure(Control *control, int index, const SetupFailure *failure);
