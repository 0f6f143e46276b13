/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "container/container.h"

/* One row per command in table.c: what `unitrun --help` lists, and what main() calls. A command's own options
 * are a GOptionEntry array at the top of its command-*.c. */

/* What the options before the command say. */
typedef struct GlobalOptions {
        char *root;       /* NULL: the default of the manager */
        char *log;        /* NULL, a file, or "journald:" with an identifier behind it */
        char *log_format; /* NULL, "text", "json" */
        char *log_level;  /* NULL, "error", "warning", "info", "debug" */
        gboolean debug;
        gboolean systemd_cgroup;
        char *cgroup_manager; /* NULL, "systemd", "cgroupfs", "disabled" */
        char *rootless;       /* accepted for runc's sake */
        gboolean version;
        const int *inherited_fds; /* open when the program was started, from 3 on */
        size_t n_inherited_fds;
} GlobalOptions;

typedef struct Command {
        const char *name;
        const char *arguments; /* "ID", "ID [SIGNAL]" */
        const char *summary;
        const GOptionEntry *options;
        int min_arguments;
        int max_arguments;
        bool options_end_at_id; /* what stands behind the first argument is no option of ours */
        int failure_status;     /* of the program when @run fails; 0: 1 */
        /**
         * check:
         * (nullable): fails when the command can't work on this host; --help fails then too, once it has
         * helped, so that an engine sees it
         */
        bool (*check)(GError **error);
        /**
         * run:
         * @arguments: (array zero-terminated=1): what stands behind the options
         * Returns the exit status, or -1 with @error set (main() reports it).
         */
        int (*run)(const GlobalOptions *global, char **arguments, GError **error);
} Command;

extern const Command command_create;
extern const Command command_start;
extern const Command command_state;
extern const Command command_kill;
extern const Command command_delete;
extern const Command command_run;
extern const Command command_exec;
extern const Command command_update;
extern const Command command_service;
extern const Command command_features;
extern const Command command_help;
extern const Command command_list;
extern const Command command_ps;
extern const Command command_spec;
extern const Command command_pause;
extern const Command command_resume;
extern const Command command_events;
extern const Command command_checkpoint;
extern const Command command_restore;

/**
 * command_root:
 * Returns (transfer full): the state root that @global names or the default; NULL with @error set.
 */
char *command_root(const GlobalOptions *global, GError **error);

/**
 * command_open:
 * Opens the container that a command names.
 */
Container *command_open(const GlobalOptions *global, const char *id, GError **error);
