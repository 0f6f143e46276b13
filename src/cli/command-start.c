/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun start ID */

#include "cli/command.h"
#include "container/start.h"

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = command_open(global, arguments[0], error);

        return container && container_start(container, /* bus= */ NULL, /* job= */ NULL, /* settle= */ true,
                                            error)
                       ? 0
                       : -1;
}

const Command command_start = {
        .name = "start",
        .arguments = "ID",
        .summary = "Run the program of a created container",
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
