/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

#include "cli/command.h"
#include "container/create.h"

/* The options that `create` and `run` share. */

/**
 * CREATE_OPTIONS:
 * The rows for a command's GOptionEntry array. They fill one set of variables: a process runs one command.
 */
extern char *arg_create_bundle, *arg_create_config, *arg_create_pid_file, *arg_create_console_socket,
        *arg_create_pidfd_socket, *arg_create_stdio;
extern gboolean arg_create_no_pivot, arg_create_no_new_keyring, arg_create_no_subreaper;
extern int arg_create_preserve_fds;

/* clang-format off */
#define CREATE_OPTIONS                                                                                                        \
        {"bundle", 'b', 0, G_OPTION_ARG_FILENAME, &arg_create_bundle, "The bundle (default: the working directory)", "DIR"},  \
        {"config", 0, 0, G_OPTION_ARG_FILENAME, &arg_create_config, "Another file instead of BUNDLE/config.json", "FILE"},    \
        {"pid-file", 0, 0, G_OPTION_ARG_FILENAME, &arg_create_pid_file, "Write the PID of the container's init", "FILE"},     \
        {"console-socket", 0, 0, G_OPTION_ARG_FILENAME, &arg_create_console_socket,                                           \
         "Send the terminal over this AF_UNIX socket", "SOCKET"},                                                             \
        {"pidfd-socket", 0, 0, G_OPTION_ARG_FILENAME, &arg_create_pidfd_socket,                                               \
         "Send a pidfd of the container's init over this AF_UNIX socket", "SOCKET"},                                          \
        {"stdio", 0, 0, G_OPTION_ARG_STRING, &arg_create_stdio,                                                               \
         "inherit: the caller's standard input and output; journal: output goes there", "MODE"},                              \
        {"no-pivot", 0, 0, G_OPTION_ARG_NONE, &arg_create_no_pivot, "Use MS_MOVE instead of pivot_root (unsafe)", NULL},      \
        {"no-new-keyring", 0, 0, G_OPTION_ARG_NONE, &arg_create_no_new_keyring, "Keep the session keyring", NULL},            \
        {"preserve-fds", 0, 0, G_OPTION_ARG_INT, &arg_create_preserve_fds, "Pass fds 3 to 2+N to the container", "N"},        \
        {"no-subreaper", 0, 0, G_OPTION_ARG_NONE, &arg_create_no_subreaper, "Accepted and ignored", NULL}
/* clang-format on */

/**
 * create_options_make:
 * @root: (transfer none): the state root; must outlive the result
 * @ret: what container_create() wants
 */
bool create_options_make(const GlobalOptions *global, const char *root, const char *id, CreateOptions *ret,
                         GError **error);
