/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-supervisor STATE-DIR [no-cgroup]: the main process of a container's unit. It ends the way the
 * container ended, so that the unit's result is the container's.
 *
 * unitrun-supervisor STATE-DIR notify PID: where systemd itself is the supervisor, the relay for
 * notifications of a container whose init is PID. Returns when it can take them; what goes on is another
 * process. */

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "supervisor/exit-status.h"
#include "supervisor/notify-relay.h"
#include "supervisor/supervisor.h"

static int run_relay(const char *state_dir, const char *pid) {
        char *end;
        long number = strtol(pid, &end, 10);
        int r = *end || number <= 0 || number > INT_MAX ? -EINVAL
                                                        : notify_relay_run(state_dir, (pid_t) number);

        if (r >= 0)
                return EXIT_SUCCESS;
        dprintf(STDERR_FILENO, "<3>unitrun-supervisor: cannot pass on notifications: %s\n", error_text(r));
        return EXIT_FAILURE;
}

int main(int argc, char **argv) {
        ExitReport status;

        bool own_group = argc == 2;

        if (argc == 4 && strcmp(argv[2], "notify") == 0)
                return run_relay(argv[1], argv[3]);
        if (!own_group && (argc != 3 || strcmp(argv[2], "no-cgroup") != 0)) {
                dprintf(STDERR_FILENO, "<3>usage: unitrun-supervisor STATE-DIR [no-cgroup | notify PID]\n");
                return EXIT_FAILURE;
        }
        if (supervisor_run(argv[1], own_group, &status) < 0)
                return EXIT_FAILURE;
        exit_status_adopt(&status);
}
