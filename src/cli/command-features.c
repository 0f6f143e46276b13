/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun features: for engines, and for who wants to know. */

#include <stdio.h>

#include "cli/command.h"
#include "container/feature-list.h"

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autofree char *json = features_json();

        puts(json);
        return 0;
}

const Command command_features = {
        .name = "features",
        .arguments = "",
        .summary = "Show what the runtime can do as JSON",
        .min_arguments = 0,
        .max_arguments = 0,
        .run = run,
};
