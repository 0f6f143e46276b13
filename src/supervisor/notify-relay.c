/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Notifications from the container. What they may say is a list: a process of the container names no
 * processes of the host (MAINPID=), and its descriptors are not passed on (FDSTORE=1; BARRIER=1, which is
 * over once it was received).
 *
 * systemd looks for the unit of a notification by its sender. We are in the container's unit, so for a caller
 * that waits, and so is in the unit which the notification is for, it is sent as from that one, as root may
 * (unix(7), SCM_CREDENTIALS). */

#include "supervisor/notify-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "protocol/state-dir.h"
#include "supervisor/notify.h"

#define TEXT_SIZE    4096 /* of a notification; systemd takes no longer ones */
#define MAINPID_SIZE 32
#define FDS_MAX      8 /* more are cut off by the kernel, and closed */

static const struct {
        const char *name; /* up to and with "=" */
        bool to_unit;     /* as well */
} assignments[] = {
        {"READY=",               false},
        {"RELOADING=",           false},
        {"STOPPING=",            false},
        {"MONOTONIC_USEC=",      false},
        {"STATUS=",              true },
        {"ERRNO=",               false},
        {"BUSERROR=",            false},
        {"WATCHDOG=",            true },
        {"WATCHDOG_USEC=",       false},
        {"EXTEND_TIMEOUT_USEC=", true },
};

/* "ADDRESS\nPID\n" */
static int parse(NotifyRelay *relay, char *text) {
        char *pid = strchr(text, '\n'), *end;
        size_t length;

        if (!pid)
                return -EBADMSG;
        *pid++ = '\0';
        relay->sender = (pid_t) strtol(pid, &end, 10);
        length = strlen(text);
        if (*end != '\n' || length == 0 || length >= sizeof(relay->to.sun_path) ||
            (text[0] != '/' && text[0] != '@'))
                return -EBADMSG;
        relay->to.sun_family = AF_UNIX;
        memcpy(relay->to.sun_path, text, length);
        if (text[0] == '@')
                relay->to.sun_path[0] = '\0';
        relay->to_size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + length + (text[0] == '/'));
        return 0;
}

/* Who runs the program may be anybody. */
static int make_socket(int dir_fd) {
        autoclose int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        struct sockaddr_un address = {.sun_family = AF_UNIX};

        if (fd < 0)
                return -errno;
        snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", dir_fd,
                 STATE_NOTIFY_DIRECTORY "/" NOTIFY_SOCKET_NAME);
        if (bind(fd, (const struct sockaddr *) &address, sizeof(address)) < 0 ||
            fchmodat(dir_fd, STATE_NOTIFY_DIRECTORY "/" NOTIFY_SOCKET_NAME, 0666, 0) < 0)
                return -errno;
        return steal_fd(&fd);
}

int notify_relay_open(NotifyRelay *relay, int dir_fd) {
        autofree char *text = NULL;
        int r = file_read(dir_fd, STATE_NOTIFY_TO, TEXT_SIZE, &text, NULL);

        *relay = (NotifyRelay){.fd = -EBADF};
        if (r == -ENOENT)
                return 0;
        if (r >= 0)
                r = parse(relay, text);
        if (r < 0)
                return r;
        relay->fd = make_socket(dir_fd);
        return relay->fd < 0 ? relay->fd : 0;
}

void notify_relay_clear(NotifyRelay *relay) {
        auto_close_fd(&relay->fd);
        relay->fd = -EBADF;
}

/* Returns the size of the text, 0 when there is none, or a negative errno. */
static ssize_t receive(int fd, char text[static TEXT_SIZE]) {
        union {
                struct cmsghdr header;
                char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
        } control;
        struct iovec part = {.iov_base = text, .iov_len = TEXT_SIZE - 1};
        struct msghdr message = {
                .msg_iov = &part,
                .msg_iovlen = 1,
                .msg_control = control.bytes,
                .msg_controllen = sizeof(control.bytes),
        };
        ssize_t n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

        if (n < 0)
                return -errno;
        for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
             header = CMSG_NXTHDR(&message, header)) {
                int fds[FDS_MAX];
                size_t size = header->cmsg_len - CMSG_LEN(0);

                if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
                        continue;
                memcpy(fds, CMSG_DATA(header), size);
                for (size_t i = 0; i < size / sizeof(int); i++)
                        close(fds[i]);
        }
        text[n] = '\0';
        return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : n;
}

