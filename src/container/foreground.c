/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Waiting for the container's init as an engine does: as the parent that reaps it. */

#include "container/foreground.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/process.h"

/* Every signal is the container's but these: they are about us. */
static const int own[] = {
        SIGTSTP, SIGTTIN, SIGTTOU, /* the shell's job control: the container goes on */
        SIGILL,  SIGTRAP, SIGBUS,  SIGFPE, SIGSEGV, SIGSYS, /* our own faults */
        SIGPROF,                                            /* profilers run us with it */
};

static bool is_passed_on(int signal) {
        return signal != SIGCHLD && signal != SIGPIPE;
}

static void fill_mask(sigset_t *mask) {
        sigfillset(mask);
        for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
                sigdelset(mask, own[i]);
}

bool foreground_prepare(GError **error) {
        if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
                return fail_errno(error, errno, "cannot become a subreaper");
        return foreground_block_signals(error);
}

bool foreground_block_signals(GError **error) {
        sigset_t mask;

        fill_mask(&mask);
        return sigprocmask(SIG_BLOCK, &mask, NULL) < 0 ? fail_errno(error, errno, "cannot block signals")
                                                       : true;
}

/* Reaps whatever has ended. Returns 1 with @ret_status when init was among it, 0 when not yet, or a negative
 * errno. */
static int reap(pid_t init, int *ret_status) {
        for (;;) {
                int status;
                pid_t pid = waitpid(-1, &status, WNOHANG);

                if (pid == 0)
                        return 0;
                if (pid < 0)
                        return errno == EINTR ? 0 : -errno;
                if (pid != init)
                        continue;
                *ret_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
                return 1;
        }
}

bool foreground_wait(const Container *container, Terminal *terminal, int timeout_msec, int *ret_status,
                     GError **error) {
        autoclose int pidfd = process_open(container->facts->pid, container->facts->start_ticks);

        return foreground_wait_process(container->facts->pid, pidfd, terminal, timeout_msec, ret_status,
                                       error) ||
               fail_prefix(error, "container '%s'", container->dir->id);
}

static void take_signal(int signals, int pidfd, Terminal *terminal) {
        struct signalfd_siginfo info;

        if (read(signals, &info, sizeof(info)) != sizeof(info) || !is_passed_on((int) info.ssi_signo) ||
            (terminal && terminal_signal(terminal, (int) info.ssi_signo)))
                return;
        if (pidfd >= 0)
                process_signal(pidfd, (int) info.ssi_signo);
}

/* Until something has happened, and deals with it. */
static void wait_for_event(int signals, int pidfd, Terminal *terminal, int timeout_msec) {
        struct pollfd polled[1 + TERMINAL_POLLED] = {
                {.fd = signals, .events = POLLIN}
        };

        if (terminal)
                terminal_poll(terminal, polled + 1);
        if (poll(polled, terminal ? G_N_ELEMENTS(polled) : 1, timeout_msec) <= 0)
                return;
        if (polled[0].revents != 0)
                take_signal(signals, pidfd, terminal);
        if (terminal)
                terminal_pass(terminal, polled + 1);
}

bool foreground_wait_process(pid_t pid, int pidfd, Terminal *terminal, int timeout_msec, int *ret_status,
                             GError **error) {
        autoclose int signals = -EBADF;
        gint64 until = g_get_monotonic_time() / 1000 + timeout_msec;
        sigset_t mask;
        int r;

        fill_mask(&mask);
        signals = signalfd(-1, &mask, SFD_CLOEXEC);
        if (signals < 0)
                return fail_errno(error, errno, "cannot make a signalfd");
        if (terminal)
                terminal_begin(terminal);
        while ((r = reap(pid, ret_status)) == 0) {
                gint64 left = until - g_get_monotonic_time() / 1000;

                *ret_status = -1;
                if (timeout_msec >= 0 && left <= 0)
                        return true;
                wait_for_event(signals, pidfd, terminal, timeout_msec < 0 ? -1 : (int) left);
        }
        if (terminal)
                terminal_end(terminal, signals);
        return r > 0 || fail_errno(error, r, "cannot wait for process %d", (int) pid);
}
