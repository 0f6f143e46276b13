/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* engine PID-FILE RESULT COMMAND…: what conmon is to a runtime. It is a child subreaper, runs COMMAND (a
 * `create`), reads the process id that COMMAND wrote to PID-FILE, and reaps whatever becomes its child until
 * that process has ended. RESULT then holds one line, "exited N" or "killed N" (or "not a child"), and before
 * that, while the container lives, "created". It ends with COMMAND's exit status if that is not 0. */

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *path, const char *word, int value) {
        char temporary[4096];
        FILE *file;

        snprintf(temporary, sizeof temporary, "%s.new", path);
        file = fopen(temporary, "we");
        if (file == NULL)
                err(EXIT_FAILURE, "%s", temporary);
        if (value >= 0)
                fprintf(file, "%s %d\n", word, value);
        else
                fprintf(file, "%s\n", word);
        if (fclose(file) != 0 || rename(temporary, path) < 0)
                err(EXIT_FAILURE, "%s", path);
}

static pid_t read_pid(const char *path) {
        FILE *file = fopen(path, "re");
        int pid;

        if (file == NULL)
                err(EXIT_FAILURE, "%s", path);
        if (fscanf(file, "%d", &pid) != 1)
                errx(EXIT_FAILURE, "%s holds no number", path);
        fclose(file);
        return pid;
}

static pid_t spawn(char **argv) {
        pid_t pid = fork();

        if (pid < 0)
                err(EXIT_FAILURE, "fork");
        if (pid == 0) {
                execvp(argv[0], argv);
                err(127, "%s", argv[0]);
        }
        return pid;
}

/* reap: waits for any child, as conmon does, until it is @pid. Others may come first: the runtime's own
 * helpers. */
static int reap(pid_t pid, int *ret_status) {
        for (;;) {
                pid_t child = waitpid(-1, ret_status, 0);

                if (child == pid)
                        return 0;
                if (child < 0 && errno != EINTR)
                        return -errno;
        }
}

int main(int argc, char **argv) {
        int status;
        pid_t pid;

        if (argc < 4)
                errx(2, "usage: engine PID-FILE RESULT COMMAND…");
        if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
                err(EXIT_FAILURE, "PR_SET_CHILD_SUBREAPER");

        if (reap(spawn(argv + 3), &status) < 0)
                err(EXIT_FAILURE, "waitpid");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;

        pid = read_pid(argv[1]);
        report(argv[2], "created", -1);
        if (reap(pid, &status) < 0)
                report(argv[2], "not a child", -1);
        else if (WIFEXITED(status))
                report(argv[2], "exited", WEXITSTATUS(status));
        else
                report(argv[2], "killed", WTERMSIG(status));
        return EXIT_SUCCESS;
}
