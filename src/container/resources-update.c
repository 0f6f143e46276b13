/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Changes the files of a payload that is in use, all or nothing: what each of them said is kept, and written
 * back when a later one is refused. */

#include <stdio.h>
#include <string.h>

#include "base-glib/error.h"
#include "cgroup/group.h"
#include "container/resources-carry.h"

#define FILE_SIZE_MAX 65536

typedef struct FileUndo {
        char *file;
        char *before; /* what was in it */
        char *after;  /* what is written, or was tried to */
        char *in_use; /* of an empty list of CPUs or memory nodes: those that it stood for; else NULL */
} FileUndo;

struct ResourceUndo {
        GPtrArray *files; /* of FileUndo, in the order of writing */
};

static void file_undo_free(void *data) {
        FileUndo *undo = data;

        g_free(undo->file);
        g_free(undo->before);
        g_free(undo->after);
        g_free(undo->in_use);
        g_free(undo);
}

void resource_undo_free(ResourceUndo *undo) {
        if (!undo)
                return;
        g_ptr_array_unref(undo->files);
        g_free(undo);
}

/* Returns (transfer full) (nullable): NULL when it can't be read: there will be nothing to restore. */
static char *read_file(int payload_fd, const char *file) {
        g_autofree char *text = g_malloc(FILE_SIZE_MAX);

        return cgroup_read(payload_fd, file, text, FILE_SIZE_MAX) < 0 ? NULL : g_strdup(text);
}

static void remember(ResourceUndo *undo, int payload_fd, const char *file, const char *after) {
        char *before = read_file(payload_fd, file);
        FileUndo *one;

        if (!before)
                return;
        one = g_new0(FileUndo, 1);
        one->file = g_strdup(file);
        one->before = before;
        one->after = g_strdup(after);
        if (*before == '\0') {
                g_autofree char *effective = g_strdup_printf("%s.effective", file);

                one->in_use = read_file(payload_fd, effective);
        }
        g_ptr_array_add(undo->files, one);
}

/* What is said of a device that had no line before. */
static const char *line_of_no_limit(const char *file) {
        static const struct {
                const char *file, *line;
        } lines[] = {
                {"io.max",        "rbps=max wbps=max riops=max wiops=max"},
                {"io.weight",     "default"                              },
                {"io.bfq.weight", "default"                              },
                {"rdma.max",      "hca_handle=max hca_object=max"        },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
                if (strcmp(lines[i].file, file) == 0)
                        return lines[i].line;
        return NULL;
}

static bool names_device(char *const *lines, const char *device, size_t length) {
        for (; *lines; lines++)
                if (strncmp(*lines, device, length) == 0 && (*lines)[length] == ' ')
                        return true;
        return false;
}

static void undo_file(const FileUndo *undo, int payload_fd) {
        g_auto(GStrv) before = g_strsplit(undo->before, "\n", -1);
        g_auto(GStrv) after = g_strsplit(undo->after, "\n", -1);
        const char *no_limit = line_of_no_limit(undo->file);

        for (char **line = after; no_limit && *line; line++) {
                size_t length = strcspn(*line, " ");
                g_autofree char *reset = g_strdup_printf("%.*s %s", (int) length, *line, no_limit);

                if ((*line)[length] != '\0' && !names_device(before, *line, length))
                        cgroup_write(payload_fd, undo->file, reset);
        }
        /* A write of no bytes at all would not reach the kernel. It refuses to empty the list of a group with
         * processes in it (ENOSPC), which then gets what empty has meant so far. */
        if (!*before && cgroup_write(payload_fd, undo->file, "\n") < 0 && undo->in_use)
                cgroup_write(payload_fd, undo->file, undo->in_use);
        for (char **line = before; *line; line++)
                cgroup_write(payload_fd, undo->file, *line);
}

void resources_undo(const ResourceUndo *undo, int payload_fd) {
        for (guint i = undo->files->len; i > 0; i--)
                undo_file(g_ptr_array_index(undo->files, i - 1), payload_fd);
}

/* "5", "max", or the quota of "5 100000". */
static uint64_t leading_number(const char *text) {
        return g_str_has_prefix(text, "max") ? UINT64_MAX : g_ascii_strtoull(text, NULL, 10);
}

/* Lists and lines for devices have no order, and neither has the switch that has to come before the weight.
 */
static bool takes_away(const ResourceLimit *limit, int payload_fd) {
        g_autofree char *before = read_file(payload_fd, limit->file);

        return before && !strpbrk(limit->value, "\n:=-,") && strcmp(limit->file, "cpu.idle") != 0 &&
               leading_number(limit->value) < leading_number(before);
}

static GPtrArray *order_limits(const ResourcePlan *plan, int payload_fd) {
        GPtrArray *ordered = g_ptr_array_new();
        guint n_giving = 0;

        for (guint i = 0; i < plan->limits->len; i++) {
                ResourceLimit *limit = g_ptr_array_index(plan->limits, i);

                /* One that takes away goes before all of its kind so far. */
                if (takes_away(limit, payload_fd))
                        g_ptr_array_insert(ordered, (gint) n_giving, limit);
                else
                        g_ptr_array_insert(ordered, (gint) n_giving++, limit);
        }
        return ordered;
}

static bool apply_all(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd, ResourceUndo *undo,
                      GError **error) {
        g_autoptr(GPtrArray) ordered = order_limits(plan, payload_fd);

        for (guint i = 0; i < ordered->len; i++) {
                const ResourceLimit *limit = g_ptr_array_index(ordered, i);

                /* A group that stops being idle has the default weight. */
                if (strcmp(limit->file, "cpu.idle") == 0)
                        remember(undo, payload_fd, "cpu.weight", "");
                remember(undo, payload_fd, limit->file, limit->value);
                if (!resource_limit_apply(limit, unit_cgroup, payload_fd, error))
                        return false;
        }
        return true;
}

bool resources_apply_update(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd,
                            ResourceUndo **ret_undo, GError **error) {
        g_autoptr(ResourceUndo) undo = g_new0(ResourceUndo, 1);

        undo->files = g_ptr_array_new_with_free_func(file_undo_free);
        if (!resources_prepare(plan, unit_cgroup, payload_fd, error))
                return false;
        if (!apply_all(plan, unit_cgroup, payload_fd, undo, error)) {
                resources_undo(undo, payload_fd);
                return false;
        }
        *ret_undo = g_steal_pointer(&undo);
        return true;
}

void resources_present_load(int payload_fd, ResourcesPresent *ret_present) {
        ResourcesPresent present = {.memory_max = UINT64_MAX, .cpu_quota_usec = UINT64_MAX};
        g_autofree char *cpu_max = read_file(payload_fd, "cpu.max");
        const char *period = cpu_max ? strchr(cpu_max, ' ') : NULL;
        uint64_t idle = 0;

        cgroup_read_number(payload_fd, "memory.max", &present.memory_max);
        if (period) {
                present.cpu_quota_usec = leading_number(cpu_max);
                present.cpu_period_usec = g_ascii_strtoull(period + 1, NULL, 10);
        }
        present.cpu_idle = cgroup_read_number(payload_fd, "cpu.idle", &idle) >= 0 && idle == 1;
        *ret_present = present;
}
