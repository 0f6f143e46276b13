/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which processes a container has. The kernel's answer, by its control group: processes of exec and of groups
 * that the container has made itself are among them, whatever pid namespace they are in. */

#include "container/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"

static int compare_pids(const void *a, const void *b) {
        pid_t x = *(const pid_t *) a, y = *(const pid_t *) b;

        return x < y ? -1 : x > y;
}

bool container_get_pids(const Container *container, GArray **ret_pids, GError **error) {
        ContainerStatus status = container_status(container);
        g_autofree char *payload = NULL;
        autoclose int fd = -EBADF;
        autofree pid_t *pids = NULL;
        size_t n;
        int r;

        if (status == CONTAINER_CREATING || status == CONTAINER_STOPPED)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                                 container->dir->id);
        payload = cgroup_path_payload(container->facts->cgroup);
        if (!payload)
                return fail_code(
                        error, UNITRUN_ERROR_UNSUPPORTED,
                        "the processes of container '%s' can't be told from others: it has no control group "
                        "(--cgroup-manager=disabled)",
                        container->dir->id);
        fd = cgroup_open(payload);
        r = fd < 0 ? fd : cgroup_get_pids(fd, &pids, &n);
        if (r == -ENOENT || r == -ENODEV)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                                 container->dir->id);
        if (r < 0)
                return fail_errno(error, r, "cannot list the processes of '%s'", payload);
        *ret_pids = g_array_sized_new(FALSE, FALSE, sizeof(pid_t), (guint) n);
        g_array_append_vals(*ret_pids, pids, (guint) n);
        g_array_sort(*ret_pids, compare_pids);
        return true;
}

/* The words of @line; ps separates columns with spaces only. */
static char **split_words(const char *line) {
        g_auto(GStrv) parts = g_strsplit_set(line, " \t", -1);
        g_autoptr(GStrvBuilder) words = g_strv_builder_new();

        for (char **part = parts; *part; part++)
                if (**part != '\0')
                        g_strv_builder_add(words, *part);
        return g_strv_builder_end(words);
}

static bool is_among(const GArray *pids, const char *word) {
        char *end;
        long number = strtol(word, &end, 10);
        pid_t pid = (pid_t) number;

        return *word != '\0' && *end == '\0' &&
               bsearch(&pid, pids->data, pids->len, sizeof(pid_t), compare_pids) != NULL;
}

char *processes_filter(const char *table, const GArray *pids, GError **error) {
        g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
        g_auto(GStrv) headings = split_words(lines[0] ? lines[0] : "");
        g_autoptr(GString) text = g_string_new(NULL);
        size_t column = 0;

        while (headings[column] && strcmp(headings[column], "PID") != 0)
                column++;
        if (!headings[column]) {
                fail(error,
                     "ps shows no column PID, without which the processes of the container can't be told");
                return NULL;
        }
        for (size_t i = 0; lines[i] && *lines[i]; i++) {
                g_auto(GStrv) words = split_words(lines[i]);

                if (i == 0 || (g_strv_length(words) > column && is_among(pids, words[column])))
                        g_string_append_printf(text, "%s\n", lines[i]);
        }
        return g_string_free(g_steal_pointer(&text), FALSE);
}
