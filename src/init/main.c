/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-init FD: carries out the plan that stands in the image on FD. Started by container/spawn.c and by
 * nobody else. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/image.h"
#include "base/process.h"
#include "init/plan.h"
#include "init/stage.h"

/* At once, so that no process of the container's keeps those of the caller. */
static int take_stdio(const InitPlan *plan) {
        for (int fd = 0; fd <= 2; fd++) {
                if (plan->stdio_fds[fd] < 0)
                        continue;
                if (dup2(plan->stdio_fds[fd], fd) < 0)
                        return -errno;
                close(plan->stdio_fds[fd]);
        }
        return 0;
}

static int parse_fd(const char *text) {
        char *end;
        long value = strtol(text, &end, 10);

        return *text == '\0' || *end != '\0' || value < 3 || value > 1 << 24 ? -EINVAL : (int) value;
}

int main(int argc, char **argv) {
        void *plan;
        int fd;

        if (argc != 2 || (fd = parse_fd(argv[1])) < 0) {
                fputs("unitrun-init is started by unitrun(1) only\n", stderr);
                return EXIT_FAILURE;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "unitrun-init");
        /* Neither the container nor we want the engine's. */
        process_reset_signals();
        /* Modes are meant as they are written; the program gets its umask at the end. */
        umask(0);
        if (fd_cloexec_from(3) < 0 || image_map(fd, INIT_PLAN_VERSION, &plan) < 0) {
                fputs("unitrun-init: this is no plan of the same build\n", stderr);
                return EXIT_FAILURE;
        }
        close(fd);
        if (take_stdio(plan) < 0) {
                fputs("unitrun-init: cannot redirect the standard output\n", stderr);
                return EXIT_FAILURE;
        }
        stage_run(plan);
}
