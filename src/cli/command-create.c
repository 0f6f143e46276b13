/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun create ID */

#include "cli/command.h"
#include "cli/create-options.h"

static const GOptionEntry options[] = {
        CREATE_OPTIONS,
        G_OPTION_ENTRY_NULL,
};

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autofree char *root = command_root(global, error);
        g_autoptr(Created) created = NULL;
        CreateOptions create;

        if (!root || !create_options_make(global, root, arguments[0], &create, error))
                return -1;
        created = container_create(&create, error);
        return created ? 0 : -1;
}

const Command command_create = {
        .name = "create",
        .arguments = "ID",
        .summary = "Create a container from a bundle; 'start' runs its program",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
