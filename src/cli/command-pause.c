/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun pause ID */

#include "cli/command.h"
#include "container/freeze.h"

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = command_open(global, arguments[0], error);

        return container && container_pause(container, error) ? 0 : -1;
}

const Command command_pause = {
        .name = "pause",
        .arguments = "ID",
        .summary = "Stop all processes of a container where they are",
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
