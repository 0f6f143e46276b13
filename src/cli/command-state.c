/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun state ID: the state as JSON on stdout, and nothing else anywhere. */

#include <stdio.h>

#include "cli/command.h"
#include "container/state.h"

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = command_open(global, arguments[0], error);
        g_autofree char *json = container ? container_state_json(container, error) : NULL;

        if (!json)
                return -1;
        puts(json);
        return 0;
}

const Command command_state = {
        .name = "state",
        .arguments = "ID",
        .summary = "Show the state of a container as JSON",
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
