/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/resctrl.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"

#ifndef RDTGROUP_SUPER_MAGIC
#define RDTGROUP_SUPER_MAGIC 0x7655821
#endif

#define FILE_SIZE_MAX ((size_t) 1 << 20)

void resctrl_group_clear(ResctrlGroup *group) {
        g_clear_pointer(&group->path, g_free);
        g_clear_pointer(&group->monitor, g_free);
}

const char *resctrl_mount(void) {
        const char *path = g_getenv(RESCTRL_VARIABLE);
        struct statfs status;

        if (path)
                return g_file_test(path, G_FILE_TEST_IS_DIR) ? path : NULL;
        return statfs(RESCTRL_MOUNT, &status) == 0 && status.f_type == RDTGROUP_SUPER_MAGIC ? RESCTRL_MOUNT
                                                                                            : NULL;
}

static char *read_text(const char *directory, const char *file) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        autofree char *text = NULL;

        return file_read(AT_FDCWD, path, FILE_SIZE_MAX, &text, NULL) < 0 ? NULL : g_strchomp(g_strdup(text));
}

static bool is_bandwidth(const char *line) {
        return g_str_has_prefix(line, "MB:");
}

char *resctrl_lines(const char *l3_cache_schema, const char *mem_bw_schema) {
        g_auto(GStrv) lines = g_strsplit(l3_cache_schema ? l3_cache_schema : "", "\n", -1);
        GString *text = g_string_new(NULL);

        for (char **line = lines; *line; line++)
                if (**line && !(mem_bw_schema && is_bandwidth(g_strchug(*line))))
                        g_string_append_printf(text, "%s\n", *line);
        if (mem_bw_schema)
                g_string_append_printf(text, "%s\n", mem_bw_schema);
        return g_string_free(text, FALSE);
}

static char *wanted_lines(const OciIntelRdt *rdt) {
        g_autofree char *lines = resctrl_lines(rdt->l3_cache_schema, rdt->mem_bw_schema),
                        *more = rdt->schemata ? g_strjoinv("\n", rdt->schemata) : g_strdup("");

        return g_strconcat(lines, more, *more ? "\n" : "", NULL);
}

bool resctrl_write(const ResctrlGroup *group, const char *lines, GError **error) {
        g_autofree char *path = g_build_filename(group->path, "schemata", NULL), *reason = NULL;
        const char *mount = resctrl_mount();
        int r = file_write(AT_FDCWD, path, lines);

        if (r >= 0)
                return true;
        if (mount)
                reason = read_text(mount, "info/last_cmd_status");
        return fail_errno(error, r, "cannot write '%s'%s%s%s", path, reason ? " (" : "", reason ? reason : "",
                          reason ? ")" : "");
}

/* Bit masks are hexadecimal with or without leading zeros, the bandwidth is a decimal number. */
static bool same_value(const char *a, const char *b, bool bandwidth) {
        int base = bandwidth ? 10 : 16;

        return g_ascii_strtoull(a, NULL, base) == g_ascii_strtoull(b, NULL, base);
}

static const char *find_part(char *const *parts, const char *name, size_t n) {
        for (; *parts; parts++) {
                const char *part = g_strchug(*parts);

                if (strncmp(part, name, n) == 0 && (part[n] == '=' || part[n] == ':'))
                        return part + n + 1;
        }
        return NULL;
}

/* Whether each value in @line, "L3:0=f;1=c0", is that of the group. Values that it does not name don't
 * matter. */
static bool line_holds(char *line, char *const *present) {
        size_t n = strcspn(g_strchug(line), ":");
        const char *values = find_part(present, line, n);
        g_auto(GStrv) have = g_strsplit(values ? values : "", ";", -1);
        g_auto(GStrv) want = g_strsplit(line[n] ? line + n + 1 : "", ";", -1);

        for (char **part = want; values && *part; part++) {
                size_t size = strcspn(g_strchug(*part), "=");
                const char *value = find_part(have, *part, size);

                if (**part &&
                    (!value || !(*part)[size] || !same_value(value, *part + size + 1, is_bandwidth(line))))
                        return false;
        }
        return values != NULL;
}

