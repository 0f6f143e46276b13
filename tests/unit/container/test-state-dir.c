/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* State directories: who wins, what counts as existing, what is left. And the facts in them. */

#include "container/state-dir.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/file.h"
#include "container/facts.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"

static char *new_root(void) {
        return g_dir_make_tmp("test-state-dir-XXXXXX", NULL);
}

static const struct {
        const char *id;
        bool good;
} id_cases[] = {
        {"a",         true },
        {"A.b_c+d-9", true },
        {"...",       true },
        {"",          false},
        {".",         false},
        {"..",        false},
        {"a/b",       false},
        {"-a",        false},
        {"a b",       false},
        {"a\n",       false},
        {"ä",        false},
        {"a@b",       false},
};

static void test_ids(void) {
        g_autofree char *long_id = g_strnfill(256, 'x');

        for (size_t i = 0; i < G_N_ELEMENTS(id_cases); i++) {
                g_autoptr(GError) error = NULL;

                g_test_message("'%s'", id_cases[i].id);
                g_assert_true(container_id_check(id_cases[i].id, &error) == id_cases[i].good);
                g_assert_true((error == NULL) == id_cases[i].good);
        }
        g_assert_false(container_id_check(long_id, NULL));
        long_id[255] = '\0';
        g_assert_true(container_id_check(long_id, NULL));
}

static void test_life(void) {
        g_autofree char *top = new_root(), *root = g_build_filename(top, "deeper", "root", NULL);
        g_autoptr(GError) error = NULL;
        bool leftover = true;
        struct stat status;

        g_assert_null(state_dir_open(root, "web", false, &error));
        g_assert_error(error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND);
        g_assert_nonnull(strstr(error->message, "does not exist"));
        g_clear_error(&error);

        g_autoptr(StateDir) dir = state_dir_create(root, "web", &leftover, &error);
        g_assert_no_error(error);
        g_assert_false(leftover);
        g_assert_no_errno(stat(dir->path, &status));
        g_assert_cmpuint(status.st_mode & 07777, ==, 0700);
        g_assert_true(state_dir_is_locked(dir));

        /* While it is locked nobody else can have it. */
        g_assert_null(state_dir_create(root, "web", &leftover, &error));
        g_assert_error(error, UNITRUN_ERROR, UNITRUN_ERROR_EXISTS);
        g_assert_nonnull(strstr(error->message, "container with given ID already exists"));
        g_clear_error(&error);

        /* Left without a commit, it is there for the taking. */
        file_replace(dir->fd, STATE_INTENT, "x", 1, 0600);
        g_clear_pointer(&dir, state_dir_free);
        dir = state_dir_create(root, "web", &leftover, &error);
        g_assert_no_error(error);
        g_assert_true(leftover);

        /* Committed, it is not. */
        file_replace(dir->fd, STATE_FACTS, "x", 1, 0600);
        g_clear_pointer(&dir, state_dir_free);
        g_assert_null(state_dir_create(root, "web", &leftover, &error));
        g_assert_error(error, UNITRUN_ERROR, UNITRUN_ERROR_EXISTS);
        g_clear_error(&error);

        dir = state_dir_open(root, "web", true, &error);
        g_assert_no_error(error);
        g_assert_true(state_dir_remove(dir, &error));
        g_assert_no_errno(rmdir(root));
        root[strlen(root) - strlen("/root")] = '\0';
        g_rmdir(root);
        g_rmdir(top);
}

static void test_of_somebody_else(void) {
        g_autofree char *root = new_root(), *path = g_build_filename(root, "web", NULL);
        g_autoptr(GError) error = NULL;
        bool leftover;

        if (geteuid() != 0) {
                g_test_skip("needs root");
                return;
        }
        g_assert_no_errno(g_mkdir(path, 0700));
        g_assert_no_errno(chown(path, 1, 1));
        for (int i = 0; i < 2; i++) {
                g_assert_null(state_dir_open(root, "web", /* lock= */ i == 1, &error));
                g_assert_nonnull(strstr(error->message, "belongs to user 1"));
                g_clear_error(&error);
                g_assert_null(state_dir_create(root, "web", &leftover, &error));
                g_assert_nonnull(strstr(error->message, "belongs to user 1"));
                g_clear_error(&error);
        }
        g_assert_no_errno(chown(path, 0, 0));
        g_assert_no_errno(g_chmod(path, 0770));
        g_assert_null(state_dir_open(root, "web", false, &error));
        g_assert_nonnull(strstr(error->message, "written by others"));
        g_assert_no_errno(g_rmdir(path));
        g_assert_no_errno(g_rmdir(root));
}

static gpointer look_for_a_moment(gpointer fd) {
        g_usleep(20000);
        flock(GPOINTER_TO_INT(fd), LOCK_UN);
        return NULL;
}

