/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* State directories: found, made, locked and removed. What the files in them mean is in facts.c and in the
 * rooms that write them. */

#include "container/state-dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "protocol/state-dir.h"

#define CREATE_ATTEMPTS 100 /* how often a deleter may take away what we just found */
#define HOLDER_USEC     2000

void state_dir_free(StateDir *dir) {
        if (!dir)
                return;
        if (dir->fd >= 0)
                close(dir->fd);
        g_free(dir->root);
        g_free(dir->id);
        g_free(dir->path);
        g_free(dir);
}

char *state_root_default(bool system, GError **error) {
        const char *runtime_dir = g_getenv("XDG_RUNTIME_DIR");

        if (system)
                return g_strdup("/run/unitrun");
        if (!runtime_dir || runtime_dir[0] != '/') {
                fail(error,
                     "XDG_RUNTIME_DIR is not set: where to keep the state of containers? Log in, or use "
                     "'loginctl enable-linger', or name a directory with --root");
                return NULL;
        }
        return g_build_filename(runtime_dir, "unitrun", NULL);
}

bool container_id_check(const char *id, GError **error) {
        size_t n = strlen(id);

        if (n == 0)
                return fail_code(error, UNITRUN_ERROR_USAGE, "the container ID is empty");
        if (n > NAME_MAX)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "the container ID has %zu bytes, at most %d are allowed", n, NAME_MAX);
        if (g_str_equal(id, ".") || g_str_equal(id, "..") || id[0] == '-' ||
            strspn(id, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_+-.") != n)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "invalid container ID '%s': it may have letters, digits, '_', '+', '-' and "
                                 "'.', and not "
                                 "start with '-'",
                                 id);
        return true;
}

static StateDir *state_dir_new(const char *root, const char *id) {
        StateDir *dir = g_new0(StateDir, 1);

        dir->root = g_strdup(root);
        dir->id = g_strdup(id);
        dir->path = g_build_filename(dir->root, id, NULL);
        dir->fd = -EBADF;
        return dir;
}

/* Whether the name still leads to the directory that we hold: between open and lock a deleter may have
 * removed it. */
static bool is_current(const StateDir *dir) {
        struct stat by_fd, by_name;

        return fstat(dir->fd, &by_fd) == 0 && lstat(dir->path, &by_name) == 0 &&
               by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
}

/* What stands in it is trusted: processes are killed and hooks are run because of it. */
static bool check_owner(const StateDir *dir, GError **error) {
        struct stat status;

        if (fstat(dir->fd, &status) < 0)
                return fail_errno(error, errno, "cannot look at the state directory '%s'", dir->path);
        if (status.st_uid != geteuid())
                return fail(error, "the state directory '%s' belongs to user %u, not to us (%u)", dir->path,
                            status.st_uid, geteuid());
        if (status.st_mode & (S_IWGRP | S_IWOTH))
                return fail(error, "the state directory '%s' can be written by others (mode %04o)", dir->path,
                            status.st_mode & 07777);
        return true;
}

static bool is_committed(const StateDir *dir) {
        return faccessat(dir->fd, STATE_FACTS, F_OK, 0) == 0;
}

static bool root_make(const StateDir *dir, GError **error) {
        struct stat status;

        if (g_mkdir_with_parents(dir->root, 0700) < 0)
                return fail_errno(error, errno, "cannot create the state root '%s'", dir->root);
        if (stat(dir->root, &status) < 0)
                return fail_errno(error, errno, "cannot use the state root '%s'", dir->root);
        if (status.st_uid != geteuid())
                return fail(error, "the state root '%s' belongs to user %u, not to us (%u)", dir->root,
                            status.st_uid, geteuid());
        if (status.st_mode & S_IWOTH && !(status.st_mode & S_ISVTX))
                return fail(error, "the state root '%s' can be written by everybody (mode %04o)", dir->root,
                            status.st_mode & 07777);
        return true;
}

static bool id_taken(const char *id, GError **error) {
        return fail_code(error, UNITRUN_ERROR_EXISTS, "container with given ID already exists: '%s'", id);
}

