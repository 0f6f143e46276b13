/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which of several files of one name counts, what masks it, and what its drop-ins add. */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/search.h"

static void must_not(const GError *error) {
        g_error("%s", error->message);
}

static void put(const char *directory, const char *name, const char *text) {
        g_autofree char *path = g_build_filename(directory, name, NULL), *above = g_path_get_dirname(path);

        g_mkdir_with_parents(above, 0755);
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *names_in(char *const *path) {
        g_autoptr(GPtrArray) names = search_names(path, must_not);

        g_ptr_array_add(names, NULL);
        return g_strjoinv(" ", (char **) names->pdata);
}

static char *load(char *const *path, const char *name) {
        g_autofree char *file_path = NULL;
        g_autoptr(GError) error = NULL;
        g_autoptr(UnitFile) file = search_load(path, name, &file_path, &error);
        GString *text = g_string_new(NULL);

        if (!file) {
                g_string_append(text, error->message);
                return g_string_free(text, FALSE);
        }
        for (guint i = 0; i < file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(file->lines, i);

                g_string_append_printf(text, "%s=%s ", line->key, line->value);
        }
        return g_string_free(text, FALSE);
}

static void remove_all(const char *path) {
        g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
        const char *name;

        while (dir && (name = g_dir_read_name(dir))) {
                g_autofree char *entry = g_build_filename(path, name, NULL);

                if (g_file_test(entry, G_FILE_TEST_IS_DIR) && !g_file_test(entry, G_FILE_TEST_IS_SYMLINK))
                        remove_all(entry);
                else
                        g_unlink(entry);
        }
        g_rmdir(path);
}

static void test_search(void) {
        g_autofree char *top = g_dir_make_tmp("test-search-XXXXXX", NULL),
                        *etc = g_build_filename(top, "etc", NULL), *usr = g_build_filename(top, "usr", NULL),
                        *link = g_build_filename(etc, "masked.container", NULL),
                        *dangling = g_build_filename(etc, "dangling.container", NULL),
                        *fifo = g_build_filename(etc, "fifo.container", NULL), *names = NULL,
                        *fifo_text = NULL;
        char *const path[] = {etc, top /* nothing in it */, usr, (char *) "/nosuch", (char *) "", NULL};
        static const struct {
                const char *name, *lines;
        } loads[] = {
                {"a",   "K=etc A=1 B=etc C=usr " },
                {"b",   "K=usr "                 },
                {"t@x", "K=usr D=template E=own "},
        };

        put(etc, "a.container", "[A]\nK=etc\n");
        put(usr, "a.container", "[A]\nK=usr\n");
        put(usr, "b.container", "[A]\nK=usr\n");
        put(usr, "masked.container", "[A]\nK=usr\n");
        put(usr, "empty.container", "[A]\nK=usr\n");
        put(etc, "empty.container", "");
        put(etc, "notes.txt", "x");
        put(etc, ".hidden.container", "x");
        put(usr, "t@.container", "[A]\nK=usr\n");
        put(usr, "t@x.container", "[A]\nK=usr\n");
        put(usr, "t@.container.d/1.conf", "[A]\nD=template\n");
        put(usr, "t@.container.d/2.conf", "[A]\nE=template\n");
        put(usr, "t@x.container.d/2.conf", "[A]\nE=own\n");
        put(etc, "a.container.d/10-a.conf", "[A]\nA=1\n");
        put(etc, "a.container.d/20-b.conf", "[A]\nB=etc\n");
        put(usr, "a.container.d/20-b.conf", "[A]\nB=usr\n");
        put(usr, "a.container.d/30-c.conf", "[A]\nC=usr\n");
        put(usr, "a.container.d/40-d.conf", "[A]\nD=usr\n");
        put(etc, "a.container.d/40-d.conf", "");
        put(etc, "a.container.d/readme", "x");
        g_assert_cmpint(symlink("/dev/null", link), ==, 0);
        g_assert_cmpint(symlink("nowhere", dangling), ==, 0);
        names = names_in(path);
        g_assert_cmpstr(names, ==, "a b t@ t@x");
        for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
                g_autofree char *lines = load(path, loads[i].name);

                g_assert_cmpstr(lines, ==, loads[i].lines);
        }
        g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
        fifo_text = load(path, "fifo");
        g_assert_nonnull(strstr(fifo_text, "is no regular file"));
        remove_all(top);
}

static void test_paths(void) {
        g_auto(GStrv) system_path = NULL, user_path = NULL, given = NULL;

        g_unsetenv("UNITRUN_CONTAINER_DIRS");
        g_setenv("XDG_CONFIG_HOME", "/x", TRUE);
        system_path = search_path(false);
        user_path = search_path(true);
        g_assert_cmpstr(system_path[0], ==, "/etc/unitrun/containers");
        g_assert_cmpuint(g_strv_length(system_path), ==, 3);
        g_assert_cmpstr(user_path[0], ==, "/x/unitrun/containers");
        g_setenv("UNITRUN_CONTAINER_DIRS", "/a:/b", TRUE);
        given = search_path(true);
        g_assert_cmpuint(g_strv_length(given), ==, 2);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/search/files", test_search);
        g_test_add_func("/search/paths", test_paths);
        return g_test_run();
}