/* Somebody asks for the state of a container that is about to be made. */
static void test_lookers_are_not_creators(void) {
        g_autofree char *root = new_root(), *path = g_build_filename(root, "web", NULL);
        g_autoptr(GError) error = NULL;
        bool leftover;
        int fd;

        g_assert_no_errno(g_mkdir(path, 0700));
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        g_assert_no_errno(flock(fd, LOCK_SH));
        GThread *thread = g_thread_new("looker", look_for_a_moment, GINT_TO_POINTER(fd));
        g_autoptr(StateDir) dir = state_dir_create(root, "web", &leftover, &error);
        g_assert_no_error(error);
        g_thread_join(thread);
        close(fd);
        g_assert_true(state_dir_remove(dir, NULL));
        g_assert_no_errno(g_rmdir(root));
}

static void test_open_root(void) {
        g_autofree char *root = new_root();
        g_autoptr(GError) error = NULL;
        bool leftover;

        g_assert_no_errno(chmod(root, 0777));
        g_assert_null(state_dir_create(root, "web", &leftover, &error));
        g_assert_error(error, UNITRUN_ERROR, UNITRUN_ERROR_FAILED);
        g_rmdir(root);
}

static void test_facts(void) {
        g_autofree char *root = new_root();
        g_autoptr(GError) error = NULL;
        bool leftover;
        g_autoptr(StateDir) dir = state_dir_create(root, "web", &leftover, &error);
        Facts facts = {
                .unit = (char *) "a\\x2db.service",
                .bundle = (char *) "/tmp/with space\nand newline;#",
                .rootfs = (char *) "/tmp/root",
                .cgroup = (char *) "/system.slice/a.service",
                .user_manager = true,
                .pid = 4194304,
                .start_ticks = G_MAXUINT64,
                .created_usec = 1234567890123456,
                .owner = 4294967294,
                .own_pid_namespace = true,
        };

        g_assert_true(facts_write(&facts, dir->fd, STATE_FACTS, &error));
        g_autoptr(Facts) loaded = facts_load(dir->fd, STATE_FACTS, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(loaded->unit, ==, facts.unit);
        g_assert_cmpstr(loaded->bundle, ==, facts.bundle);
        g_assert_cmpstr(loaded->cgroup, ==, facts.cgroup);
        g_assert_cmpstr(loaded->rootfs, ==, facts.rootfs);
        g_assert_true(loaded->user_manager);
        g_assert_cmpint(loaded->pid, ==, facts.pid);
        g_assert_cmpuint(loaded->start_ticks, ==, facts.start_ticks);
        g_assert_cmpint(loaded->created_usec, ==, facts.created_usec);
        g_assert_cmpuint(loaded->owner, ==, facts.owner);
        g_assert_true(loaded->own_pid_namespace);

        g_assert_null(facts_load(dir->fd, "nothing", &error));
        g_assert_error(error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND);
        g_clear_error(&error);
        for (const char **text =
                     (const char *[]){"", "garbage", "[Container]\nPID=1\n", "[Container]\nUnit=a\n",
                                      "[Container]\nUnit=a\nBundle=/b\nRootfs=/r\nPID=-1\n", NULL};
             *text; text++) {
                file_replace(dir->fd, STATE_FACTS, *text, strlen(*text), 0600);
                g_assert_null(facts_load(dir->fd, STATE_FACTS, &error));
                g_assert_nonnull(error);
                g_clear_error(&error);
        }
        state_dir_remove(dir, NULL);
        g_rmdir(root);
}

static void test_status(void) {
        g_autofree char *root = new_root();
        bool leftover;
        g_autoptr(StateDir) dir = state_dir_create(root, "web", &leftover, NULL);
        StatusWord word;
        int value;

        g_assert_cmpint(status_read(dir->fd, &word, &value), ==, -ENOENT);
        g_assert_cmpint(status_write(dir->fd, STATUS_WORD_EXITED, 255), ==, 0);
        g_assert_cmpint(status_read(dir->fd, &word, &value), ==, 0);
        g_assert_cmpint(word, ==, STATUS_WORD_EXITED);
        g_assert_cmpint(value, ==, 255);
        g_assert_cmpint(status_write(dir->fd, STATUS_WORD_RUNNING, 3), ==, 0);
        g_assert_cmpint(status_read(dir->fd, &word, NULL), ==, 0);
        g_assert_cmpint(word, ==, STATUS_WORD_RUNNING);
        file_replace(dir->fd, STATE_STATUS, "runningx\n", 9, 0600);
        g_assert_cmpint(status_read(dir->fd, &word, NULL), ==, -EBADMSG);
        state_dir_remove(dir, NULL);
        g_rmdir(root);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container/id", test_ids);
        g_test_add_func("/container/state-dir/life", test_life);
        g_test_add_func("/container/state-dir/of-somebody-else", test_of_somebody_else);
        g_test_add_func("/container/state-dir/looker", test_lookers_are_not_creators);
        g_test_add_func("/container/state-dir/open-root", test_open_root);
        g_test_add_func("/container/facts", test_facts);
        g_test_add_func("/protocol/status", test_status);
        return g_test_run();
}
