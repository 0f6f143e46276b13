/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Mount points in a rootfs whose links lead anywhere: they are made inside, and nothing outside changes. */

#include "init/target.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

/* A directory with "root" and "outside" in it. */
typedef struct Fixture {
        char *path;
        int root_fd;
        int proc_fd;
} Fixture;

static void run(const Fixture *fixture, const char *script) {
        g_autofree char *command = g_strdup_printf("cd '%s/root' && %s", fixture->path, script);
        const char *argv[] = {"/bin/sh", "-ec", command, NULL};
        int status;

        g_assert_true(g_spawn_sync(NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
        g_assert_cmpint(status, ==, 0);
}

static void set_up(Fixture *fixture, gconstpointer data) {
        fixture->path = g_dir_make_tmp("target-XXXXXX", NULL);
        g_autofree char *root = g_build_filename(fixture->path, "root", NULL);
        g_autofree char *outside = g_build_filename(fixture->path, "outside", NULL);

        g_assert_cmpint(g_mkdir(root, 0755), ==, 0);
        g_assert_cmpint(g_mkdir(outside, 0755), ==, 0);
        fixture->root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        fixture->proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(fixture->root_fd, >=, 0);
        run(fixture,
            "mkdir d f-in-d; echo x >f; ln -s \"$PWD/../outside\" absolute; ln -s ../../outside up;"
            " ln -s d link; ln -s /new/dir dangling; ln -s gone/file dangling-file; ln -s dangling chain;"
            " ln -s loop-b loop-a; ln -s loop-a loop-b; ln -s dangling-file chain-file; ln -s a/../../../b "
            "odd");
}

static void tear_down(Fixture *fixture, gconstpointer data) {
        g_autofree char *command = g_strdup_printf("rm -rf '%s'", fixture->path);

        close(fixture->root_fd);
        close(fixture->proc_fd);
        g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
        g_free(fixture->path);
}

typedef struct Row {
        const char *path;
        bool directory;
        int error;         /* 0: it works */
        const char *lands; /* where, as seen from the root */
} Row;

static const Row rows[] = {
        {"/",              true,  0,        "/"           },
        {"/d",             true,  0,        "/d"          },
        {"d/",             true,  0,        "/d"          },
        {"/new",           true,  0,        "/new"        },
        {"/a/b/c",         true,  0,        "/a/b/c"      },
        {"/a/b/c",         false, 0,        "/a/b/c"      },
        {"/f",             false, 0,        "/f"          },
        {"/f",             true,  -ENOTDIR, NULL          },
        {"/f/x",           true,  -ENOTDIR, NULL          },
        {"/d",             false, 0,        "/d"          },
        {"/link/x",        true,  0,        "/d/x"        },
        {"/dangling",      true,  0,        "/new/dir"    },
        {"/dangling/x",    false, 0,        "/new/dir/x"  },
        {"/chain/x/y",     true,  0,        "/new/dir/x/y"},
        {"/dangling-file", false, 0,        "/gone/file"  },
        {"/chain-file",    false, 0,        "/gone/file"  },
        {"/loop-a",        true,  -ELOOP,   NULL          },
        {"/loop-a/x",      true,  -ELOOP,   NULL          },
        {"/../../../x",    true,  0,        "/x"          },
        {"/d/../y",        true,  0,        "/y"          },
        {"/odd",           true,  0,        "/b"          },
        {"/odd/z",         false, 0,        "/b/z"        },
};

static void test_rows(Fixture *fixture, gconstpointer data) {
        const Row *row = data;
        autoclose int fd = target_make(fixture->root_fd, row->path, row->directory, 0700);
        char path[PATH_MAX];
        struct stat status;

        if (row->error < 0) {
                g_assert_cmpint(fd, ==, row->error);
                return;
        }
        g_assert_cmpint(fd, >=, 0);
        g_assert_cmpint(target_path(fixture->proc_fd, fixture->root_fd, fd, path), ==, 0);
        g_assert_cmpstr(path, ==, row->lands);
        g_assert_cmpint(fstat(fd, &status), ==, 0);
        if (row->directory)
                g_assert_true(S_ISDIR(status.st_mode));
}

/* Links that lead out of the root lead to the same path inside it. */
static void test_outside(Fixture *fixture, gconstpointer data) {
        g_autofree char *outside = g_build_filename(fixture->path, "outside", NULL);
        g_autoptr(GDir) directory = NULL;
        static const char *const paths[] = {"/absolute/x", "/up/x", "/absolute/y/z", "/up/y/z"};

        for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
                autoclose int fd = target_make(fixture->root_fd, paths[i], /* directory= */ i % 2 == 0, 0755);
                char path[PATH_MAX];

                g_assert_cmpint(fd, >=, 0);
                g_assert_cmpint(target_path(fixture->proc_fd, fixture->root_fd, fd, path), ==, 0);
        }
        directory = g_dir_open(outside, 0, NULL);
        g_assert_null(g_dir_read_name(directory));
}

static void test_mode(Fixture *fixture, gconstpointer data) {
        mode_t old = umask(0);
        autoclose int fd = target_make(fixture->root_fd, "/m/n", /* directory= */ true, 01777);
        struct stat status;

        umask(old);
        g_assert_cmpint(fstat(fd, &status), ==, 0);
        g_assert_cmpuint(status.st_mode & 07777, ==, 01777);
        g_assert_cmpint(fstatat(fixture->root_fd, "m", &status, 0), ==, 0);
        g_assert_cmpuint(status.st_mode & 07777, ==, 0755);
}

static void test_foreign_path(Fixture *fixture, gconstpointer data) {
        autoclose int fd = open("/", O_PATH | O_CLOEXEC);
        char path[PATH_MAX];

        g_assert_cmpint(target_path(fixture->proc_fd, fixture->root_fd, fd, path), ==, -EXDEV);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *path = g_strdup_printf("/target/row/%zu", i);

                g_test_add(path, Fixture, &rows[i], set_up, test_rows, tear_down);
        }
        g_test_add("/target/outside", Fixture, NULL, set_up, test_outside, tear_down);
        g_test_add("/target/mode", Fixture, NULL, set_up, test_mode, tear_down);
        g_test_add("/target/foreign-path", Fixture, NULL, set_up, test_foreign_path, tear_down);
        return g_test_run();
}