static int send_as(const NotifyRelay *relay, const char *text, pid_t sender) {
        union {
                struct cmsghdr header;
                char bytes[CMSG_SPACE(sizeof(struct ucred))];
        } control = {0};
        struct ucred credentials = {.pid = sender, .uid = geteuid(), .gid = getegid()};
        struct iovec part = {.iov_base = (void *) text, .iov_len = strlen(text)};
        struct msghdr message = {.msg_name = (void *) &relay->to,
                                 .msg_namelen = relay->to_size,
                                 .msg_iov = &part,
                                 .msg_iovlen = 1};

        if (sender > 0) {
                message.msg_control = control.bytes;
                message.msg_controllen = sizeof(control.bytes);
                struct cmsghdr *header = CMSG_FIRSTHDR(&message);
                header->cmsg_level = SOL_SOCKET;
                header->cmsg_type = SCM_CREDENTIALS;
                header->cmsg_len = CMSG_LEN(sizeof(credentials));
                memcpy(CMSG_DATA(header), &credentials, sizeof(credentials));
        }
        return sendmsg(relay->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

static int send_to_caller(const NotifyRelay *relay, const char *text) {
        int r = send_as(relay, text, relay->sender);

        /* It has ended, or we may not. */
        return relay->sender > 0 && (r == -EPERM || r == -ESRCH) ? send_as(relay, text, 0) : r;
}

/* Puts what @text says into @ret_caller and @ret_unit, which are as large as it and MAINPID_SIZE. */
static void sort(char *text, const NotifyRelay *relay, pid_t init, char *ret_caller, char *ret_unit) {
        bool ready = false;
        char *line;

        *ret_caller = *ret_unit = '\0';
        while ((line = strsep(&text, "\n"))) {
                for (size_t i = 0; i < ELEMENTSOF(assignments); i++) {
                        if (strncmp(line, assignments[i].name, strlen(assignments[i].name)) != 0)
                                continue;
                        ret_caller = stpcpy(stpcpy(ret_caller, line), "\n");
                        if (assignments[i].to_unit)
                                ret_unit = stpcpy(stpcpy(ret_unit, line), "\n");
                }
                ready = ready || strcmp(line, "READY=1") == 0;
        }
        if (ready && relay->sender == 0)
                snprintf(ret_caller, MAINPID_SIZE, "MAINPID=%d\n", (int) init);
}

static int pass_on(const NotifyRelay *relay, char *text, pid_t init) {
        char caller[TEXT_SIZE + MAINPID_SIZE], unit[TEXT_SIZE + MAINPID_SIZE];
        int r = 0;

        sort(text, relay, init, caller, unit);
        if (*unit)
                r = notify_send_text(unit);
        if (*caller) {
                int to_caller = send_to_caller(relay, caller);

                r = to_caller < 0 ? to_caller : r;
        }
        return r;
}

int notify_relay_pass_on(const NotifyRelay *relay, pid_t init) {
        char text[TEXT_SIZE];
        int lost = 0;

        while (relay->fd >= 0) {
                ssize_t n = receive(relay->fd, text);
                int r = n < 0 ? (int) n : 0;

                if (n == -EAGAIN)
                        break;
                if (n < 0 && n != -EMSGSIZE)
                        return r;
                /* A NUL byte in it: nothing that anybody meant. */
                if (n > 0 && strlen(text) == (size_t) n)
                        r = pass_on(relay, text, init);
                lost = r < 0 ? r : lost;
        }
        return lost;
}

static void relay_until_end(const NotifyRelay *relay, int pidfd, pid_t init) {
        struct pollfd polled[] = {
                {.fd = pidfd,     .events = POLLIN},
                {.fd = relay->fd, .events = POLLIN}
        };

        while (polled[0].revents == 0) {
                if (poll(polled, ELEMENTSOF(polled), -1) < 0 && errno != EINTR)
                        return;
                notify_relay_pass_on(relay, init);
        }
}

int notify_relay_run(const char *state_dir, pid_t init) {
        autoclose int dir_fd = open(state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        autoclose int pidfd = sys_pidfd_open(init, 0);
        NotifyRelay relay;
        pid_t pid;
        int r;

        if (dir_fd < 0 || pidfd < 0)
                return -errno;
        r = notify_relay_open(&relay, dir_fd);
        if (r < 0)
                return r;
        relay.sender = init;
        pid = fork();
        if (pid == 0) {
                setsid();
                relay_until_end(&relay, pidfd, init);
                _exit(EXIT_SUCCESS);
        }
        r = pid < 0 ? -errno : 0;
        notify_relay_clear(&relay);
        return r;
}
