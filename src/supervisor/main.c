/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-supervisor STATE-DIR: the main process of a container's unit. It ends the way the container ended,
 * so that the unit's result is the container's. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "supervisor/exit-status.h"
#include "supervisor/supervisor.h"

int main(int argc, char **argv) {
        ExitReport status;

        if (argc != 2) {
                dprintf(STDERR_FILENO, "<3>usage: unitrun-supervisor STATE-DIR\n");
                return EXIT_FAILURE;
        }
        if (supervisor_run(argv[1], &status) < 0)
                return EXIT_FAILURE;
        exit_status_adopt(&status);
}
