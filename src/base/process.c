/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes named without doubt: by pidfd, or by pid and start time where a name has to be stored. */

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/syscalls.h"

/* From linux/sched.h; proc(5), field 9 of stat. */
#define PF_EXITING  0x00000004
#define PF_SIGNALED 0x00000400

static int read_file(pid_t pid, const char *name, char *ret_text, size_t size) {
        char path[64];
        ssize_t n;

        snprintf(path, sizeof(path), "/proc/%d/%s", (int) pid, name);
        autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        n = read(fd, ret_text, size - 1);
        if (n < 0)
                return -errno;
        ret_text[n] = '\0';
        return 0;
}

int process_read_stat(pid_t pid, char text[static PROCESS_STAT_SIZE]) {
        return read_file(pid, "stat", text, PROCESS_STAT_SIZE);
}

static int parse_stat(pid_t pid, char *ret_state, unsigned *ret_flags, uint64_t *ret_ticks) {
        char text[PROCESS_STAT_SIZE], *at;
        int r = process_read_stat(pid, text);

        if (r < 0)
                return r;
        at = strrchr(text, ')');
        if (!at ||
            sscanf(at + 1,
                   " %c %*s %*s %*s %*s %*s %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64,
                   ret_state, ret_flags, ret_ticks) != 3)
                return -EBADMSG;
        return 0;
}

int process_start_time(pid_t pid, uint64_t *ret_ticks) {
        unsigned flags;
        char state;

        return parse_stat(pid, &state, &flags, ret_ticks);
}

/* Whether one of the sets of pending signals has SIGKILL: the thread's own, and the process'. */
static bool has_sigkill(const char *status) {
        static const char *const sets[] = {"\nSigPnd:", "\nShdPnd:"};

        for (size_t i = 0; i < ELEMENTSOF(sets); i++) {
                const char *at = strstr(status, sets[i]);

                if (at && strtoull(at + strlen(sets[i]), NULL, 16) & (1ULL << (SIGKILL - 1)))
                        return true;
        }
        return false;
}

bool process_is_ending(pid_t pid) {
        char status[16384], state; /* a long list of groups comes first */
        unsigned flags;
        uint64_t ticks;

        /* In this order: a SIGKILL that has left the set is in the flags. */
        if (read_file(pid, "status", status, sizeof(status)) < 0)
                return false;
        if (has_sigkill(status))
                return true;
        /* A zombie that leads threads has only ended its first one. */
        return parse_stat(pid, &state, &flags, &ticks) >= 0 && state != 'Z' &&
               flags & (PF_EXITING | PF_SIGNALED);
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
        int r;

        if (pid <= 0)
                return -ESRCH;
        autoclose int pidfd = sys_pidfd_open(pid, 0);
        if (pidfd < 0)
                return -errno;
        r = process_start_time(pid, &ticks);
        if (r < 0)
                return r;
        /* Not by its state: a process whose first thread has ended is a zombie there, and lives. */
        if ((start_ticks != 0 && ticks != start_ticks) || process_wait_exit(pidfd, 0) >= 0)
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

void process_reap(pid_t pid) {
        while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                ;
}

int process_get_name(pid_t pid, char ret_name[static PROCESS_NAME_SIZE]) {
        char path[64];
        ssize_t n;

        snprintf(path, sizeof(path), "/proc/%d/comm", (int) pid);
        autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        n = read(fd, ret_name, PROCESS_NAME_SIZE - 1);
        while (n > 0 && ret_name[n - 1] == '\n')
                n--;
        if (n <= 0)
                return n < 0 ? -errno : -ENODATA;
        ret_name[n] = '\0';
        for (char *at = ret_name; *at; at++)
                if (*at < ' ' || *at > '~')
                        *at = '?';
        return 0;
}
