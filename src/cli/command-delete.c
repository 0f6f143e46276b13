/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun delete ID */

#include "cli/command.h"
#include "container/removal.h"

static gboolean arg_force;

static const GOptionEntry options[] = {
        {"force", 'f', 0, G_OPTION_ARG_NONE, &arg_force,
         "Kill the container if it runs; an unknown one is no error", NULL},
        G_OPTION_ENTRY_NULL,
};

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autofree char *root = command_root(global, error);

        return root && container_delete(root, arguments[0], arg_force, error) ? 0 : -1;
}

const Command command_delete = {
        .name = "delete",
        .arguments = "ID",
        .summary = "Remove a stopped container, its unit and its state",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
