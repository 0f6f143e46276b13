/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun help [COMMAND] */

#include <stdio.h>

#include "cli/parse.h"
#include "cli/table.h"

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        const Command *command = arguments[0] ? table_find(arguments[0]) : NULL;
        g_autofree char *text = NULL;

        if (arguments[0] && !command)
                return table_fail_unknown(arguments[0], error) ? 0 : -1;
        text = parse_help(command);
        fputs(text, stdout);
        return 0;
}

const Command command_help = {
        .name = "help",
        .arguments = "[COMMAND]",
        .summary = "Show the commands, or the options of one",
        .min_arguments = 0,
        .max_arguments = 1,
        .run = run,
};
