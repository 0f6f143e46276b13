/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Connections of front ends. Nothing here waits: a front end that does not read its answer loses it. */

#include "supervisor/control.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/socket.h"
#include "protocol/state-dir.h"

int control_listen(Control *control, int dir_fd) {
        control->starter = -1;
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++)
                control->connections[i] = -EBADF;
        if (unlinkat(dir_fd, STATE_SOCKET_CONTROL, 0) < 0 && errno != ENOENT)
                return -errno;
        control->listener = socket_listen(dir_fd, STATE_SOCKET_CONTROL);
        return control->listener < 0 ? control->listener : 0;
}

static void close_connection(Control *control, int index) {
        auto_close_fd(&control->connections[index]);
        control->connections[index] = -EBADF;
        if (control->starter == index)
                control->starter = -1;
}

void control_clear(Control *control) {
        auto_close_fd(&control->listener);
        control->listener = -EBADF;
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++)
                close_connection(control, i);
}

static int find_free(const Control *control) {
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++)
                if (control->connections[i] < 0)
                        return i;
        return -1;
}

void control_poll(const Control *control, struct pollfd polled[static CONTROL_N_POLL]) {
        polled[0] = (struct pollfd){.fd = find_free(control) < 0 ? -1 : control->listener, .events = POLLIN};
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++)
                polled[1 + i] = (struct pollfd){.fd = control->connections[i], .events = POLLIN};
}

void control_accept(Control *control) {
        autoclose int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        int index = find_free(control);
        uid_t uid;

        if (fd < 0 || index < 0 || socket_peer_uid(fd, &uid) < 0 || (uid != 0 && uid != geteuid()))
                return;
        control->connections[index] = steal_fd(&fd);
}

bool control_receive(Control *control, int index, MessageType *ret_type, int32_t *ret_value, int *ret_fd) {
        Message message;
        int fds[1];
        size_t n_fds = 1;
        int r = message_receive(control->connections[index], &message, fds, &n_fds);

        if (r > 0) {
                *ret_type = message.type;
                *ret_value = message.pid;
                *ret_fd = n_fds == 1 ? fds[0] : -EBADF;
                return true;
        }
        if (r != -EAGAIN)
                close_connection(control, index);
        return false;
}

void control_reply(Control *control, int index, MessageType type) {
        if (index >= 0)
                message_send(control->connections[index], type, 0);
}

void control_reply_failure(Control *control, int index, const SetupFailure *failure) {
        if (index >= 0)
                message_send_failure(control->connections[index], CONTROL_FAILED, failure);
}
