/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/criu.h"

/* The options that `checkpoint` and `restore` share. */

/**
 * CRIU_OPTIONS:
 * The rows for a command's GOptionEntry array. They fill one set of variables: a process runs one command.
 */
extern char *arg_criu_image_path, *arg_criu_work_path, *arg_criu_cgroups_mode, *arg_criu_empty_ns,
        *arg_criu_program;
extern gboolean arg_criu_tcp, arg_criu_unix, arg_criu_shell_job, arg_criu_file_locks, arg_criu_lazy_pages,
        arg_criu_auto_dedup;

/* clang-format off */
#define CRIU_OPTIONS                                                                                                          \
        {"image-path", 0, 0, G_OPTION_ARG_FILENAME, &arg_criu_image_path, "The image's directory (default: checkpoint)", "DIR"}, \
        {"work-path", 0, 0, G_OPTION_ARG_FILENAME, &arg_criu_work_path, "Where criu's log goes (default: the image's directory)", "DIR"}, \
        {"tcp-established", 0, 0, G_OPTION_ARG_NONE, &arg_criu_tcp, "Keep established TCP connections", NULL},                \
        {"ext-unix-sk", 0, 0, G_OPTION_ARG_NONE, &arg_criu_unix, "Allow sockets that are connected to the outside", NULL},    \
        {"shell-job", 0, 0, G_OPTION_ARG_NONE, &arg_criu_shell_job, "Allow a terminal that is the caller's", NULL},           \
        {"file-locks", 0, 0, G_OPTION_ARG_NONE, &arg_criu_file_locks, "Allow locked files", NULL},                            \
        {"lazy-pages", 0, 0, G_OPTION_ARG_NONE, &arg_criu_lazy_pages, "Move memory when it is needed", NULL},                 \
        {"auto-dedup", 0, 0, G_OPTION_ARG_NONE, &arg_criu_auto_dedup, "Remove what is in the image twice", NULL},             \
        {"manage-cgroups-mode", 0, 0, G_OPTION_ARG_STRING, &arg_criu_cgroups_mode, "soft, full, strict or ignore", "MODE"},   \
        {"empty-ns", 0, 0, G_OPTION_ARG_STRING, &arg_criu_empty_ns, "network: without what is in that namespace", "NAMESPACE"}, \
        {"criu", 0, 0, G_OPTION_ARG_FILENAME, &arg_criu_program, "Accepted and ignored", "PROGRAM"}
/* clang-format on */

/**
 * criu_options_make:
 * @ret: all but what is one command's alone; release with criu_options_clear()
 */
bool criu_options_make(CriuOptions *ret, GError **error);
void criu_options_clear(CriuOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CriuOptions, criu_options_clear)
