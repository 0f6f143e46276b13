/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the command line of `create` and `run` to CreateOptions. */

#include "cli/create-options.h"

#include "base-glib/error.h"

char *arg_create_bundle, *arg_create_config, *arg_create_pid_file, *arg_create_console_socket,
        *arg_create_pidfd_socket, *arg_create_stdio;
gboolean arg_create_no_pivot, arg_create_no_new_keyring, arg_create_no_subreaper;
int arg_create_preserve_fds;

/* The manager that is named wins over runc's flag, which conmon may pass beside it. */
static HomeManager cgroup_manager(const GlobalOptions *global) {
        if (!global->cgroup_manager)
                return global->systemd_cgroup ? HOME_MANAGER_SYSTEMD : HOME_MANAGER_BY_PATH;
        if (g_str_equal(global->cgroup_manager, "cgroupfs"))
                return HOME_MANAGER_CGROUPFS;
        return g_str_equal(global->cgroup_manager, "disabled") ? HOME_MANAGER_DISABLED : HOME_MANAGER_SYSTEMD;
}

bool create_options_make(const GlobalOptions *global, const char *root, const char *id, CreateOptions *ret,
                         GError **error) {
        if (arg_create_preserve_fds < 0)
                return fail_code(error, UNITRUN_ERROR_USAGE, "--preserve-fds: %d is negative",
                                 arg_create_preserve_fds);
        if (arg_create_stdio && !g_str_equal(arg_create_stdio, "inherit") &&
            !g_str_equal(arg_create_stdio, "journal"))
                return fail_code(error, UNITRUN_ERROR_USAGE, "--stdio: '%s' is not 'inherit' or 'journal'",
                                 arg_create_stdio);
        *ret = (CreateOptions){
                .root = root,
                .id = id,
                .bundle = arg_create_bundle,
                .config = arg_create_config,
                .pid_file = arg_create_pid_file,
                .console_socket = arg_create_console_socket,
                .pidfd_socket = arg_create_pidfd_socket,
                .journal = g_strcmp0(arg_create_stdio, "journal") == 0,
                .cgroup_manager = cgroup_manager(global),
                .no_pivot = arg_create_no_pivot,
                .no_new_keyring = arg_create_no_new_keyring,
                .preserve_fds = (unsigned) arg_create_preserve_fds,
                .inherited_fds = global->inherited_fds,
                .n_inherited_fds = global->n_inherited_fds,
        };
        return true;
}
