/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* GOption behind a few rules of engines: options behind the command are the command's, behind the ID of some
 * commands those of another program, and a wrong one is an error that says which may have been meant. */

#include "cli/parse.h"

#include <string.h>

#include "base-glib/error.h"
#include "cli/table.h"
#include "oci/word.h"

static GlobalOptions arg_global;

static const GOptionEntry global_options[] = {
        {"root",           0,   0, G_OPTION_ARG_FILENAME, &arg_global.root,           "Keep the state of containers below DIR",
         "DIR"                                                                                                                           },
        {"log",            0,   0, G_OPTION_ARG_FILENAME, &arg_global.log,
         "Write the error to FILE, or journald:[IDENTIFIER]",                                                                   "FILE"   },
        {"log-format",     0,   0, G_OPTION_ARG_STRING,   &arg_global.log_format,     "Format of the log: text or json",
         "FORMAT"                                                                                                                        },
        {"log-level",      0,   0, G_OPTION_ARG_STRING,   &arg_global.log_level,      "error, warning, info or debug",
         "LEVEL"                                                                                                                         },
        {"debug",          0,   0, G_OPTION_ARG_NONE,     &arg_global.debug,          "The same as --log-level=debug",          NULL     },
        {"systemd-cgroup", 0,   0, G_OPTION_ARG_NONE,     &arg_global.systemd_cgroup,
         "The same as --cgroup-manager=systemd",                                                                                NULL     },
        {"cgroup-manager", 0,   0, G_OPTION_ARG_STRING,   &arg_global.cgroup_manager,
         "systemd, cgroupfs or disabled",                                                                                       "MANAGER"},
        {"rootless",       0,   0, G_OPTION_ARG_STRING,   &arg_global.rootless,       "Accepted and ignored",                   "BOOL"   },
        {"version",        'v', 0, G_OPTION_ARG_NONE,     &arg_global.version,        "Show the version",                       NULL     },
        G_OPTION_ENTRY_NULL,
};

static GOptionContext *global_context(void) {
        GOptionContext *context = g_option_context_new("COMMAND [OPTION…] [ARGUMENT…]");
        g_autofree char *list = table_describe();

        g_set_prgname("unitrun");
        g_option_context_set_summary(context, "Runs OCI containers, each as a service of systemd.");
        g_option_context_set_description(context, list);
        g_option_context_add_main_entries(context, global_options, NULL);
        g_option_context_set_strict_posix(context, TRUE);
        return context;
}

static GOptionContext *command_context(const Command *command) {
        g_autofree char *program = g_strdup_printf("unitrun %s", command->name);
        GOptionContext *context = g_option_context_new(command->arguments);

        g_set_prgname(program);
        g_option_context_set_summary(context, command->summary);
        g_option_context_set_strict_posix(context, command->options_end_at_id);
        if (command->options)
                g_option_context_add_main_entries(context, command->options, NULL);
        return context;
}

char *parse_help(const Command *command) {
        g_autoptr(GOptionContext) context = command ? command_context(command) : global_context();

        return g_option_context_get_help(context, /* main_help= */ TRUE, NULL);
}

/* Returns (transfer full): "" or which of @entries may have been meant by an option that is none of them. */
static char *suggest_option(const GOptionEntry *entries, const GError *parse_error) {
        g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(Word));
        const char *given = strstr(parse_error->message, " --");
        g_autofree char *name = NULL;
        const char *nearest;

        if (!g_error_matches(parse_error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || !given)
                return g_strdup("");
        for (; entries && entries->long_name; entries++) {
                Word word = {.name = entries->long_name};

                g_array_append_val(items, word);
        }
        name = g_strndup(given + 3, strcspn(given + 3, "="));
        nearest = words_nearest(&(const Words){.items = (const Word *) items->data, .n = items->len}, name);
        return nearest ? g_strdup_printf(" (did you mean '--%s'?)", nearest) : g_strdup("");
}

static bool parse(GOptionContext *context, const GOptionEntry *entries, int *argc, char ***argv,
                  GError **error) {
        g_autoptr(GError) local = NULL;
        g_autofree char *hint = NULL;

        if (g_option_context_parse(context, argc, argv, &local))
                return true;
        /* podman looks for these words to find out whether an option exists. */
        if (g_str_has_prefix(local->message, "Missing argument for "))
                return fail_code(error, UNITRUN_ERROR_USAGE, "%s requires an argument",
                                 local->message + strlen("Missing argument for "));
        hint = suggest_option(entries, local);
        return fail_code(error, UNITRUN_ERROR_USAGE, "%s%s", local->message, hint);
}

GlobalOptions *parse_global(int *argc, char ***argv, GError **error) {
        g_autoptr(GOptionContext) context = global_context();

        if (parse(context, global_options, argc, argv, error))
                return &arg_global;
        fail_prefix(error, "see 'unitrun --help'");
        return NULL;
}

/* As many as the command takes. */
static bool check_arguments(const Command *command, int n, char **arguments, GError **error) {
        if (n < command->min_arguments)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "'%s' requires an argument: unitrun %s [OPTION…] %s", command->name,
                                 command->name, command->arguments);
        if (n > command->max_arguments)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "'%s': unexpected argument '%s': unitrun %s [OPTION…] %s", command->name,
                                 arguments[command->max_arguments], command->name, command->arguments);
        return true;
}

/* No file has this name; what open(2) and bind(2) make of it tells nobody which option it was. */
static bool check_paths(const GOptionEntry *entries, GError **error) {
        for (; entries && entries->long_name; entries++) {
                const char *path =
                        entries->arg == G_OPTION_ARG_FILENAME ? *(char **) entries->arg_data : NULL;

                if (path && path[0] == '\0' &&
                    (g_str_equal(entries->arg_description, "DIR") ||
                     g_str_equal(entries->arg_description, "FILE") ||
                     g_str_equal(entries->arg_description, "SOCKET")))
                        return fail_code(error, UNITRUN_ERROR_USAGE, "--%s: the path is empty",
                                         entries->long_name);
        }
        return true;
}

bool parse_command(const Command *command, int *argc, char ***argv, GError **error) {
        g_autoptr(GOptionContext) context = command_context(command);

        if (!parse(context, command->options, argc, argv, error))
                return fail_prefix(error, "see 'unitrun %s --help'", command->name);
        if (!check_paths(command->options, error))
                return false;
        /* GOption leaves a "--" that ended the options. */
        if (*argc > 1 && g_str_equal((*argv)[1], "--")) {
                memmove(*argv + 1, *argv + 2, (size_t) (*argc - 1) * sizeof(char *));
                (*argc)--;
        }
        /* Likewise between the ID and a program. */
        if (command->options_end_at_id && *argc > 2 && g_str_equal((*argv)[2], "--")) {
                memmove(*argv + 2, *argv + 3, (size_t) (*argc - 2) * sizeof(char *));
                (*argc)--;
        }
        return check_arguments(command, *argc - 1, *argv + 1, error);
}
