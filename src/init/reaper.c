/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reaper lives as long as the container, so it keeps nothing: no fds but the one it reports on, no
 * directory. Signals sent to the engine's process group are not meant for it. */

#include "init/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "protocol/message.h"

#define OOM_SCORE_ADJ "/proc/self/oom_score_adj"

int reaper_get_oom_score_adj(void) {
        autofree char *text = NULL;

        return file_read(AT_FDCWD, OOM_SCORE_ADJ, 64, &text, NULL) < 0 ? 0 : atoi(text);
}

static void close_all_but(int fd) {
        if (fd > 0)
                syscall(SYS_close_range, 0, fd - 1, 0);
        syscall(SYS_close_range, fd + 1, ~0U, 0);
}

void reaper_run(int fd, pid_t pid, int oom_score_adj) {
        siginfo_t info = {0};
        sigset_t all;
        char text[16];
        int r;

        prctl(PR_SET_NAME, "unitrun-reaper");
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        snprintf(text, sizeof(text), "%d", oom_score_adj);
        file_write(AT_FDCWD, OOM_SCORE_ADJ, text);
        setsid();
        if (chdir("/") < 0)
                _exit(EXIT_FAILURE);
        close_all_but(fd);

        do
                r = waitid(P_PID, (id_t) pid, &info, WEXITED | WNOWAIT);
        while (r < 0 && errno == EINTR);
        if (r == 0) {
                ExitReport report = {.code = info.si_code, .status = info.si_status};

                socket_send(fd, &report, sizeof(report), NULL, 0);
        }
        _exit(r == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
