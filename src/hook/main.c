/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-hook STATE-DIR INDEX|all: one ExecStartPost= line of a container's unit, for one poststart hook or
 * for all that there are. systemd has connected its output to the journal and waits for it; its exit status
 * is the hook's, so that `systemctl status` shows it. The reason of a failure goes to `start` through the
 * state directory. */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/image.h"
#include "base/journal.h"
#include "base/process.h"
#include "base/socket.h"
#include "hook/hook.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"

/* "<3>" is the priority "error" to the journal, see sd-daemon(3). */
static int report(const char *what, int error) {
        dprintf(STDERR_FILENO, "<3>unitrun-hook: %s: %s\n", what, error_text(error));
        return EXIT_FAILURE;
}

static int load_hooks(int dir_fd, const HookList **ret) {
        autoclose int fd = openat(dir_fd, STATE_HOOKS, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        void *root;
        int r;

        if (fd < 0)
                return -errno;
        r = image_map(fd, HOOK_LIST_VERSION, &root);
        if (r >= 0)
                *ret = root;
        return r;
}

static int run_hook(int dir_fd, const HookList *list, size_t index) {
        HookCall call = {
                .kind = "poststart",
                .index = index,
                .state = list->state,
                .env = list->caller_env,
                .output_fd = STDERR_FILENO,
        };
        SetupFailure failure;
        int exit_status;

        if (hook_call(&list->hooks[index], &call, &exit_status, &failure) >= 0)
                return EXIT_SUCCESS;
        if (journal_tell("unitrun-hook", LOG_ERR, MESSAGE_ID_HOOK_FAILED, list->unit, failure.text) < 0)
                dprintf(STDERR_FILENO, "<3>%s\n", failure.text);
        int r = file_replace(dir_fd, STATE_HOOK_FAILURE, failure.text, strlen(failure.text), 0600);
        if (r < 0)
                report("cannot tell the failure to the front end", r);
        return exit_status > 0 ? exit_status : EXIT_FAILURE;
}

/* Where systemd is the supervisor its unit counts as started before the program is executed. Who builds the
 * container listens until it has written how that went. */
static int await_program(int dir_fd) {
        StatusWord word;
        int r = status_read(dir_fd, &word, NULL);

        if (r >= 0 && word == STATUS_WORD_CREATED) {
                autoclose int fd = socket_connect(dir_fd, STATE_SOCKET_CONTROL);
                char byte;

                while (fd >= 0 && read(fd, &byte, 1) < 0 && errno == EINTR)
                        ;
                r = status_read(dir_fd, &word, NULL);
        }
        /* The reason was told by who knows it. */
        return r < 0 || word == STATUS_WORD_CREATED || word == STATUS_WORD_FAILED ? -ENOEXEC : 0;
}

static int run_all(int dir_fd, const HookList *list) {
        int r = EXIT_SUCCESS;

        for (size_t i = 0; r == EXIT_SUCCESS && i < list->n_hooks; i++)
                r = run_hook(dir_fd, list, i);
        return r;
}

/* What the engine has mounted is there only. */
static int enter_namespaces(const HookList *list) {
        autoclose int pidfd = list->caller > 0 ? process_open(list->caller, list->caller_ticks) : -EBADF;

        if (list->caller == 0)
                return 0;
        if (pidfd < 0)
                return pidfd;
        return setns(pidfd, CLONE_NEWUSER | CLONE_NEWNS) < 0 ? -errno : 0;
}

/* @what: an index or "all". */
static int run_hooks(int dir_fd, const char *what) {
        const HookList *list = NULL;
        bool all = strcmp(what, "all") == 0;
        unsigned long index = 0;
        char *end;
        int r;

        errno = 0;
        if (!all)
                index = strtoul(what, &end, 10);
        if (!all && (errno != 0 || end == what || *end))
                return report(what, EINVAL);
        r = load_hooks(dir_fd, &list);
        if (r == -ENOENT && all)
                return EXIT_SUCCESS;
        if (r < 0)
                return report(STATE_HOOKS, r);
        if (!all && index >= list->n_hooks)
                return report(what, ERANGE);
        r = enter_namespaces(list);
        if (r < 0)
                return report("cannot enter the namespaces of the engine", r);
        return all ? run_all(dir_fd, list) : run_hook(dir_fd, list, index);
}

int main(int argc, char **argv) {
        if (argc != 3)
                return report("usage: unitrun-hook STATE-DIR INDEX|all", EINVAL);
        autoclose int dir_fd = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0 && errno == ENOENT)
                return report("no container has been started by this unit, which needs Type=notify", errno);
        if (dir_fd < 0)
                return report(argv[1], errno);
        /* The unit's OOMScoreAdjust= protects the supervisor, not what a hook starts. */
        file_write(AT_FDCWD, "/proc/self/oom_score_adj", "0");
        if (await_program(dir_fd) < 0)
                return report("the container's program does not run", ENOEXEC);
        return run_hooks(dir_fd, argv[2]);
}
