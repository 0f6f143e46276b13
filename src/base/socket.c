/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Packets with descriptors over AF_UNIX sockets, see unix(7). */

#include "base/socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"

static int make_address(int dir_fd, const char *name, struct sockaddr_un *ret) {
        *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
        int n = snprintf(ret->sun_path, sizeof(ret->sun_path), "/proc/self/fd/%d/%s", dir_fd, name);

        return n < 0 || (size_t) n >= sizeof(ret->sun_path) ? -ENAMETOOLONG : 0;
}

int socket_listen(int dir_fd, const char *name) {
        struct sockaddr_un address;
        int r = make_address(dir_fd, name, &address);

        if (r < 0)
                return r;
        autoclose int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof(address)) < 0 || listen(fd, 16) < 0)
                return -errno;
        return steal_fd(&fd);
}

int socket_connect(int dir_fd, const char *name) {
        struct sockaddr_un address;
        int r = make_address(dir_fd, name, &address);

        if (r < 0)
                return r;
        autoclose int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0)
                return -errno;
        return steal_fd(&fd);
}

int socket_peer_uid(int fd, uid_t *ret_uid) {
        struct ucred credentials;
        socklen_t size = sizeof(credentials);

        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
                return -errno;
        *ret_uid = credentials.uid;
        return 0;
}

typedef union ControlBuffer {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * SOCKET_MAX_FDS)];
} ControlBuffer;

int socket_send(int fd, const void *data, size_t size, const int *fds, size_t n_fds) {
        ControlBuffer control = {0};
        struct iovec part = {.iov_base = (void *) data, .iov_len = size};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        ssize_t n;

        if (n_fds > SOCKET_MAX_FDS)
                return -EINVAL;
        if (n_fds > 0) {
                message.msg_control = control.bytes;
                message.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
                struct cmsghdr *header = CMSG_FIRSTHDR(&message);
                header->cmsg_level = SOL_SOCKET;
                header->cmsg_type = SCM_RIGHTS;
                header->cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
                memcpy(CMSG_DATA(header), fds, sizeof(int) * n_fds);
        }
        do
                n = sendmsg(fd, &message, MSG_NOSIGNAL);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return (size_t) n == size ? 0 : -EMSGSIZE;
}

/* Takes the fds of @message into @ret_fds; closes what has no room, or all when @wanted is 0. */
static size_t take_fds(struct msghdr *message, int *ret_fds, size_t wanted) {
        size_t n = 0;

        for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
                if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
                        continue;
                size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
                for (size_t i = 0; i < came; i++) {
                        int fd;
                        memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
                        if (n < wanted)
                                ret_fds[n++] = fd;
                        else
                                close(fd);
                }
        }
        return n;
}

ssize_t socket_receive(int fd, void *data, size_t size, int *ret_fds, size_t *n_fds) {
        ControlBuffer control;
        struct iovec part = {.iov_base = data, .iov_len = size};
        struct msghdr message = {
                .msg_iov = &part,
                .msg_iovlen = 1,
                .msg_control = control.bytes,
                .msg_controllen = sizeof(control),
        };
        size_t wanted = n_fds ? *n_fds : 0;
        ssize_t n;

        do
                n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
                take_fds(&message, NULL, 0);
                return -EMSGSIZE;
        }
        size_t came = take_fds(&message, ret_fds, wanted);
        if (n_fds)
                *n_fds = came;
        return n;
}
