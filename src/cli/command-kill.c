/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun kill ID [SIGNAL] */

#include <signal.h>

#include "base-glib/error.h"
#include "base/signal-name.h"
#include "cli/command.h"
#include "container/kill.h"

static gboolean arg_all;

static const GOptionEntry options[] = {
        {"all", 'a', 0, G_OPTION_ARG_NONE, &arg_all, "Send the signal to every process of the container",
         NULL},
        G_OPTION_ENTRY_NULL,
};

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = NULL;
        int signal_number = arguments[1] ? signal_from_name(arguments[1]) : SIGTERM;

        if (signal_number < 0) {
                fail_code(error, UNITRUN_ERROR_USAGE,
                          "unknown signal '%s': give a number or a name such as TERM", arguments[1]);
                return -1;
        }
        container = command_open(global, arguments[0], error);
        return container && container_kill(container, signal_number, arg_all, error) ? 0 : -1;
}

const Command command_kill = {
        .name = "kill",
        .arguments = "ID [SIGNAL]",
        .summary = "Send a signal to a container (SIGTERM if none is given)",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 2,
        .run = run,
};
