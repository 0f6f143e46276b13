/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun: the command line, and the one place where an error is reported. */

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/absolute-path.h"
#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "cli/command.h"
#include "cli/parse.h"
#include "cli/report.h"
#include "cli/table.h"
#include "config.h"
#include "oci/state.h"

char *command_root(const GlobalOptions *global, GError **error) {
        return global->root ? absolute_path(global->root, "--root", error)
                            : state_root_default(container_manager() == UNIT_MANAGER_SYSTEM, error);
}

Container *command_open(const GlobalOptions *global, const char *id, GError **error) {
        g_autofree char *root = command_root(global, error);

        Container *container = root ? container_open(root, id, error) : NULL;

        if (container && container->facts)
                report_unit(container->facts->unit);
        return container;
}

static bool wants_debug(const GlobalOptions *global) {
        return global->debug || g_strcmp0(global->log_level, "debug") == 0;
}

static bool check_global(const GlobalOptions *global, GError **error) {
        static const char *const levels[] = {"error", "warning", "warn", "info", "debug", NULL};
        static const char *const managers[] = {"systemd", "cgroupfs", "disabled", NULL};

        if (global->log_level && !g_strv_contains(levels, global->log_level))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--log-level: '%s' is not 'error', 'warning', 'info' or 'debug'",
                                 global->log_level);
        if (global->cgroup_manager && !g_strv_contains(managers, global->cgroup_manager))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--cgroup-manager: '%s' is not 'systemd', 'cgroupfs' or 'disabled'",
                                 global->cgroup_manager);
        return true;
}

static int show_version(void) {
        printf("unitrun version %s\ncommit: v%s\nspec: %s\nlibexec: %s\n", UNITRUN_VERSION, UNITRUN_VERSION,
               OCI_VERSION, UNITRUN_LIBEXECDIR);
        return 0;
}

static bool check_command(const Command *command, char **arguments, GError **error) {
        g_autofree char *help = NULL;

        if (!command->check || command->check(error))
                return true;
        if (arguments[0] && (g_str_equal(arguments[0], "--help") || g_str_equal(arguments[0], "-h"))) {
                help = parse_help(command);
                fputs(help, stdout);
        }
        return false;
}

static int run(int argc, char **argv, const int *inherited_fds, size_t n_inherited_fds,
               int *ret_failure_status, GError **error) {
        GlobalOptions *global = parse_global(&argc, &argv, error);
        const Command *command;

        if (!global || !report_open(global->log, global->log_format, wants_debug(global), error) ||
            !check_global(global, error))
                return -1;
        global->inherited_fds = inherited_fds;
        global->n_inherited_fds = n_inherited_fds;
        if (global->version)
                return show_version();
        if (argc < 2) {
                fail_code(error, UNITRUN_ERROR_USAGE, "which command? See 'unitrun --help'");
                return -1;
        }
        command = table_find(argv[1]);
        if (!command)
                return table_fail_unknown(argv[1], error) ? 0 : -1;
        if (command->failure_status != 0)
                *ret_failure_status = command->failure_status;
        argc--;
        argv++;
        if (!check_command(command, argv + 1, error) || !parse_command(command, &argc, &argv, error))
                return -1;
        if (argc > 1)
                report_container(argv[1]);
        return command->run(global, argv + 1, error);
}

/* At exit, since --help leaves from within GOption. What the container writes does not pass through stdio. */
static void check_output(void) {
        if (fflush(stdout) == 0 && !ferror(stdout))
                return;
        report_error("cannot write to the standard output");
        _exit(1);
}

int main(int argc, char **argv) {
        g_autoptr(GError) error = NULL;
        autofree int *inherited = NULL;
        size_t n_inherited = 0;
        int status, failure_status = 1;

        /* First of all: whatever the caller left open must not reach the container unasked, and must be told
         * apart from what we open ourselves. */
        if (fd_open_standard() < 0 || fd_list_open(3, &inherited, &n_inherited) < 0 ||
            fd_cloexec_from(3) < 0) {
                report_error("cannot look at the open file descriptors: is /proc mounted?");
                return 1;
        }
        /* An ignored SIGCHLD would have the kernel reap our children, and their exit status with them. */
        signal(SIGCHLD, SIG_DFL);
        setlocale(LC_CTYPE, ""); /* not LC_MESSAGES: engines match on the words of errors */
        umask(0022);
        if (atexit(check_output) != 0)
                return 1;
        status = run(argc, argv, inherited, n_inherited, &failure_status, &error);
        if (status >= 0)
                return status;
        report_error(error ? error->message : "failed without a reason: this is a bug");
        return failure_status;
}
