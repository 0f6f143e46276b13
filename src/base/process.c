/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes named without doubt: by pidfd, or by pid and start time where a name has to be stored. */

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/syscalls.h"

int process_read_stat(pid_t pid, char text[static PROCESS_STAT_SIZE]) {
        char path[64];
        ssize_t n;

        snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
        autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        n = read(fd, text, PROCESS_STAT_SIZE - 1);
        if (n < 0)
                return -errno;
        text[n] = '\0';
        return 0;
}

int process_start_time(pid_t pid, uint64_t *ret_ticks, char *ret_state) {
        char text[PROCESS_STAT_SIZE], *at, state = 0;
        uint64_t ticks;
        int r = process_read_stat(pid, text);

        if (r < 0)
                return r;
        at = strrchr(text, ')');
        if (!at ||
            sscanf(at + 1,
                   " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64,
                   &state, &ticks) != 2)
                return -EBADMSG;
        *ret_ticks = ticks;
        if (ret_state)
                *ret_state = state;
        return 0;
}

void process_reset_signals(void) {
        sigset_t none;

        for (int i = 1; i < NSIG; i++)
                sigaction(i, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
}

int process_open(pid_t pid, uint64_t start_ticks) {
        uint64_t ticks;
        char state;
        int r;

        if (pid <= 0)
                return -ESRCH;
        autoclose int pidfd = sys_pidfd_open(pid, 0);
        if (pidfd < 0)
                return -errno;
        r = process_start_time(pid, &ticks, &state);
        if (r < 0)
                return r;
        if ((start_ticks != 0 && ticks != start_ticks) || state == 'Z' || state == 'X')
                return -ESRCH;
        return steal_fd(&pidfd);
}

int process_signal(int pidfd, int signal_number) {
        return sys_pidfd_send_signal(pidfd, signal_number) < 0 ? -errno : 0;
}

int process_wait_exit(int pidfd, int timeout_msec) {
        struct pollfd poll_fd = {.fd = pidfd, .events = POLLIN};
        int r;

        do
                r = poll(&poll_fd, 1, timeout_msec);
        while (r < 0 && errno == EINTR);
        if (r < 0)
                return -errno;
        return r == 0 ? -ETIMEDOUT : 0;
}
