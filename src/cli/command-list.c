/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun list: all containers below the state root. */

#include <stdio.h>
#include <string.h>

#include "base-glib/error.h"
#include "base-glib/one-line.h"
#include "cli/command.h"
#include "container/list.h"
#include "container/state.h"

#define CELL_SIZE_MAX 4096 /* a path */

static char *arg_format;
static gboolean arg_quiet;

static const GOptionEntry options[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &arg_format, "table (the default) or json", "FORMAT"},
        {"quiet",  'q', 0, G_OPTION_ARG_NONE,   &arg_quiet,  "Show the IDs only",           NULL    },
        G_OPTION_ENTRY_NULL,
};

static char *cell_id(const Container *container, ContainerStatus status) {
        return g_strdup(container->dir->id);
}

static char *cell_pid(const Container *container, ContainerStatus status) {
        return g_strdup_printf(
                "%d", container->facts && status != CONTAINER_STOPPED ? (int) container->facts->pid : 0);
}

static char *cell_status(const Container *container, ContainerStatus status) {
        return g_strdup(container_status_name(status));
}

static char *cell_bundle(const Container *container, ContainerStatus status) {
        return one_line(container->facts ? container->facts->bundle : "-", CELL_SIZE_MAX);
}

static char *cell_created(const Container *container, ContainerStatus status) {
        return container_created_text(container);
}

static char *cell_owner(const Container *container, ContainerStatus status) {
        return container_owner_name(container);
}

static char *cell_unit(const Container *container, ContainerStatus status) {
        return g_strdup(container->facts && container->facts->unit ? container->facts->unit : "-");
}

/* The first six are runc's, which scripts count on. */
static const struct {
        const char *heading;
        char *(*cell)(const Container *container, ContainerStatus status);
} columns[] = {
        {"ID",      cell_id     },
        {"PID",     cell_pid    },
        {"STATUS",  cell_status },
        {"BUNDLE",  cell_bundle },
        {"CREATED", cell_created},
        {"OWNER",   cell_owner  },
        {"UNIT",    cell_unit   },
};

static void print_table(const GPtrArray *containers) {
        enum { N = G_N_ELEMENTS(columns) };
        g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
        int width[N];

        for (size_t i = 0; i < N; i++) {
                g_ptr_array_add(cells, g_strdup(columns[i].heading));
                width[i] = (int) strlen(columns[i].heading);
        }
        for (guint row = 0; row < containers->len; row++) {
                const Container *container = g_ptr_array_index(containers, row);
                ContainerStatus status = container_status(container);

                for (size_t i = 0; i < N; i++) {
                        char *cell = columns[i].cell(container, status);

                        g_ptr_array_add(cells, cell);
                        width[i] = MAX(width[i], (int) g_utf8_strlen(cell, -1));
                }
        }
        for (guint i = 0; i < cells->len; i++) {
                const char *cell = g_ptr_array_index(cells, i);

                if (i % N < N - 1)
                        printf("%s%*s   ", cell, width[i % N] - (int) g_utf8_strlen(cell, -1), "");
                else
                        printf("%s\n", cell);
        }
}

static void print_ids(const GPtrArray *containers) {
        for (guint i = 0; i < containers->len; i++)
                puts(((const Container *) g_ptr_array_index(containers, i))->dir->id);
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        bool json = g_strcmp0(arg_format, "json") == 0;
        g_autofree char *root = NULL, *text = NULL;
        g_autoptr(GPtrArray) containers = NULL;

        if (arg_format && !json && strcmp(arg_format, "table") != 0) {
                fail_code(error, UNITRUN_ERROR_USAGE, "--format: invalid format option '%s': table or json",
                          arg_format);
                return -1;
        }
        root = command_root(global, error);
        containers = root ? container_list(root, /* may_be_missing= */ !global->root, error) : NULL;
        if (!containers)
                return -1;
        if (arg_quiet)
                print_ids(containers);
        else if (json)
                puts(text = container_states_json(containers));
        else
                print_table(containers);
        return 0;
}

const Command command_list = {
        .name = "list",
        .arguments = "",
        .summary = "Show the containers",
        .options = options,
        .min_arguments = 0,
        .max_arguments = 0,
        .run = run,
};
