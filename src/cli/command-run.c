/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun run ID: create, start, and in the foreground wait and delete. */

#include "base-glib/error.h"
#include "cli/command.h"
#include "cli/create-options.h"
#include "container/foreground.h"
#include "container/removal.h"
#include "container/start.h"

static gboolean arg_detach, arg_keep;

static const GOptionEntry options[] = {
        CREATE_OPTIONS,
        {"detach", 'd', 0, G_OPTION_ARG_NONE, &arg_detach, "Return as soon as the program runs",            NULL},
        {"keep",   0,   0, G_OPTION_ARG_NONE, &arg_keep,   "Do not delete the container when it has ended", NULL},
        G_OPTION_ENTRY_NULL,
};

/* Deletes the container and returns @status; an error of the deletion is the second one if @error is set
 * already. */
static int clean_up(const char *root, const char *id, int status, GError **error) {
        g_autoptr(GError) delete_error = NULL;

        if (container_delete(root, id, /* force= */ true, &delete_error))
                return status;
        if (status >= 0)
                g_propagate_error(error, g_steal_pointer(&delete_error));
        return -1;
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        const char *id = arguments[0];
        g_autofree char *root = command_root(global, error);
        g_autoptr(Created) created = NULL;
        CreateOptions create;
        int status;

        if (!root || !create_options_make(global, root, id, &create, error) ||
            (!arg_detach && !foreground_prepare(error)))
                return -1;
        created = container_create(&create, error);
        if (!created)
                return -1;
        if (!container_start(created->container, created->bus, created->job, error))
                return clean_up(root, id, -1, error);
        if (arg_detach)
                return 0;
        status = foreground_wait(created->container, error);
        return arg_keep && status >= 0 ? status : clean_up(root, id, status, error);
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
