/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "container/container.h"

/* What the command line of `exec` says. NULL, 0 and false: not given. */
typedef struct ExecOptions {
        const char *process; /* a file with the process object; then none of the options up to @tty counts */
        char **args;         /* else: the program and its arguments */
        const char *cwd;
        char **env;          /* besides, or instead of, what the config has */
        const char *user;    /* "UID" or "UID:GID" */
        char **groups;       /* additional ones, each a number */
        char **capabilities; /* besides those of the config: "CAP_KILL" */
        bool no_new_privileges;
        const char *apparmor_profile;
        const char *selinux_label;
        bool tty;

        const char *cgroup; /* below that of the container */
        bool ignore_paused;
        bool detach;
        bool journal; /* the output goes there, stdin is empty */
        const char *pid_file;
        const char *console_socket;
        const char *pidfd_socket;
        unsigned preserve_fds;    /* fds 3 … 2+N are the process', those of them that are open */
        const int *inherited_fds; /* what was open when the program was started, ascending */
        size_t n_inherited_fds;
} ExecOptions;

/**
 * container_exec:
 * @ret_status: how the process ended, 128 + N when it was killed by signal N; 0 with @options->detach
 * @error: the words that engines look for where the program or the working directory is not there or can't be
 * used; UNITRUN_ERROR_WRONG_STATUS where the container is not in a status for it
 *
 * Runs one more process in a container that is created or running: in its namespaces, its cgroup, its root,
 * with its seccomp program. The process is a child of this one; with @options->detach it goes on after the
 * function has returned, else signals are passed on to it until it ends. When this fails the process is gone.
 */
bool container_exec(const Container *container, const ExecOptions *options, int *ret_status, GError **error);
