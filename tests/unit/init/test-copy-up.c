/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* tmpcopyup: what is in the directory arrives as it is. */

#include "init/copy-up.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

#include "base/auto.h"

/* Everything about a tree that has to be the same. */
static char *list_tree(const char *path) {
        g_autofree char *command =
                g_strdup_printf("cd '%s' && find . -mindepth 1 -printf '%%p %%y %%m %%U:%%G %%s %%l %%T@\\n' "
                                "| sed 's/\\(d.*\\) [0-9]*  /\\1  /'"
                                " | sort && cat f d/g",
                                path);
        const char *argv[] = {"/bin/sh", "-ec", command, NULL};
        char *output;
        int status;

        g_assert_true(g_spawn_sync(NULL, (char **) argv, NULL, 0, NULL, NULL, &output, NULL, &status, NULL));
        g_assert_cmpint(status, ==, 0);
        return output;
}

static void run(const char *directory, const char *script) {
        g_autofree char *command = g_strdup_printf("cd '%s' && %s", directory, script);
        const char *argv[] = {"/bin/sh", "-ec", command, NULL};
        int status;

        g_assert_true(g_spawn_sync(NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
        g_assert_cmpint(status, ==, 0);
}

static void test_tree(void) {
        g_autofree char *path = g_dir_make_tmp("copy-up-XXXXXX", NULL);
        g_autofree char *from = g_build_filename(path, "from", NULL),
                        *to = g_build_filename(path, "to", NULL);
        g_autofree char *expected = NULL, *found = NULL;
        autoclose int from_fd = -EBADF, to_fd = -EBADF;

        run(path, "mkdir -p from/d/e to; chmod 1751 from/d; echo hello >from/f; echo more >from/d/g; chmod "
                  "4711 from/f;"
                  " head -c 300000 /dev/zero >from/d/big; ln -s /nowhere from/l; mkfifo -m 640 from/p; : "
                  ">from/d/e/empty;"
                  " touch -d @1000 from/f; touch -h -d @0 from/l; touch -d @2000 from/d/e from/d");
        from_fd = open(from, O_PATH | O_DIRECTORY | O_CLOEXEC);
        to_fd = open(to, O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(copy_up(from_fd, to_fd), ==, 0);
        run(path, "for i in from to; do touch -h -d @0 $i/l $i/p; done");
        expected = list_tree(from);
        found = list_tree(to);
        g_assert_cmpstr(found, ==, expected);
        run(path, "cmp from/d/big to/d/big; rm -rf from to; rmdir ../$(basename $PWD)");
}

static void test_not_empty(void) {
        g_autofree char *path = g_dir_make_tmp("copy-up-XXXXXX", NULL);
        g_autofree char *from = g_build_filename(path, "from", NULL),
                        *to = g_build_filename(path, "to", NULL);
        autoclose int from_fd = -EBADF, to_fd = -EBADF;

        run(path, "mkdir from to; echo a >from/f; ln -s /tmp/elsewhere to/f");
        from_fd = open(from, O_PATH | O_DIRECTORY | O_CLOEXEC);
        to_fd = open(to, O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(copy_up(from_fd, to_fd), ==, -EEXIST);
        run(path, "rm -rf from to; rmdir ../$(basename $PWD)");
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/copy-up/tree", test_tree);
        g_test_add_func("/copy-up/not-empty", test_not_empty);
        return g_test_run();
}
