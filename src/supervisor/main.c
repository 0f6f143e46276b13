/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-supervisor STATE-DIR [no-cgroup]: the main process of a container's unit. It ends the way the
 * container ended, so that the unit's result is the container's. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/exit-status.h"
#include "supervisor/supervisor.h"

int main(int argc, char **argv) {
        ExitReport status;

        bool own_group = argc == 2;

        if (!own_group && (argc != 3 || strcmp(argv[2], "no-cgroup") != 0)) {
                dprintf(STDERR_FILENO, "<3>usage: unitrun-supervisor STATE-DIR [no-cgroup]\n");
                return EXIT_FAILURE;
        }
        if (supervisor_run(argv[1], own_group, &status) < 0)
                return EXIT_FAILURE;
        exit_status_adopt(&status);
}
