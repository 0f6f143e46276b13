/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Moves bytes from a pipe to a socket without looking at them (splice(2)): no memory of ours is needed, and
 * the pipe itself is the buffer. */

#include "supervisor/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"

#define CHUNK_SIZE  ((size_t) 64 << 10)
#define LAST_CHUNKS 32 /* what a process that outlives init goes on to write is not waited for */
#define FINISH_MSEC 2000
#define LOOK_NSEC   200000

void relay_init(Relay *relay) {
        for (size_t i = 0; i < ELEMENTSOF(relay->streams); i++)
                relay->streams[i] = (RelayStream){.pipe_fd = -EBADF, .journal_fd = -EBADF};
}

void relay_clear(Relay *relay) {
        for (size_t i = 0; i < ELEMENTSOF(relay->streams); i++) {
                close_clear(&relay->streams[i].pipe_fd);
                close_clear(&relay->streams[i].journal_fd);
        }
}

static void make_nonblocking(int fd) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void relay_take(Relay *relay, const int fds[static 4]) {
        relay_clear(relay);
        for (size_t i = 0; i < ELEMENTSOF(relay->streams); i++) {
                relay->streams[i] = (RelayStream){.pipe_fd = fds[2 * i], .journal_fd = fds[2 * i + 1]};
                make_nonblocking(fds[2 * i]);
                make_nonblocking(fds[2 * i + 1]);
        }
}

void relay_poll(const Relay *relay, struct pollfd polled[static RELAY_N_POLL]) {
        for (size_t i = 0; i < RELAY_N_POLL; i++) {
                const RelayStream *stream = &relay->streams[i];

                polled[i] = (struct pollfd){.fd = stream->pipe_fd, .events = POLLIN};
                if (stream->pipe_fd >= 0 && stream->full)
                        polled[i] = (struct pollfd){.fd = stream->journal_fd, .events = POLLOUT};
        }
}

/* Returns what was moved, 0 when nothing is to be had just now or ever again. */
static ssize_t move(RelayStream *stream) {
        ssize_t n = splice(stream->pipe_fd, NULL, stream->journal_fd, NULL, CHUNK_SIZE, SPLICE_F_NONBLOCK);
        int waiting = 0;

        if (n > 0)
                return n;
        if (n < 0 && errno == EINTR)
                return 0;
        if (n < 0 && errno == EAGAIN) {
                stream->full = ioctl(stream->pipe_fd, FIONREAD, &waiting) == 0 && waiting > 0;
                return 0;
        }
        if (n == 0) {
                close_clear(&stream->pipe_fd);
                return 0;
        }
        /* A journal that is gone must not take the program with it. */
        close_clear(&stream->journal_fd);
        stream->journal_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (stream->journal_fd < 0)
                close_clear(&stream->pipe_fd);
        return 0;
}

void relay_step(Relay *relay, const struct pollfd polled[static RELAY_N_POLL]) {
        for (size_t i = 0; i < RELAY_N_POLL; i++) {
                if (polled[i].revents == 0)
                        continue;
                relay->streams[i].full = false;
                move(&relay->streams[i]);
        }
}

static int64_t now_msec(void) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void move_rest(RelayStream *stream, int64_t deadline_msec) {
        for (int chunks = 0; stream->pipe_fd >= 0 && chunks < LAST_CHUNKS;) {
                struct pollfd polled = {.fd = stream->journal_fd, .events = POLLOUT};
                int64_t left_msec = deadline_msec - now_msec();

                stream->full = false;
                if (move(stream) > 0)
                        chunks++;
                else if (!stream->full || left_msec <= 0 || poll(&polled, 1, (int) left_msec) <= 0)
                        break;
        }
}

/* The kernel has no event for it, and it is a matter of microseconds. */
static void wait_read(int fd, int64_t deadline_msec) {
        int unread = 0;

        while (ioctl(fd, SIOCOUTQ, &unread) == 0 && unread > 0 && now_msec() < deadline_msec)
                nanosleep(&(struct timespec){.tv_nsec = LOOK_NSEC}, NULL);
}

/* When the journal reads an empty line, which it does not log, it has dealt with everything before it. */
static void wait_processed(int fd, int64_t deadline_msec) {
        wait_read(fd, deadline_msec);
        if (send(fd, "\n", 1, MSG_NOSIGNAL) == 1)
                wait_read(fd, deadline_msec);
}

void relay_finish(Relay *relay) {
        int64_t deadline_msec = now_msec() + FINISH_MSEC;

        for (size_t i = 0; i < ELEMENTSOF(relay->streams); i++)
                move_rest(&relay->streams[i], deadline_msec);
        for (size_t i = 0; i < ELEMENTSOF(relay->streams); i++)
                if (relay->streams[i].journal_fd >= 0)
                        wait_processed(relay->streams[i].journal_fd, deadline_msec);
}