StateDir *state_dir_create(const char *root, const char *id, bool *ret_leftover, GError **error) {
        g_autoptr(StateDir) dir = state_dir_new(root, id);

        if (!root_make(dir, error))
                return NULL;
        for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
                bool made = mkdir(dir->path, 0700) == 0;
                autoclose int fd = -EBADF;

                if (!made && errno != EEXIST) {
                        fail_errno(error, errno, "cannot create the state directory '%s'", dir->path);
                        return NULL;
                }
                fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (fd < 0 && errno == ENOENT)
                        continue;
                if (fd < 0) {
                        fail_errno(error, errno, "cannot open the state directory '%s'", dir->path);
                        return NULL;
                }
                if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
                        /* state_dir_is_locked() of another process takes a shared lock for a moment; and a
                         * child of a creator that was killed has its exclusive one until it executes. */
                        g_usleep(HOLDER_USEC);
                        continue;
                }
                dir->fd = steal_fd(&fd);
                if (!is_current(dir)) {
                        close(dir->fd);
                        dir->fd = -EBADF;
                        continue;
                }
                if (!check_owner(dir, error))
                        return NULL;
                if (is_committed(dir)) {
                        id_taken(id, error);
                        return NULL;
                }
                *ret_leftover = !made;
                return g_steal_pointer(&dir);
        }
        id_taken(id, error);
        return NULL;
}

StateDir *state_dir_open(const char *root, const char *id, bool lock, GError **error) {
        g_autoptr(StateDir) dir = state_dir_new(root, id);

        dir->fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (dir->fd < 0 && errno != ENOENT) {
                fail_errno(error, errno, "cannot open the state directory '%s'", dir->path);
                return NULL;
        }
        if (dir->fd >= 0 && !check_owner(dir, error))
                return NULL;
        if (dir->fd >= 0 && lock)
                while (flock(dir->fd, LOCK_EX) < 0)
                        if (errno != EINTR) {
                                fail_errno(error, errno, "cannot lock the state directory '%s'", dir->path);
                                return NULL;
                        }
        if (dir->fd < 0 || !is_current(dir)) {
                fail_code(error, UNITRUN_ERROR_NOT_FOUND, "container '%s' does not exist", id);
                return NULL;
        }
        return g_steal_pointer(&dir);
}

bool state_dir_lock_again(StateDir *dir) {
        while (flock(dir->fd, LOCK_EX) < 0)
                if (errno != EINTR)
                        return false;
        return is_current(dir);
}

void state_dir_unlock(StateDir *dir) {
        flock(dir->fd, LOCK_UN);
}

bool state_dir_is_locked(StateDir *dir) {
        /* A second open file description, so that a lock of our own would be seen as well. */
        autoclose int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

/* Of directories there are only some with nothing but sockets in them. */
static int remove_entry(int dir_fd, const char *name) {
        autoclose int fd = -EBADF;
        DIR *stream;

        if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
                return 0;
        if (errno != EISDIR)
                return -errno;
        fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || !(stream = fdopendir(fd)))
                return -errno;
        for (struct dirent *entry; (entry = readdir(stream));)
                if (!g_str_equal(entry->d_name, ".") && !g_str_equal(entry->d_name, ".."))
                        unlinkat(fd, entry->d_name, 0);
        steal_fd(&fd);
        closedir(stream);
        return unlinkat(dir_fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT ? -errno : 0;
}

bool state_dir_clear(StateDir *dir, GError **error) {
        int list_fd;
        DIR *stream;

        if (unlinkat(dir->fd, STATE_FACTS, 0) < 0 && errno != ENOENT)
                return fail_errno(error, errno, "cannot remove '%s/%s'", dir->path, STATE_FACTS);
        list_fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (list_fd < 0 || !(stream = fdopendir(list_fd)))
                return fail_errno(error, errno, "cannot list '%s'", dir->path);
        for (struct dirent *entry; (entry = readdir(stream));) {
                if (g_str_equal(entry->d_name, ".") || g_str_equal(entry->d_name, ".."))
                        continue;
                int r = remove_entry(dir->fd, entry->d_name);
                if (r < 0) {
                        fail_errno(error, r, "cannot remove '%s/%s'", dir->path, entry->d_name);
                        closedir(stream);
                        return false;
                }
        }
        closedir(stream);
        return true;
}

bool state_dir_remove(StateDir *dir, GError **error) {
        for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
                if (!state_dir_clear(dir, error))
                        return false;
                if (rmdir(dir->path) == 0 || errno == ENOENT)
                        return true;
                if (errno != ENOTEMPTY && errno != EEXIST)
                        break;
                /* Whoever writes here is on the way out: its unit was stopped before. */
        }
        return fail_errno(error, errno, "cannot remove the state directory '%s'", dir->path);
}
