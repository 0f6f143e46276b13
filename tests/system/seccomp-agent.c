/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A small seccomp agent: seccomp-agent SOCKET STATE-FILE
 *
 * Listens, and takes one fd for notifications after the other: writes the state that came with it to
 * STATE-FILE, waits for the end of the connection, answers ENOMEDIUM to mkdir(2) and mkdirat(2), and lets
 * every other system call continue. */

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static void die(const char *what) {
        perror(what);
        exit(EXIT_FAILURE);
}

static int listen_on(const char *path) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
        if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof(address)) < 0 || listen(fd, 5) < 0)
                die(path);
        return fd;
}

static void write_state(const char *path, const char *text, size_t size) {
        FILE *file = fopen(path, "w");

        if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0)
                die(path);
}

static int receive(int fd, const char *state_path) {
        static char text[65536];
        union {
                struct cmsghdr header;
                char bytes[CMSG_SPACE(sizeof(int))];
        } control;
        struct iovec part = {.iov_base = text, .iov_len = sizeof(text)};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = sizeof(control.bytes)};
        ssize_t size = recvmsg(fd, &message, MSG_CMSG_CLOEXEC), rest;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        int notify_fd;

        if (size <= 0 || !header || header->cmsg_type != SCM_RIGHTS)
                die("no fd");
        memcpy(&notify_fd, CMSG_DATA(header), sizeof(notify_fd));
        while ((rest = read(fd, text + size, sizeof(text) - (size_t) size)) > 0)
                size += rest;
        write_state(state_path, text, (size_t) size);
        return notify_fd;
}

static void answer(int notify_fd) {
        struct seccomp_notif request = {0};
        struct seccomp_notif_resp response = {0};

        if (ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0)
                return;
        response.id = request.id;
        if (request.data.nr == SYS_mkdirat
#ifdef SYS_mkdir
            || request.data.nr == SYS_mkdir
#endif
        )
                response.error = -ENOMEDIUM;
        else
                response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int main(int argc, char **argv) {
        int listener;

        if (argc != 3)
                return EXIT_FAILURE;
        listener = listen_on(argv[1]);
        for (;;) {
                int fd = accept(listener, NULL, NULL), notify_fd = receive(fd, argv[2]);
                struct pollfd polled = {.fd = notify_fd, .events = POLLIN};

                close(fd);
                while (poll(&polled, 1, -1) > 0 && polled.revents & POLLIN)
                        answer(notify_fd);
                close(notify_fd);
        }
}