static bool check_present(const ResctrlGroup *group, const char *lines, GError **error) {
        g_autofree char *text = read_text(group->path, "schemata");
        g_auto(GStrv) present = g_strsplit(text ? text : "", "\n", -1), wanted = g_strsplit(lines, "\n", -1);

        for (char **line = wanted; *line; line++)
                if (**line && !line_holds(*line, present))
                        return fail(error,
                                    "linux.intelRdt: the group '%s' exists, and its schemata do not agree "
                                    "with '%s'",
                                    group->path, *line);
        return true;
}

/* Without a closID the group is this container's: one that is there was left by a create that was killed. */
static bool make_group(const OciIntelRdt *rdt, const char *lines, ResctrlGroup *group, GError **error) {
        bool exists = g_file_test(group->path, G_FILE_TEST_IS_DIR);

        if (rdt->clos_id && exists)
                return check_present(group, lines, error);
        if (rdt->clos_id && *lines == '\0')
                return fail(error,
                            "linux.intelRdt.closID: there is no group '%s', and no schemata to make one with",
                            group->path);
        if (!exists && mkdir(group->path, 0755) < 0)
                return fail_errno(error, errno, "linux.intelRdt: cannot make the group '%s'", group->path);
        group->made = true;
        return *lines == '\0' || resctrl_write(group, lines, error) || fail_prefix(error, "linux.intelRdt");
}

static bool make_monitor(const char *id, ResctrlGroup *group, GError **error) {
        g_autofree char *path = g_build_filename(group->path, "mon_groups", id, NULL);

        if (mkdir(path, 0755) < 0 && errno != EEXIST)
                return fail_errno(error, errno, "linux.intelRdt.enableMonitoring: cannot make the group '%s'",
                                  path);
        group->monitor = g_steal_pointer(&path);
        return true;
}

bool resctrl_make(const OciIntelRdt *rdt, const char *id, ResctrlGroup *ret_group, GError **error) {
        g_autofree char *lines = NULL;
        const char *mount = rdt ? resctrl_mount() : NULL, *name;

        *ret_group = (ResctrlGroup){0};
        if (!rdt)
                return true;
        if (!mount)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "linux.intelRdt: Intel RDT is not enabled: no resctrl file system is "
                                 "mounted on " RESCTRL_MOUNT);
        lines = wanted_lines(rdt);
        /* A group of its own where there is something to set; else the container stays in the root's. */
        name = rdt->clos_id ? rdt->clos_id : *lines ? id : "/";
        ret_group->path = g_str_equal(name, "/") ? g_strdup(mount) : g_build_filename(mount, name, NULL);
        if (g_str_equal(name, "/") ? !check_present(ret_group, lines, error)
                                   : !make_group(rdt, lines, ret_group, error))
                return false;
        return !rdt->enable_monitoring || make_monitor(id, ret_group, error);
}

static bool write_task(const char *group, const char *pid, GError **error) {
        g_autofree char *path = g_build_filename(group, "tasks", NULL);
        int r = file_write(AT_FDCWD, path, pid);

        return r >= 0 || fail_errno(error, r, "linux.intelRdt: cannot move process %s into '%s'", pid, group);
}

bool resctrl_join(const ResctrlGroup *group, pid_t pid, GError **error) {
        g_autofree char *text = g_strdup_printf("%d", (int) pid);

        return !group->path || (write_task(group->path, text, error) &&
                                (!group->monitor || write_task(group->monitor, text, error)));
}

static bool remove_directory(const char *path, GError **error) {
        return rmdir(path) == 0 || errno == ENOENT ||
               fail_errno(error, errno, "cannot remove the resctrl group '%s'", path);
}

/* The monitoring groups of a group go with it. */
bool resctrl_remove(const ResctrlGroup *group, GError **error) {
        if (!group->path)
                return true;
        if (group->made)
                return remove_directory(group->path, error);
        return !group->monitor || remove_directory(group->monitor, error);
}
