/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-hook STATE-DIR INDEX: one ExecStartPost= line of a container's unit, for one poststart hook.
 * systemd has connected its output to the journal and waits for it; its exit status is the hook's, so that
 * `systemctl status` shows it. The reason of a failure goes to `start` through the state directory. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/image.h"
#include "hook/hook.h"
#include "protocol/state-dir.h"

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
        dprintf(STDERR_FILENO, "<3>%s\n", failure.text);
        int r = file_replace(dir_fd, STATE_HOOK_FAILURE, failure.text, strlen(failure.text), 0600);
        if (r < 0)
                report("cannot tell the failure to the front end", r);
        return exit_status > 0 ? exit_status : EXIT_FAILURE;
}

int main(int argc, char **argv) {
        const HookList *list = NULL;
        char *end;

        if (argc != 3)
                return report("usage: unitrun-hook STATE-DIR INDEX", EINVAL);
        errno = 0;
        unsigned long index = strtoul(argv[2], &end, 10);
        if (errno != 0 || end == argv[2] || *end)
                return report(argv[2], EINVAL);
        autoclose int dir_fd = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0)
                return report(argv[1], errno);
        int r = load_hooks(dir_fd, &list);
        if (r < 0)
                return report(STATE_HOOKS, r);
        if (index >= list->n_hooks)
                return report(argv[2], ERANGE);
        /* The unit's OOMScoreAdjust= protects the supervisor, not what a hook starts. */
        file_write(AT_FDCWD, "/proc/self/oom_score_adj", "0");
        return run_hook(dir_fd, list, index);
}
