/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun ps ID [PS-OPTION…]: the processes of a container, by ps(1). */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base-glib/error.h"
#include "base-glib/one-line.h"
#include "cli/command.h"
#include "container/processes.h"

#define REASON_SIZE_MAX 512

static char *arg_format;

static const GOptionEntry options[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &arg_format, "table (the default) or json", "FORMAT"},
        G_OPTION_ENTRY_NULL,
};

static void print_json(const GArray *pids) {
        putchar('[');
        for (guint i = 0; i < pids->len; i++)
                printf("%s%d", i > 0 ? "," : "", (int) g_array_index(pids, pid_t, i));
        puts("]");
}

/* Returns (transfer full): what ps has printed. */
static char *run_ps(char **ps_options, GError **error) {
        g_autoptr(GPtrArray) argv = g_ptr_array_new();
        g_autofree char *out = NULL, *err = NULL, *reason = NULL;
        g_autoptr(GError) local = NULL;
        int status;

        g_ptr_array_add(argv, (char *) "ps");
        if (!*ps_options)
                g_ptr_array_add(argv, (char *) "-ef");
        for (; *ps_options; ps_options++)
                g_ptr_array_add(argv, *ps_options);
        g_ptr_array_add(argv, NULL);
        if (!g_spawn_sync(NULL, (char **) argv->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
                          &status, &local)) {
                fail(error, "cannot run ps: %s", local->message);
                return NULL;
        }
        if (g_spawn_check_wait_status(status, &local))
                return g_steal_pointer(&out);
        g_strstrip(err);
        err[strcspn(err, "\n")] = '\0';
        reason = one_line(err, REASON_SIZE_MAX);
        fail(error, "ps has failed: %s", *reason ? reason : local->message);
        return NULL;
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        bool json = g_strcmp0(arg_format, "json") == 0;
        g_autoptr(Container) container = NULL;
        g_autoptr(GArray) pids = NULL;
        g_autofree char *table = NULL, *shown = NULL;

        if (arg_format && !json && strcmp(arg_format, "table") != 0) {
                fail_code(error, UNITRUN_ERROR_USAGE, "--format: invalid format option '%s': table or json",
                          arg_format);
                return -1;
        }
        container = command_open(global, arguments[0], error);
        if (!container || !container_get_pids(container, &pids, error))
                return -1;
        if (json) {
                print_json(pids);
                return 0;
        }
        table = run_ps(arguments + 1, error);
        shown = table ? processes_filter(table, pids, error) : NULL;
        if (!shown)
                return -1;
        fputs(shown, stdout);
        return 0;
}

const Command command_ps = {
        .name = "ps",
        .arguments = "ID [PS-OPTION…]",
        .summary = "Show the processes of a container",
        .options = options,
        .min_arguments = 1,
        .max_arguments = INT_MAX,
        .options_end_at_id = true,
        .run = run,
};
