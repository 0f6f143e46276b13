/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun exec ID [PROGRAM [ARGUMENT...]] */

#include <limits.h>

#include "base-glib/error.h"
#include "cli/command.h"
#include "container/exec.h"

static char *arg_process, *arg_cwd, *arg_user, *arg_apparmor, *arg_process_label, *arg_cgroup, *arg_stdio,
        *arg_pid_file, *arg_console_socket, *arg_pidfd_socket;
static char **arg_env, **arg_groups, **arg_capabilities;
static gboolean arg_detach, arg_tty, arg_no_new_privileges, arg_ignore_paused, arg_no_subreaper;
static int arg_preserve_fds;

/* clang-format off */
static const GOptionEntry options[] = {
        {"process", 'p', 0, G_OPTION_ARG_FILENAME, &arg_process, "Take the process object from FILE", "FILE"},
        {"detach", 'd', 0, G_OPTION_ARG_NONE, &arg_detach, "Return as soon as the program runs", NULL},
        {"tty", 't', 0, G_OPTION_ARG_NONE, &arg_tty, "Give the program a terminal", NULL},
        {"console-socket", 0, 0, G_OPTION_ARG_FILENAME, &arg_console_socket, "Send the terminal over this AF_UNIX socket", "SOCKET"},
        {"pidfd-socket", 0, 0, G_OPTION_ARG_FILENAME, &arg_pidfd_socket, "Send a pidfd of the process over this AF_UNIX socket", "SOCKET"},
        {"pid-file", 0, 0, G_OPTION_ARG_FILENAME, &arg_pid_file, "Write the PID of the process", "FILE"},
        {"cwd", 0, 0, G_OPTION_ARG_FILENAME, &arg_cwd, "The working directory", "DIR"},
        {"env", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_env, "Set an environment variable", "NAME=VALUE"},
        {"user", 'u', 0, G_OPTION_ARG_FILENAME, &arg_user, "The user and group, as numbers", "UID[:GID]"},
        {"additional-gids", 'g', 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_groups, "Add a supplementary group", "GID"},
        {"cap", 'c', 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_capabilities, "Add a capability, such as CAP_KILL", "NAME"},
        {"no-new-privs", 0, 0, G_OPTION_ARG_NONE, &arg_no_new_privileges, "Set the no_new_privs attribute", NULL},
        {"apparmor", 0, 0, G_OPTION_ARG_FILENAME, &arg_apparmor, "The AppArmor profile", "PROFILE"},
        {"process-label", 0, 0, G_OPTION_ARG_FILENAME, &arg_process_label, "The SELinux label", "LABEL"},
        {"preserve-fds", 0, 0, G_OPTION_ARG_INT, &arg_preserve_fds, "Pass fds 3 to 2+N to the program", "N"},
        {"cgroup", 0, 0, G_OPTION_ARG_FILENAME, &arg_cgroup, "Run in this sub-group of the container's control group", "PATH"},
        {"ignore-paused", 0, 0, G_OPTION_ARG_NONE, &arg_ignore_paused, "Don't refuse a paused container", NULL},
        {"stdio", 0, 0, G_OPTION_ARG_STRING, &arg_stdio, "inherit: the caller's standard input and output; journal: output goes there", "MODE"},
        {"no-subreaper", 0, 0, G_OPTION_ARG_NONE, &arg_no_subreaper, "Accepted and ignored", NULL},
        G_OPTION_ENTRY_NULL,
};
/* clang-format on */

static bool check(char **arguments, GError **error) {
        if (arg_process && arguments[1])
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--process says what to execute: unexpected argument '%s'", arguments[1]);
        if (!arg_process && !arguments[1])
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "'exec' requires a program: unitrun exec [OPTION…] ID PROGRAM [ARGUMENT…]");
        if (arg_stdio && !g_str_equal(arg_stdio, "inherit") && !g_str_equal(arg_stdio, "journal"))
                return fail_code(error, UNITRUN_ERROR_USAGE, "--stdio: '%s' is not 'inherit' or 'journal'",
                                 arg_stdio);
        return arg_preserve_fds >= 0 ||
               fail_code(error, UNITRUN_ERROR_USAGE, "--preserve-fds: %d is negative", arg_preserve_fds);
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = NULL;
        const ExecOptions exec = {
                .process = arg_process,
                .args = arguments + 1,
                .cwd = arg_cwd,
                .env = arg_env,
                .user = arg_user,
                .groups = arg_groups,
                .capabilities = arg_capabilities,
                .no_new_privileges = arg_no_new_privileges,
                .apparmor_profile = arg_apparmor,
                .selinux_label = arg_process_label,
                .tty = arg_tty,
                .cgroup = arg_cgroup,
                .ignore_paused = arg_ignore_paused,
                .detach = arg_detach,
                .journal = g_strcmp0(arg_stdio, "journal") == 0,
                .pid_file = arg_pid_file,
                .console_socket = arg_console_socket,
                .pidfd_socket = arg_pidfd_socket,
                .preserve_fds = (unsigned) arg_preserve_fds,
                .inherited_fds = global->inherited_fds,
                .n_inherited_fds = global->n_inherited_fds,
        };
        int status;

        if (!check(arguments, error))
                return -1;
        container = command_open(global, arguments[0], error);
        return container && container_exec(container, &exec, &status, error) ? status : -1;
}

const Command command_exec = {
        .name = "exec",
        .arguments = "ID [PROGRAM [ARGUMENT…]]",
        .summary = "Run one more program in a container",
        .options = options,
        .min_arguments = 1,
        .max_arguments = INT_MAX,
        .options_end_at_id = true,
        .failure_status = 255, /* as with runc: not to be taken for the program's */
        .run = run,
};
