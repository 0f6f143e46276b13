/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun run ID: create, start, and in the foreground wait and delete. */

#include "cli/attend.h"
#include "cli/command.h"
#include "cli/create-options.h"
#include "container/foreground.h"

static gboolean arg_detach, arg_keep;

static const GOptionEntry options[] = {
        CREATE_OPTIONS,
        {"detach", 'd', 0, G_OPTION_ARG_NONE, &arg_detach, "Return as soon as the program runs",            NULL},
        {"keep",   0,   0, G_OPTION_ARG_NONE, &arg_keep,   "Do not delete the container when it has ended", NULL},
        G_OPTION_ENTRY_NULL,
};

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        const char *id = arguments[0];
        g_autofree char *root = command_root(global, error);
        g_autoptr(Created) created = NULL;
        CreateOptions create;

        if (!root || !create_options_make(global, root, id, &create, error) ||
            (!arg_detach && !foreground_prepare(error)))
                return -1;
        create.foreground = !arg_detach;
        created = container_create(&create, error);
        if (!created)
                return -1;
        return arg_detach ? attend_detached(created, error) : attend_foreground(created, arg_keep, error);
}

const Command command_run = {
        .name = "run",
        .arguments = "ID",
        .summary = "Create and start a container, wait for its end and delete it",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
