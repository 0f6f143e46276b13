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

/* What would end or stop us is the container's; SIGCHLD wakes us. */
static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};

static void fill_mask(sigset_t *mask) {
        sigemptyset(mask);
        sigaddset(mask, SIGCHLD);
        for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++)
                sigaddset(mask, passed_on[i]);
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

bool foreground_wait(const Container *container, int timeout_msec, int *ret_status, GError **error) {
        autoclose int pidfd = process_open(container->facts->pid, container->facts->start_ticks);

        return foreground_wait_process(container->facts->pid, pidfd, timeout_msec, ret_status, error) ||
               fail_prefix(error, "container '%s'", container->dir->id);
}

bool foreground_wait_process(pid_t pid, int pidfd, int timeout_msec, int *ret_status, GError **error) {
        autoclose int signals = -EBADF;
        gint64 until = g_get_monotonic_time() / 1000 + timeout_msec;
        sigset_t mask;
        int r;

        fill_mask(&mask);
        signals = signalfd(-1, &mask, SFD_CLOEXEC);
        if (signals < 0)
                return fail_errno(error, errno, "cannot make a signalfd");
        while ((r = reap(pid, ret_status)) == 0) {
                struct pollfd wait = {.fd = signals, .events = POLLIN};
                gint64 left = until - g_get_monotonic_time() / 1000;
                struct signalfd_siginfo info;

                *ret_status = -1;
                if (timeout_msec >= 0 && left <= 0)
                        return true;
                if (poll(&wait, 1, timeout_msec < 0 ? -1 : (int) left) <= 0 ||
                    read(signals, &info, sizeof(info)) != sizeof(info))
                        continue;
                if (info.ssi_signo != SIGCHLD && pidfd >= 0)
                        process_signal(pidfd, (int) info.ssi_signo);
        }
        return r > 0 || fail_errno(error, r, "cannot wait for process %d", (int) pid);
}
