/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The exit status of a process without being its parent. Seen on Linux 6.18: at exit the pidfd gets POLLIN,
 * and PIDFD_GET_INFO still answers without PIDFD_INFO_EXIT; once the parent has reaped, a waiter on the pidfd
 * wakes with POLLHUP and the mask has the exit information (which is in waitpid(2)'s form). */

#include "supervisor/exit-status.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/syscalls.h"

#define STAT_FIELD_STATE     3
#define STAT_FIELD_EXIT_CODE 52

static ExitReport from_wait_status(int wait_status) {
        if (WIFEXITED(wait_status))
                return (ExitReport){.code = CLD_EXITED, .status = WEXITSTATUS(wait_status)};
        return (ExitReport){
                .code = WCOREDUMP(wait_status) ? CLD_DUMPED : CLD_KILLED,
                .status = WTERMSIG(wait_status),
        };
}

int exit_status_from_pidfd(int pidfd, ExitReport *ret) {
        struct pidfd_info_v0 info = {.mask = SYS_PIDFD_INFO_EXIT};

        /* Before 6.13 there is no such ioctl (ENOTTY); up to 6.14 it finds no process once it was reaped. */
        if (ioctl(pidfd, SYS_PIDFD_GET_INFO, &info) < 0)
                return -EOPNOTSUPP;
        if (!(info.mask & SYS_PIDFD_INFO_EXIT))
                return -EAGAIN;
        *ret = from_wait_status(info.exit_code);
        return 0;
}

/* The kernel shows 0 instead of exit_code to who may not trace the process (PTRACE_MODE_READ_FSCREDS in
 * ptrace(2)). Links in /proc/PID/ns are behind the same check, and a zombie still has its user namespace. */
static bool may_trace(pid_t pid) {
        char path[64], target[64];

        snprintf(path, sizeof(path), "/proc/%d/ns/user", (int) pid);
        return readlink(path, target, sizeof(target)) > 0;
}

/* Splits what follows the command name, "(NAME) Z 1 …". */
static int parse_stat(char *text, ExitReport *ret) {
        char *at = strrchr(text, ')'), *rest;
        int field = STAT_FIELD_STATE;

        if (!at)
                return -EBADMSG;
        for (char *word = strtok_r(at + 1, " \n", &rest); word;
             word = strtok_r(NULL, " \n", &rest), field++) {
                if (field == STAT_FIELD_STATE && word[0] != 'Z')
                        return -ESRCH;
                if (field == STAT_FIELD_EXIT_CODE) {
                        *ret = from_wait_status(atoi(word));
                        return 0;
                }
        }
        return -EBADMSG;
}

int exit_status_from_zombie(pid_t pid, int pidfd, ExitReport *ret) {
        char text[PROCESS_STAT_SIZE];
        ExitReport report;
        int r = process_read_stat(pid, text);

        if (r < 0)
                return r;
        if (!may_trace(pid))
                return -EACCES;
        r = parse_stat(text, &report);
        /* Signal 0 reaches zombies too: all that was read was of this process, not of a later one. */
        if (r >= 0)
                r = process_signal(pidfd, 0);
        if (r >= 0)
                *ret = report;
        return r;
}

void exit_status_describe(const ExitReport *status, char *text, size_t size) {
        char name[SIGNAL_NAME_SIZE];

        if (status->code == CLD_EXITED)
                snprintf(text, size, "Exited with status %d", status->status);
        else if (status->code == CLD_KILLED || status->code == CLD_DUMPED)
                snprintf(text, size, "Killed by %s", signal_to_name(status->status, name));
        else
                snprintf(text, size, "Ended with an unknown status");
}

static void die_by(int signal_number) {
        sigset_t set;

        /* A core_pattern with a pipe does not care for RLIMIT_CORE, but undumpable processes are left out. */
        prctl(PR_SET_DUMPABLE, 0);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        sigaction(signal_number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        kill(getpid(), signal_number);
        sigemptyset(&set);
        sigaddset(&set, signal_number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void exit_status_adopt(const ExitReport *status) {
        if (status->code == CLD_EXITED)
                exit(status->status);
        if (status->code != CLD_KILLED && status->code != CLD_DUMPED)
                exit(255);
        die_by(status->status);
        exit(128 + status->status);
}
