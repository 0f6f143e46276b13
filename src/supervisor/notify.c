/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The notification socket: a datagram with assignments; BARRIER=1 comes alone and carries the write end of a
 * pipe, which the manager closes when it gets there. */

#include "supervisor/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"

/* Returns 1, or 0 when there is no socket. */
static int find_socket(struct sockaddr_un *ret_address, socklen_t *ret_size) {
        const char *path = getenv("NOTIFY_SOCKET");
        size_t length = path ? strlen(path) : 0;

        if (length == 0)
                return 0;
        /* systemd's other kind, vsock:, is for managers of virtual machines. */
        if (path[0] != '/' && path[0] != '@')
                return -EAFNOSUPPORT;
        if (length >= sizeof(ret_address->sun_path))
                return -ENAMETOOLONG;
        *ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
        memcpy(ret_address->sun_path, path, length);
        if (path[0] == '@')
                ret_address->sun_path[0] = '\0';
        /* A path is sent with its NUL byte, an abstract name ends with the address. */
        *ret_size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + length + (path[0] == '/'));
        return 1;
}

/* @fd: sent along unless negative. */
static int send_text(const char *text, size_t size, int fd) {
        struct sockaddr_un address;
        socklen_t address_size;
        int r = find_socket(&address, &address_size);
        union {
                struct cmsghdr header;
                char bytes[CMSG_SPACE(sizeof(int))];
        } control = {0};
        struct iovec part = {.iov_base = (void *) text, .iov_len = size};
        struct msghdr message = {.msg_name = &address, .msg_iov = &part, .msg_iovlen = 1};

        if (r <= 0)
                return r;
        autoclose int socket_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (socket_fd < 0)
                return -errno;
        message.msg_namelen = address_size;
        if (fd >= 0) {
                message.msg_control = control.bytes;
                message.msg_controllen = sizeof(control.bytes);
                struct cmsghdr *header = CMSG_FIRSTHDR(&message);
                header->cmsg_level = SOL_SOCKET;
                header->cmsg_type = SCM_RIGHTS;
                header->cmsg_len = CMSG_LEN(sizeof(int));
                memcpy(CMSG_DATA(header), &fd, sizeof(int));
        }
        return sendmsg(socket_fd, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int notify_send(const char *format, ...) {
        char text[512];
        va_list arguments;

        va_start(arguments, format);
        int n = vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        if (n < 0 || (size_t) n >= sizeof(text))
                return -EMSGSIZE;
        return send_text(text, (size_t) n, -EBADF);
}

int notify_send_text(const char *text) {
        return send_text(text, strlen(text), -EBADF);
}

int notify_wait_processed(int timeout_msec) {
        static const char barrier[] = "BARRIER=1";
        int ends[2], r;

        if (!getenv("NOTIFY_SOCKET"))
                return 0;
        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        autoclose int read_end = ends[0];
        r = send_text(barrier, strlen(barrier), ends[1]);
        close(ends[1]);
        if (r < 0)
                return r;
        struct pollfd wait = {.fd = read_end, .events = POLLIN};
        do
                r = poll(&wait, 1, timeout_msec);
        while (r < 0 && errno == EINTR);
        return r < 0 ? -errno : r == 0 ? -ETIMEDOUT : 0;
}
