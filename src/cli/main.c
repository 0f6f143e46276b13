/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun: global options, the command table, and the one place where an error is reported. */

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "cli/command.h"
#include "cli/report.h"
#include "config.h"
#include "oci/state.h"

static const Command *const commands[] = {
        &command_create, &command_start,  &command_state,  &command_kill,     &command_delete,
        &command_run,    &command_exec,   &command_list,   &command_ps,       &command_pause,
        &command_resume, &command_update, &command_events, &command_features,
};

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

char *command_root(const GlobalOptions *global, GError **error) {
        return global->root ? g_canonicalize_filename(global->root, NULL)
                            : state_root_default(container_manager() == UNIT_MANAGER_SYSTEM, error);
}

Container *command_open(const GlobalOptions *global, const char *id, GError **error) {
        g_autofree char *root = command_root(global, error);

        return root ? container_open(root, id, error) : NULL;
}

static const Command *find_command(const char *name) {
        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
                if (g_str_equal(commands[i]->name, name))
                        return commands[i];
        return NULL;
}

static char *list_commands(void) {
        GString *text = g_string_new("Commands:\n");

        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
                g_autofree char *call = g_strdup_printf("%s %s", commands[i]->name, commands[i]->arguments);
                g_string_append_printf(text, "  %-28s %s\n", call, commands[i]->summary);
        }
        g_string_append(text, "\n'unitrun COMMAND --help' shows the options of a command. See unitrun(1).");
        return g_string_free(text, FALSE);
}

static bool parse_global(int *argc, char ***argv, GError **error) {
        g_autoptr(GOptionContext) context = g_option_context_new("COMMAND [OPTION…] [ARGUMENT…]");
        g_autofree char *list = list_commands();

        g_option_context_set_summary(context, "Runs OCI containers, each as a service of systemd.");
        g_option_context_set_description(context, list);
        g_option_context_add_main_entries(context, global_options, NULL);
        /* Options behind the command are the command's. */
        g_option_context_set_strict_posix(context, TRUE);
        if (!g_option_context_parse(context, argc, argv, error))
                return fail_prefix(error, "see 'unitrun --help'");
        return true;
}

static bool wants_debug(void) {
        return arg_global.debug || (arg_global.log_level && g_str_equal(arg_global.log_level, "debug"));
}

static bool check_global(GError **error) {
        static const char *const levels[] = {"error", "warning", "warn", "info", "debug", NULL};
        static const char *const managers[] = {"systemd", "cgroupfs", "disabled", NULL};

        if (arg_global.log_level && !g_strv_contains(levels, arg_global.log_level))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--log-level: '%s' is not 'error', 'warning', 'info' or 'debug'",
                                 arg_global.log_level);
        if (arg_global.cgroup_manager && !g_strv_contains(managers, arg_global.cgroup_manager))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--cgroup-manager: '%s' is not 'systemd', 'cgroupfs' or 'disabled'",
                                 arg_global.cgroup_manager);
        return true;
}

static int show_version(void) {
        printf("unitrun version %s\ncommit: v%s\nspec: %s\nlibexec: %s\n", UNITRUN_VERSION, UNITRUN_VERSION,
               OCI_VERSION, UNITRUN_LIBEXECDIR);
        return 0;
}

/* Parses the options of @command in place; what is left behind argv[0] are its arguments. */
static bool parse_command(const Command *command, int *argc, char ***argv, GError **error) {
        g_autofree char *usage = g_strdup_printf("%s", command->arguments);
        g_autoptr(GOptionContext) context = g_option_context_new(usage);
        g_autofree char *program = g_strdup_printf("unitrun %s", command->name);

        g_set_prgname(program);
        g_option_context_set_summary(context, command->summary);
        g_option_context_set_strict_posix(context, command->options_end_at_id);
        if (command->options)
                g_option_context_add_main_entries(context, command->options, NULL);
        if (!g_option_context_parse(context, argc, argv, error))
                return fail_prefix(error, "see 'unitrun %s --help'", command->name);
        /* GOption leaves a "--" that ended the options. */
        if (*argc > 1 && g_str_equal((*argv)[1], "--")) {
                memmove(*argv + 1, *argv + 2, (size_t) (*argc - 1) * sizeof(char *));
                (*argc)--;
        }
        if (*argc - 1 < command->min_arguments)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "'%s' requires an argument: unitrun %s [OPTION…] %s", command->name,
                                 command->name, command->arguments);
        if (*argc - 1 > command->max_arguments)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "'%s': unexpected argument '%s': unitrun %s [OPTION…] %s", command->name,
                                 (*argv)[command->max_arguments + 1], command->name, command->arguments);
        return true;
}

static int run(int argc, char **argv, int *ret_failure_status, GError **error) {
        const Command *command;

        if (!parse_global(&argc, &argv, error) ||
            !report_open(arg_global.log, arg_global.log_format, wants_debug(), error) || !check_global(error))
                return -1;
        if (arg_global.version)
                return show_version();
        if (argc < 2) {
                fail_code(error, UNITRUN_ERROR_USAGE, "which command? See 'unitrun --help'");
                return -1;
        }
        command = find_command(argv[1]);
        if (!command) {
                fail_code(error, UNITRUN_ERROR_USAGE, "'%s' is not a command, see 'unitrun --help'", argv[1]);
                return -1;
        }
        if (command->failure_status != 0)
                *ret_failure_status = command->failure_status;
        argc--;
        argv++;
        if (!parse_command(command, &argc, &argv, error))
                return -1;
        if (argc > 1)
                report_container(argv[1]);
        return command->run(&arg_global, argv + 1, error);
}

int main(int argc, char **argv) {
        g_autoptr(GError) error = NULL;
        autofree int *inherited = NULL;
        int status, failure_status = 1;

        /* First of all: whatever the caller left open must not reach the container unasked, and must be told
         * apart from what we open ourselves. */
        if (fd_open_standard() < 0 || fd_list_open(3, &inherited, &arg_global.n_inherited_fds) < 0 ||
            fd_cloexec_from(3) < 0) {
                report_error("cannot look at the open file descriptors: is /proc mounted?");
                return 1;
        }
        arg_global.inherited_fds = inherited;
        /* An ignored SIGCHLD would have the kernel reap our children, and their exit status with them. */
        signal(SIGCHLD, SIG_DFL);
        setlocale(LC_CTYPE, ""); /* not LC_MESSAGES: engines match on the words of errors */
        umask(0022);
        status = run(argc, argv, &failure_status, &error);
        if (status >= 0)
                return status;
        report_error(error ? error->message : "failed without a reason: this is a bug");
        return failure_status;
}
