/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"

#define FILE_SIZE_MAX ((size_t) 1 << 20)

char **search_path(bool user) {
        const char *given = g_getenv("UNITRUN_CONTAINER_DIRS"), *config = g_getenv("XDG_CONFIG_HOME"),
                   *home = g_getenv("HOME");
        static const char *const system_path[] = {"/etc/unitrun/containers", "/run/unitrun/containers",
                                                  "/usr/lib/unitrun/containers", NULL};
        g_autofree char *user_path = NULL;

        if (given)
                return g_strsplit(given, ":", -1);
        if (!user)
                return g_strdupv((char **) system_path);
        if (config && config[0] == '/')
                user_path = g_build_filename(config, "unitrun", "containers", NULL);
        else if (home && home[0] == '/')
                user_path = g_build_filename(home, ".config", "unitrun", "containers", NULL);
        return g_strsplit(user_path ? user_path : "", "\n", -1);
}

static bool is_masked(const struct stat *status) {
        return (S_ISREG(status->st_mode) && status->st_size == 0) || S_ISCHR(status->st_mode);
}

/* Collects the entries of @directory that end in @suffix: name to path, unless the name is there. A masked
 * one is there with an empty path. */
static bool collect(const char *directory, const char *suffix, GHashTable *found, GError **error) {
        g_autoptr(GError) local = NULL;
        g_autoptr(GDir) dir = g_dir_open(directory, 0, &local);
        const char *entry;

        if (!dir && (g_error_matches(local, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
                     g_error_matches(local, G_FILE_ERROR, G_FILE_ERROR_NOTDIR)))
                return true;
        if (!dir)
                return fail(error, "%s", local->message);
        while ((entry = g_dir_read_name(dir))) {
                g_autofree char *path = g_build_filename(directory, entry, NULL);
                size_t n = strlen(entry), suffix_size = strlen(suffix);
                g_autofree char *name = NULL;
                struct stat status;

                if (entry[0] == '.' || n <= suffix_size || !g_str_has_suffix(entry, suffix))
                        continue;
                name = g_strndup(entry, n - suffix_size);
                /* A link that leads nowhere is nothing. */
                if (g_hash_table_contains(found, name) || stat(path, &status) < 0)
                        continue;
                g_hash_table_insert(found, g_steal_pointer(&name),
                                    is_masked(&status) ? g_strdup("") : g_steal_pointer(&path));
        }
        return true;
}

static int compare_names(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* The names in @found that are not masked. */
static GPtrArray *sorted_names(GHashTable *found) {
        GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
        GHashTableIter iter;
        gpointer name, path;

        g_hash_table_iter_init(&iter, found);
        while (g_hash_table_iter_next(&iter, &name, &path))
                if (*(char *) path)
                        g_ptr_array_add(names, g_strdup(name));
        g_ptr_array_sort(names, compare_names);
        return names;
}

static GHashTable *new_table(void) {
        return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

GPtrArray *search_names(char *const *path, void (*tell)(const GError *error)) {
        g_autoptr(GHashTable) found = new_table();

        for (; *path; path++) {
                g_autoptr(GError) error = NULL;

                if (**path && !collect(*path, CONTAINER_SUFFIX, found, &error))
                        tell(error);
        }
        return sorted_names(found);
}

static bool parse_file(UnitFile *file, const char *path, GError **error) {
        autoclose int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        autofree char *text = NULL;
        struct stat status;
        size_t size;
        int r;

        if (fd < 0 || fstat(fd, &status) < 0)
                return fail_errno(error, errno, "%s", path);
        if (!S_ISREG(status.st_mode))
                return fail(error, "%s: is no regular file", path);
        r = fd_read_all(fd, FILE_SIZE_MAX, &text, &size);
        return r < 0 ? fail_errno(error, r, "%s", path) : unit_file_parse(file, text, size, path, error);
}

/* An instance has the template's drop-ins as well; its own win. */
static bool parse_drop_ins(UnitFile *file, char *const *path, const char *name, GError **error) {
        const char *at = strchr(name, '@');
        g_autofree char *template = at && at[1] ? g_strndup(name, (gsize) (at - name + 1)) : NULL;
        const char *const owners[] = {name, template, NULL};
        g_autoptr(GHashTable) found = new_table();
        g_autoptr(GPtrArray) names = NULL;

        for (const char *const *owner = owners; *owner; owner++)
                for (char *const *directory = path; *directory; directory++) {
                        g_autofree char *drop_ins =
                                g_strconcat(*directory, "/", *owner, CONTAINER_SUFFIX ".d", NULL);

                        if (**directory && !collect(drop_ins, ".conf", found, error))
                                return false;
                }
        names = sorted_names(found);
        for (guint i = 0; i < names->len; i++)
                if (!parse_file(file, g_hash_table_lookup(found, g_ptr_array_index(names, i)), error))
                        return false;
        return true;
}

UnitFile *search_load(char *const *path, const char *name, char **ret_path, GError **error) {
        g_autoptr(UnitFile) file = unit_file_new();

        for (char *const *directory = path; *directory; directory++) {
                g_autofree char *candidate = g_strconcat(*directory, "/", name, CONTAINER_SUFFIX, NULL);

                if (**directory == '\0' || access(candidate, F_OK) < 0)
                        continue;
                if (!parse_file(file, candidate, error) || !parse_drop_ins(file, path, name, error))
                        return NULL;
                *ret_path = g_steal_pointer(&candidate);
                return g_steal_pointer(&file);
        }
        fail(error, "%s" CONTAINER_SUFFIX ": went away", name);
        return NULL;
}
