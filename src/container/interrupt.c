/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A signal is one more event of create's and exec's loops, so that it comes between two steps, and the
 * ordinary way of a failure undoes what the steps before it have made. */

#include "container/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/signal-name.h"

bool interrupt_open(int *ret_fd, GError **error) {
        sigset_t mask;
        int fd;

        sigemptyset(&mask);
        sigaddset(&mask, SIGINT);
        sigaddset(&mask, SIGTERM);
        sigaddset(&mask, SIGHUP);
        sigprocmask(SIG_BLOCK, &mask, NULL);
        fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
        if (fd < 0)
                return fail_errno(error, errno, "cannot make a signalfd");
        *ret_fd = fd;
        return true;
}

bool interrupt_check(int fd, GError **error) {
        struct signalfd_siginfo info;
        char name[SIGNAL_NAME_SIZE];

        if (read(fd, &info, sizeof(info)) != sizeof(info))
                return true;
        return fail(error, "interrupted by %s", signal_to_name((int) info.ssi_signo, name));
}
