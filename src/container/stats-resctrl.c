/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a group of the resctrl file system may use and has used. The kernel's files have a line or a directory
 * for each kind of cache and each of its instances; names are runc's. */

#include <fcntl.h>
#include <string.h>

#include "base/auto.h"
#include "base/file.h"
#include "container/stats.h"

#define FILE_SIZE_MAX 65536

/* Returns (transfer full) (nullable) */
static char *read_text(const char *directory, const char *file) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        autofree char *text = NULL;

        return file_read(AT_FDCWD, path, FILE_SIZE_MAX, &text, NULL) < 0 ? NULL : g_strstrip(g_strdup(text));
}

static void begin_member(GString *json, const char *name) {
        if (json->len > 0 && !strchr("{[", json->str[json->len - 1]))
                g_string_append_c(json, ',');
        if (name)
                g_string_append_printf(json, "\"%s\":", name);
}

/* The kernel's texts hold nothing that JSON would have to escape; from elsewhere they are left out. */
static void add_text(GString *json, const char *name, const char *text) {
        for (const char *at = text; at && *at; at++)
                if (*at == '"' || *at == '\\' || (unsigned char) *at < ' ')
                        return;
        if (!text || !*text)
                return;
        begin_member(json, name);
        g_string_append_printf(json, "\"%s\"", text);
}

static void add_number(GString *json, const char *name, const char *text) {
        guint64 number;

        if (!text || !g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL))
                return;
        begin_member(json, name);
        g_string_append_printf(json, "%" G_GUINT64_FORMAT, number);
}

/* The line of "schemata" that begins with @kind. */
static void add_schema(GString *json, const char *name, const char *directory, const char *kind) {
        g_autofree char *text = read_text(directory, "schemata");
        g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

        for (char **line = lines; *line; line++)
                if (g_str_has_prefix(g_strstrip(*line), kind))
                        add_text(json, name, *line);
}

static void add_info(GString *json, const char *name, const char *info, const char *kind,
                     const char *text_file, const char *const *number_files) {
        g_autofree char *path = g_build_filename(info, kind, NULL);
        g_autofree char *text = text_file ? read_text(path, text_file) : NULL;

        if (!g_file_test(path, G_FILE_TEST_IS_DIR))
                return;
        begin_member(json, name);
        g_string_append_c(json, '{');
        if (text_file)
                add_text(json, text_file, text);
        for (; *number_files; number_files++) {
                g_autofree char *number = read_text(path, *number_files);

                add_number(json, *number_files, number);
        }
        g_string_append_c(json, '}');
}

/* An entry for each instance of the cache: "mon_L3_00", …. */
static void add_monitored(GString *json, const char *name, const char *group, const char *const *files) {
        g_autofree char *path = g_build_filename(group, "mon_data", NULL);
        g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
        const char *entry;

        if (!dir)
                return;
        begin_member(json, name);
        g_string_append_c(json, '[');
        while ((entry = g_dir_read_name(dir))) {
                g_autofree char *instance = g_build_filename(path, entry, NULL);

                if (!g_str_has_prefix(entry, "mon_L3_"))
                        continue;
                begin_member(json, NULL);
                g_string_append_c(json, '{');
                for (const char *const *file = files; *file; file++) {
                        g_autofree char *number = read_text(instance, *file);

                        add_number(json, *file, number);
                }
                g_string_append_c(json, '}');
        }
        g_string_append_c(json, ']');
}

char *stats_of_resctrl(const ResctrlGroup *group) {
        static const char *const cache[] = {"min_cbm_bits", "num_closids", NULL},
                                 *const bandwidth[] = {"bandwidth_gran", "delay_linear", "min_bandwidth",
                                                       "num_closids", NULL},
                                 *const used_bandwidth[] = {"mbm_total_bytes", "mbm_local_bytes", NULL},
                                 *const used_cache[] = {"llc_occupancy", NULL};
        const char *mount = group->path ? resctrl_mount() : NULL,
                   *monitored = group->monitor ? group->monitor : group->path;
        GString *json = g_string_new("{");
        g_autofree char *info = mount ? g_build_filename(mount, "info", NULL) : NULL;

        if (mount) {
                add_info(json, "l3_cache_info", info, "L3", "cbm_mask", cache);
                add_schema(json, "l3_cache_schema_root", mount, "L3:");
                add_schema(json, "l3_cache_schema", group->path, "L3:");
                add_info(json, "mem_bw_info", info, "MB", NULL, bandwidth);
                add_schema(json, "mem_bw_schema_root", mount, "MB:");
                add_schema(json, "mem_bw_schema", group->path, "MB:");
                add_monitored(json, "mbm_stats", monitored, used_bandwidth);
                add_monitored(json, "cmt_stats", monitored, used_cache);
        }
        g_string_append_c(json, '}');
        return g_string_free(json, FALSE);
}
