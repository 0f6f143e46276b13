/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun checkpoint ID */

#include "base-glib/error.h"
#include "cli/command.h"
#include "cli/criu-options.h"
#include "container/checkpoint.h"
#include "container/removal.h"

static char *arg_parent_path, *arg_page_server;
static gboolean arg_leave_running, arg_pre_dump, arg_link_remap, arg_tcp_skip_in_flight;
static int arg_status_fd = -1;

/* clang-format off */
static const GOptionEntry options[] = {
        CRIU_OPTIONS,
        {"leave-running", 0, 0, G_OPTION_ARG_NONE, &arg_leave_running, "Let the container go on", NULL},
        {"pre-dump", 0, 0, G_OPTION_ARG_NONE, &arg_pre_dump, "Only write memory, and let the container go on", NULL},
        {"parent-path", 0, 0, G_OPTION_ARG_FILENAME, &arg_parent_path, "Image of an earlier pre-dump, relative to this one", "DIR"},
        {"page-server", 0, 0, G_OPTION_ARG_STRING, &arg_page_server, "Send memory to criu's page server", "ADDRESS:PORT"},
        {"status-fd", 0, 0, G_OPTION_ARG_INT, &arg_status_fd, "With --lazy-pages: criu writes there when it is ready to send", "FD"},
        {"link-remap", 0, 0, G_OPTION_ARG_NONE, &arg_link_remap, "Allow open files whose name was removed but one", NULL},
        {"tcp-skip-in-flight", 0, 0, G_OPTION_ARG_NONE, &arg_tcp_skip_in_flight, "Leave out TCP connections that are not established yet", NULL},
        G_OPTION_ENTRY_NULL,
};
/* clang-format on */

/* The processes are gone; like runc, who has them in the image wants the rest gone as well. */
static bool remove_container(const GlobalOptions *global, Container *container, GError **error) {
        g_autofree char *root = command_root(global, error);

        return root && container_delete(root, container->dir->id, /* force= */ true, error);
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = command_open(global, arguments[0], error);
        g_auto(CriuOptions) criu = {0};

        if (!container || !criu_options_make(&criu, error))
                return -1;
        criu.parent_path = arg_parent_path;
        criu.page_server = arg_page_server;
        criu.leave_running = arg_leave_running;
        criu.pre_dump = arg_pre_dump;
        criu.link_remap = arg_link_remap;
        criu.tcp_skip_in_flight = arg_tcp_skip_in_flight;
        criu.status_fd = arg_status_fd;
        if (!container_checkpoint(container, &criu, error))
                return -1;
        return arg_leave_running || arg_pre_dump || remove_container(global, container, error) ? 0 : -1;
}

const Command command_checkpoint = {
        .name = "checkpoint",
        .arguments = "ID",
        .summary = "Write the state of a running container to an image",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .check = criu_check,
        .run = run,
};
