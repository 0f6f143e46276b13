/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Groups on ordinary directories: the files of a group are files, so what is read and written can be looked
 * at. What only the kernel does (moving, freezing) is tested in tests/system. */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup/group.h"
#include "cgroup/limits.h"

static char *directory;

static void put(const char *file, const char *text) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        g_autofree char *parent = g_path_get_dirname(path);

        g_mkdir_with_parents(parent, 0755);
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *get(const char *file) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        char *text = NULL;

        g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
        return text;
}

static int open_group(void) {
        int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

        g_assert_cmpint(fd, >=, 0);
        return fd;
}

static void test_numbers(void) {
        static const struct {
                const char *text;
                int result;
                uint64_t value;
        } rows[] = {
                {"42\n",                   0,        42        },
                {"max\n",                  0,        UINT64_MAX},
                {"0",                      0,        0         },
                {"18446744073709551615\n", 0,        UINT64_MAX},
                {"99999999999999999999\n", -EBADMSG, 0         },
                {"",                       -EBADMSG, 0         },
                {"1 2\n",                  -EBADMSG, 0         },
        };
        int fd = open_group();

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                uint64_t value = 0;

                put("memory.max", rows[i].text);
                g_assert_cmpint(cgroup_read_number(fd, "memory.max", &value), ==, rows[i].result);
                g_assert_cmpuint(value, ==, rows[i].value);
        }
        close(fd);
}

static void test_events_and_controllers(void) {
        CgroupEvents events;
        int fd = open_group();

        put("cgroup.events", "populated 1\nfrozen 0\n");
        g_assert_cmpint(cgroup_get_events(fd, &events), ==, 0);
        g_assert_true(events.populated);
        g_assert_false(events.frozen);
        g_assert_cmpint(cgroup_wait_empty(fd, 20), ==, -ETIMEDOUT);
        put("cgroup.events", "populated 0\nfrozen 1\n");
        g_assert_cmpint(cgroup_wait_empty(fd, 20), ==, 0);
        put("cgroup.freeze", "0");
        g_assert_cmpint(cgroup_freeze(fd, true, 20), ==, 0);

        put("cgroup.controllers", "cpuset cpu memory\n");
        g_assert_cmpint(cgroup_has_controller(fd, "cpu"), ==, 1);
        g_assert_cmpint(cgroup_has_controller(fd, "memory"), ==, 1);
        g_assert_cmpint(cgroup_has_controller(fd, "set"), ==, 0);
        g_assert_cmpint(cgroup_has_controller(fd, "pids"), ==, 0);
        close(fd);
}

static int compare_pids(const void *one, const void *other) {
        return *(const pid_t *) one - *(const pid_t *) other;
}

static void test_pids_of_the_whole_tree(void) {
        int fd = open_group();
        pid_t *pids = NULL;
        size_t n = 0;

        put("cgroup.procs", "10\n11\n");
        put("a/cgroup.procs", "12\n0\n");
        put("a/b/cgroup.procs", "");
        put(".control/cgroup.procs", "13\n");
        g_assert_cmpint(cgroup_get_pids(fd, &pids, &n), ==, 0);
        qsort(pids, n, sizeof(pids[0]), compare_pids);
        g_assert_cmpint(n, ==, 4);
        for (size_t i = 0; i < n; i++)
                g_assert_cmpint(pids[i], ==, 10 + (pid_t) i);
        free(pids);
        close(fd);
}

static void test_groups_are_made_and_removed(void) {
        int fd = open_group();
        int one = cgroup_make_sub(fd, "tree");
        int again = cgroup_make_sub(fd, "tree");
        int below = cgroup_make_sub(one, "below");

        g_assert_cmpint(one, >=, 0);
        g_assert_cmpint(again, >=, 0);
        g_assert_cmpint(below, >=, 0);
        g_assert_cmpint(cgroup_remove(fd, "tree"), ==, 0);
        g_assert_cmpint(cgroup_remove(fd, "tree"), ==, 0);
        g_assert_cmpint(cgroup_open_sub(fd, "tree"), ==, -ENOENT);
        close(one);
        close(again);
        close(below);
        close(fd);
}

static void test_limits_say_why_they_fail(void) {
        static const struct {
                CgroupLimit limit;
                int result;
                const char *text;
        } rows[] = {
                {{"memory.max", "100", false},     0,           ""                   },
                {{"pids.max", "100", false},       -EOPNOTSUPP, "controller 'pids'"  },
                {{"pids.max", "max", true},        0,           ""                   },
                {{"memory.nonsense", "1", false},  -EOPNOTSUPP, "no memory.nonsense" },
                {{"cgroup.max.depth", "1", false}, -EOPNOTSUPP, "no cgroup.max.depth"},
        };
        int fd = open_group();

        put("cgroup.controllers", "cpu memory\n");
        put("memory.max", "max\n");
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                char text[CGROUP_LIMIT_ERROR_SIZE] = "";
                size_t failed = 99;

                g_assert_cmpint(cgroup_apply_limits(fd, "x.service", &rows[i].limit, 1, &failed, text), ==,
                                rows[i].result);
                if (rows[i].result == 0)
                        continue;
                g_assert_cmpint(failed, ==, 0);
                g_assert_nonnull(strstr(text, rows[i].text));
                g_assert_nonnull(strstr(text, "x.service"));
        }
        {
                g_autofree char *written = get("memory.max");

                g_assert_cmpstr(written, ==, "100\n");
        }
        close(fd);
}

static void test_paths(void) {
        char path[CGROUP_PATH_SIZE];
        int r = cgroup_path_of(0, path);

        /* -ENODATA: a host without any v2 hierarchy. */
        if (r != -ENODATA) {
                g_assert_cmpint(r, ==, 0);
                g_assert_cmpint(path[0], ==, '/');
        }
        r = cgroup_open("/a/../b");
        g_assert_true(r == -EINVAL || r == -EMEDIUMTYPE || r == -ENOENT);
        g_assert_cmpint(cgroup_path_of(0x3ffffff, path), ==, -ESRCH);
}

static void remove_directory(void) {
        char *argv[] = {(char *) "rm", (char *) "-rf", directory, NULL};

        g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

int main(int argc, char **argv) {
        int result;

        g_test_init(&argc, &argv, NULL);
        directory = g_dir_make_tmp("cgroup-XXXXXX", NULL);
        g_test_add_func("/cgroup/group/numbers", test_numbers);
        g_test_add_func("/cgroup/group/events", test_events_and_controllers);
        g_test_add_func("/cgroup/group/pids", test_pids_of_the_whole_tree);
        g_test_add_func("/cgroup/group/make-and-remove", test_groups_are_made_and_removed);
        g_test_add_func("/cgroup/group/limits", test_limits_say_why_they_fail);
        g_test_add_func("/cgroup/group/paths", test_paths);
        result = g_test_run();
        remove_directory();
        g_free(directory);
        return result;
}
