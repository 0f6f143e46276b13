/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Packets between our own programs. Short ones are sent short: most carry no text. */

#include "protocol/message.h"

#include <errno.h>
#include <string.h>

#include "base/socket.h"

#define SHORT_SIZE offsetof(Message, failure)

int message_send(int fd, MessageType type, int32_t pid) {
        Message message;

        memset(&message, 0, SHORT_SIZE);
        message.type = type;
        message.pid = pid;
        return socket_send(fd, &message, SHORT_SIZE, NULL, 0);
}

int message_send_failure(int fd, MessageType type, const SetupFailure *failure) {
        Message message = {.type = type};

        message.failure = *failure;
        return socket_send(fd, &message, sizeof(message), NULL, 0);
}

int message_receive(int fd, Message *ret_message, int *ret_fds, size_t *n_fds) {
        ssize_t n;

        memset(ret_message, 0, sizeof(*ret_message));
        n = socket_receive(fd, ret_message, sizeof(*ret_message), ret_fds, n_fds);
        if (n <= 0)
                return (int) n;
        if (n != (ssize_t) SHORT_SIZE && n != sizeof(*ret_message))
                return -EBADMSG;
        ret_message->failure.text[sizeof(ret_message->failure.text) - 1] = '\0';
        return 1;
}
