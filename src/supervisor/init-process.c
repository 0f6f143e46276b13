/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From init's exit to its status. The sources, in order of trust: the reaper's report; the kernel's word
 * after the engine has reaped init; what the zombie showed in /proc, for an engine that does not reap.
 * Waiting for the engine also keeps the unit's cgroup until the engine has looked at its memory.events. */

#include "supervisor/init-process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/process.h"
#include "supervisor/exit-status.h"

#define PATIENCE_USEC INT64_C(10000000)
#define HASTE_USEC    INT64_C(100000)

static int64_t now_usec(void) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* "Pid:" in our own PID namespace; -1 when the process is gone. See pidfd_open(2). */
static int read_pid(int pidfd, pid_t *ret) {
        char path[64], text[1024];
        ssize_t n;

        snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
        autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        n = read(fd, text, sizeof(text) - 1);
        if (n < 0)
                return -errno;
        text[n] = '\0';
        const char *line = strstr(text, "\nPid:");
        if (!line)
                return -EBADF;
        *ret = atoi(line + strlen("\nPid:"));
        return 0;
}

int init_process_take(InitProcess *init, int pidfd, int reaper_fd) {
        *init = (InitProcess){.pidfd = pidfd, .reaper_fd = reaper_fd};
        return read_pid(pidfd, &init->pid);
}

void init_process_clear(InitProcess *init) {
        auto_close_fd(&init->pidfd);
        auto_close_fd(&init->reaper_fd);
}

void init_process_name(const InitProcess *init, char name[static INIT_NAME_SIZE]) {
        /* Still the same process, not a later one with its pid. */
        if (process_get_name(init->pid, name) < 0 || process_signal(init->pidfd, 0) < 0)
                strcpy(name, "?");
}

void init_process_poll(const InitProcess *init, struct pollfd polled[static INIT_N_POLL], int *timeout_msec) {
        /* After the exit POLLIN stays; what is waited for then is POLLHUP, which needs no asking. */
        polled[0] = (struct pollfd){.fd = init->pidfd, .events = init->exited ? 0 : POLLIN};
        polled[1] = (struct pollfd){.fd = init->reaper_fd, .events = POLLIN};
        if (init->exited) {
                int64_t left_msec = (init->deadline_usec - now_usec()) / 1000 + 1;

                if (left_msec < 0)
                        left_msec = 0;
                if (*timeout_msec < 0 || left_msec < *timeout_msec)
                        *timeout_msec = (int) left_msec;
        }
}

/* Returns 1 when the reaper has told, 0 when it hasn't (yet). */
static int hear_reaper(InitProcess *init, ExitReport *ret) {
        ExitReport report;
        ssize_t n = recv(init->reaper_fd, &report, sizeof(report), MSG_DONTWAIT);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return 0;
        /* Without a report the reaper was killed; the pidfd is still there. */
        auto_close_fd(&init->reaper_fd);
        init->reaper_fd = -EBADF;
        if (n != sizeof(report))
                return 0;
        *ret = report;
        return 1;
}

int init_process_step(InitProcess *init, const struct pollfd polled[static INIT_N_POLL], ExitReport *ret) {
        int r;

        if (init->reaper_fd >= 0 && polled[1].revents != 0 && hear_reaper(init, ret) > 0)
                return 1;
        if (polled[0].revents != 0 && !init->exited) {
                init->exited = true;
                init->deadline_usec = now_usec() + (init->hasty ? HASTE_USEC : PATIENCE_USEC);
        }
        if (!init->exited)
                return 0;
        if (init->peeked.code == 0)
                exit_status_from_zombie(init->pid, init->pidfd, &init->peeked);
        r = exit_status_from_pidfd(init->pidfd, ret);
        if (r >= 0)
                return 1;
        /* The reaper needs a moment; the engine may need more. A kernel that will never tell is not waited
         * for, nor one where init was reaped and nothing is known. */
        if (now_usec() < init->deadline_usec && (init->reaper_fd >= 0 || r == -EAGAIN))
                return 0;
        *ret = init->peeked;
        return 1;
}
