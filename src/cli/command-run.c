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

/* A connection that nobody reads from is a queue that grows in systemd. */
#define KEEP_BUS_MSEC 1000

static void let_bus_go(Created *created) {
        g_clear_pointer(&created->removal, unit_removal_free);
        g_clear_pointer(&created->job, unit_job_free);
        g_clear_pointer(&created->bus, unit_bus_free);
}

/* Deletes the container and returns @status; an error of the deletion is the second one if @error is set
 * already. */
static int clean_up(Created *created, int status, GError **error) {
        g_autoptr(GError) delete_error = NULL;

        if (container_delete_ended(created->container, created->bus, created->removal, &delete_error))
                return status;
        if (status >= 0)
                g_propagate_error(error, g_steal_pointer(&delete_error));
        return -1;
}

/* From the start to the end, in the foreground. */
static int attend(Created *created, GError **error) {
        int status = -1;

        if (!container_start(created->container, created->bus, created->job, /* settle= */ false, error))
                return clean_up(created, -1, error);
        if (!foreground_wait(created->container, created->terminal, KEEP_BUS_MSEC, &status, error))
                return clean_up(created, -1, error);
        if (status < 0) {
                let_bus_go(created);
                if (!foreground_wait(created->container, created->terminal, -1, &status, error))
                        return clean_up(created, -1, error);
        }
        return arg_keep ? status : clean_up(created, status, error);
}

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
        if (!arg_detach)
                return attend(created, error);
        if (container_start(created->container, created->bus, created->job, /* settle= */ true, error))
                return 0;
        return clean_up(created, -1, error);
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
