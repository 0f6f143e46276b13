/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Device nodes in a directory whose names somebody else changes all the time. */

#include "init/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/auto.h"

#define ROUNDS 20000

typedef struct Neighbour {
        int dir_fd;
        gint stop;
} Neighbour;

static gpointer exchange_names(gpointer data) {
        Neighbour *neighbour = data;

        while (!g_atomic_int_get(&neighbour->stop))
                renameat2(neighbour->dir_fd, "node", neighbour->dir_fd, "link", RENAME_EXCHANGE);
        return NULL;
}

static void test_a_name_that_becomes_a_link_is_not_followed(void) {
        g_autofree char *path = g_dir_make_tmp("devices-XXXXXX", NULL);
        g_autofree char *root = g_build_filename(path, "root", NULL);
        g_autofree char *outside = g_build_filename(path, "outside", NULL);
        g_autofree char *removal = g_strdup_printf("rm -rf '%s'", path);
        DevicePlan device = {NULL, (char *) "/dir/node", S_IFIFO | 0666, 0, 0, 1, 1};
        InitPlan plan = {.devices = &device, .n_devices = 1};
        Init init = {.plan = &plan, .helper_fd = -EBADF};
        Neighbour neighbour = {0};
        struct stat status;
        GThread *thread;

        if (geteuid() != 0) {
                g_test_skip("needs root");
                return;
        }
        g_assert_true(g_file_set_contents(outside, "", 0, NULL));
        g_assert_cmpint(g_chmod(outside, 0600), ==, 0);
        g_assert_cmpint(g_mkdir(root, 0755), ==, 0);
        init.rootfs_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(mkdirat(init.rootfs_fd, "dir", 0755), ==, 0);
        neighbour.dir_fd = openat(init.rootfs_fd, "dir", O_PATH | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(mknodat(neighbour.dir_fd, "node", S_IFIFO | 0600, 0), ==, 0);
        g_assert_cmpint(symlinkat(outside, neighbour.dir_fd, "link"), ==, 0);

        /* Undisturbed: what is there already gets the mode and the owner of the plan. */
        g_assert_cmpint(devices_make(&init, NULL), ==, 0);
        g_assert_cmpint(fstatat(neighbour.dir_fd, "node", &status, AT_SYMLINK_NOFOLLOW), ==, 0);
        g_assert_cmpint(status.st_mode, ==, S_IFIFO | 0666);
        g_assert_cmpuint(status.st_uid, ==, 1);
        g_assert_cmpuint(status.st_gid, ==, 1);

        thread = g_thread_new("neighbour", exchange_names, &neighbour);
        for (int i = 0; i < ROUNDS; i++)
                devices_make(&init, NULL);
        g_atomic_int_set(&neighbour.stop, 1);
        g_thread_join(thread);

        g_assert_cmpint(stat(outside, &status), ==, 0);
        g_assert_cmpint(status.st_mode, ==, S_IFREG | 0600);
        g_assert_cmpuint(status.st_uid, ==, 0);
        close(init.rootfs_fd);
        close(neighbour.dir_fd);
        g_assert_true(g_spawn_command_line_sync(removal, NULL, NULL, NULL, NULL));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/devices/name-becomes-link", test_a_name_that_becomes_a_link_is_not_followed);
        return g_test_run();
}
