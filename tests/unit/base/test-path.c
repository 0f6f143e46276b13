/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever a hostile root holds, what is opened or made lies inside it. */

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

typedef struct Fixture {
        char *top; /* holds outside/ and root/ */
        int root_fd;
} Fixture;

static char *below(Fixture *fixture, const char *name) {
        return g_build_filename(fixture->top, name, NULL);
}

static void make_link(Fixture *fixture, const char *target, const char *name) {
        g_autofree char *path = below(fixture, name);

        g_assert_no_errno(symlink(target, path));
}

static void make_dir(Fixture *fixture, const char *name) {
        g_autofree char *path = below(fixture, name);

        g_assert_no_errno(g_mkdir_with_parents(path, 0755));
}

static void set_up(Fixture *fixture, gconstpointer unused) {
        g_autofree char *root = NULL, *outside = NULL;

        fixture->top = g_dir_make_tmp("test-path-XXXXXX", NULL);
        make_dir(fixture, "outside");
        make_dir(fixture, "root/dir");
        outside = below(fixture, "outside");
        make_link(fixture, outside, "root/absolute");
        make_link(fixture, "../outside", "root/relative");
        make_link(fixture, "/dir", "root/inside");
        make_link(fixture, "nowhere", "root/dangling");
        make_link(fixture, "/proc/self/root", "root/magic");
        root = below(fixture, "root");
        fixture->root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(fixture->root_fd, >=, 0);
}

static void tear_down(Fixture *fixture, gconstpointer unused) {
        g_autofree char *command = g_strdup_printf("rm -rf '%s'", fixture->top);

        close(fixture->root_fd);
        g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL);
        g_free(fixture->top);
}

/* Where an fd leads, below the fixture's directory. */
static char *whereabouts(Fixture *fixture, int fd) {
        char link[PATH_OF_FD_SIZE];
        g_autofree char *real = g_file_read_link(path_of_fd(fd, link), NULL);

        g_assert_nonnull(real);
        g_assert_true(g_str_has_prefix(real, fixture->top));
        return g_strdup(real + strlen(fixture->top));
}

static void assert_outside_empty(Fixture *fixture) {
        g_autofree char *outside = below(fixture, "outside");
        g_autoptr(GDir) dir = g_dir_open(outside, 0, NULL);

        g_assert_cmpstr(g_dir_read_name(dir), ==, NULL);
}

static const struct {
        const char *path;
        const char *made; /* NULL: an error */
} make_dir_cases[] = {
        {"dir",           "/root/dir"      },
        {"/dir/a/b",      "/root/dir/a/b"  },
        {"inside/a",      "/root/dir/a"    },
        {"relative/x",    "/root/outside/x"}, /* ".." stops at the root, where outside is missing … */
        {"dangling",      NULL             }, /* a dangling link is not followed to be made */
        {"../../escape",  "/root/escape"   },
        {"magic/tmp/x",   NULL             },
        {"dir/../other/", "/root/other"    },
        {"",              "/root"          },
        {"/",             "/root"          },
};

static void test_make_dir(Fixture *fixture, gconstpointer unused) {
        for (size_t i = 0; i < G_N_ELEMENTS(make_dir_cases); i++) {
                autoclose int fd = path_make_dir_in_root(fixture->root_fd, make_dir_cases[i].path, 0755);

                g_test_message("%s: %d", make_dir_cases[i].path, fd);
                assert_outside_empty(fixture);
                if (fd >= 0) {
                        g_autofree char *where = whereabouts(fixture, fd);
                        g_assert_true(g_str_has_prefix(where, "/root"));
                        if (!g_str_has_prefix(make_dir_cases[i].path, "relative"))
                                g_assert_cmpstr(where, ==, make_dir_cases[i].made);
                } else
                        g_assert_true(make_dir_cases[i].made == NULL ||
                                      g_str_has_prefix(make_dir_cases[i].path, "relative"));
        }
}

static void test_make_file(Fixture *fixture, gconstpointer unused) {
        static const char *const paths[] = {"file",          "dir/new/file", "absolute/file",
                                            "relative/file", "magic/file",   "dangling"};

        for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
                autoclose int fd = path_make_file_in_root(fixture->root_fd, paths[i], 0644);

                assert_outside_empty(fixture);
                if (fd >= 0) {
                        g_autofree char *where = whereabouts(fixture, fd);
                        g_assert_true(g_str_has_prefix(where, "/root/"));
                }
                if (i < 2)
                        g_assert_cmpint(fd, >=, 0);
        }
}

static void test_magic_links(Fixture *fixture, gconstpointer unused) {
        g_assert_cmpint(path_open_in_root(fixture->root_fd, "absolute", O_PATH), ==, -ENOENT);
        g_assert_cmpint(path_open_in_root(fixture->root_fd, "dangling", O_PATH), ==, -ENOENT);

        autoclose int proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(path_open_in_root(proc_fd, "self/fd/0", O_PATH), ==, -ELOOP);
        g_assert_cmpint(path_open_in_root(proc_fd, "self/root/etc", O_PATH), ==, -ELOOP);
}

static void test_parent(Fixture *fixture, gconstpointer unused) {
        const char *name;

        for (const char **path = (const char *[]){"", "/", "dir/.", "dir/..", NULL}; *path; path++)
                g_assert_cmpint(path_open_parent_in_root(fixture->root_fd, *path, false, &name), ==, -EINVAL);
        autoclose int fd = path_open_parent_in_root(fixture->root_fd, "/inside/node", false, &name);
        g_autofree char *where = whereabouts(fixture, fd);
        g_assert_cmpstr(where, ==, "/root/dir");
        g_assert_cmpstr(name, ==, "node");
}

static void test_normal(void) {
        for (const char **path = (const char *[]){"/", "/a", "/a/b/", "a", "/a..b", NULL}; *path; path++)
                g_assert_true(path_is_normal(*path));
        for (const char **path = (const char *[]){"/a//b", "/./a", "/a/..", "..", "a/.", NULL}; *path; path++)
                g_assert_false(path_is_normal(*path));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add(name, Fixture, NULL, set_up, function, tear_down)
        ADD("/base/path/make-dir", test_make_dir);
        ADD("/base/path/make-file", test_make_file);
        ADD("/base/path/magic-links", test_magic_links);
        ADD("/base/path/parent", test_parent);
        g_test_add_func("/base/path/normal", test_normal);
        return g_test_run();
}
