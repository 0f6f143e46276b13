/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* console SOCKET: the engine's end of a container's terminal. Listens at SOCKET, takes one connection and one
 * message with the terminal's master on it, says "ROWSxCOLUMNS" of it in the first line of output, and then
 * passes stdin to the terminal and what the terminal shows to stdout, until its last user has gone. If it is
 * a pidfd that comes instead, it says "pid N" and waits for the end of that process. */

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listen_at(const char *path) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        int fd;

        if (strlen(path) >= sizeof address.sun_path)
                errx(EXIT_FAILURE, "%s is too long for a socket", path);
        strcpy(address.sun_path, path);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof address) < 0 || listen(fd, 1) < 0)
                err(EXIT_FAILURE, "%s", path);
        return fd;
}

static int receive_fd(int socket_fd) {
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(8 * sizeof(int))];
        } control = {0};
        char payload[4096];
        struct iovec iov = {payload, sizeof payload};
        struct msghdr message = {
                .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        struct cmsghdr *header;
        int fd;

        if (recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC) <= 0)
                errx(EXIT_FAILURE, "the message has no payload");
        header = CMSG_FIRSTHDR(&message);
        if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof fd))
                errx(EXIT_FAILURE, "the message does not carry exactly one descriptor");
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
        return fd;
}

/* pass: returns 0 once @from has no more to give */
static int pass(int from, int to) {
        char buffer[4096];
        ssize_t n = read(from, buffer, sizeof buffer);

        if (n <= 0)
                return 0;
        for (ssize_t done = 0; done < n;) {
                ssize_t w = write(to, buffer + done, n - done);

                if (w < 0)
                        err(EXIT_FAILURE, "write");
                done += w;
        }
        return 1;
}

/* The process may be gone already: then it says "pid -1". */
static int is_pidfd(int fd) {
        char path[64], line[128];
        int pid, found = 0;
        FILE *file;

        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
        file = fopen(path, "re");
        if (file == NULL)
                err(EXIT_FAILURE, "%s", path);
        while (fgets(line, sizeof line, file) != NULL)
                if (sscanf(line, "Pid: %d", &pid) == 1)
                        found = dprintf(STDOUT_FILENO, "pid %d\n", pid);
        fclose(file);
        return found;
}

int main(int argc, char **argv) {
        struct winsize size;
        int listen_fd, connection_fd, master_fd;

        if (argc != 2)
                errx(2, "usage: console SOCKET");
        listen_fd = listen_at(argv[1]);
        connection_fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
        if (connection_fd < 0)
                err(EXIT_FAILURE, "accept");
        master_fd = receive_fd(connection_fd);
        if (is_pidfd(master_fd))
                return poll(&(struct pollfd){master_fd, POLLIN, 0}, 1, -1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
        if (ioctl(master_fd, TIOCGWINSZ, &size) < 0)
                err(EXIT_FAILURE, "the descriptor is no terminal");
        dprintf(STDOUT_FILENO, "%ux%u\n", size.ws_row, size.ws_col);

        struct pollfd fds[] = {
                {master_fd,    POLLIN, 0},
                {STDIN_FILENO, POLLIN, 0}
        };
        for (;;) {
                if (poll(fds, 2, -1) < 0 && errno != EINTR)
                        err(EXIT_FAILURE, "poll");
                if (fds[0].revents != 0 && !pass(master_fd, STDOUT_FILENO))
                        return EXIT_SUCCESS;
                if (fds[1].revents != 0 && !pass(STDIN_FILENO, master_fd))
                        fds[1].fd = -1;
        }
}
