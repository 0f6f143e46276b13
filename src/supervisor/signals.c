/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Signals as events, and what they mean. */

#include "supervisor/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"

int signals_open(void) {
        sigset_t all;

        sigfillset(&all);
        if (sigprocmask(SIG_SETMASK, &all, NULL) < 0)
                return -errno;
        int fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
        return fd < 0 ? -errno : fd;
}

int signals_take(int signal_fd, bool *ret_from_manager) {
        struct signalfd_siginfo info;

        while (read(signal_fd, &info, sizeof(info)) == sizeof(info)) {
                /* SIGCHLD is about us (we have no children), and so is a SIGPIPE of our own writing. */
                if (info.ssi_signo == SIGCHLD || info.ssi_pid == (uint32_t) getpid())
                        continue;
                if (ret_from_manager)
                        *ret_from_manager = info.ssi_pid == (uint32_t) getppid();
                return (int) info.ssi_signo;
        }
        return 0;
}

bool signals_terminates(int signal_number) {
        static const int others[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                if (signal_number == others[i])
                        return false;
        return true;
}

bool signals_means_stop(int signal_number) {
        /* SIGRTMIN+3 stops a systemd in a container, SIGPWR an LXC one, SIGABRT is systemd's watchdog. */
        const int stops[] = {SIGTERM, SIGINT, SIGQUIT, SIGABRT, SIGPWR, SIGRTMIN + 3};

        for (size_t i = 0; i < ELEMENTSOF(stops); i++)
                if (signal_number == stops[i])
                        return true;
        return false;
}
