/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recursive copy by fds, from the image into a new tmpfs that nobody sees yet. */

#include "init/copy-up.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/auto.h"

#define MAX_DEPTH       128
#define XATTR_LIST_SIZE 4096
#define SEND_SIZE       ((size_t) 1 << 30)

/* Best effort, as with cp -p: a tmpfs takes only some kinds of attributes. */
static void copy_attributes(int from_fd, int to_fd) {
        char names[XATTR_LIST_SIZE], value[XATTR_LIST_SIZE];
        ssize_t n_names = flistxattr(from_fd, names, sizeof(names));

        for (const char *name = names; n_names > 0 && name < names + n_names; name += strlen(name) + 1) {
                ssize_t n = fgetxattr(from_fd, name, value, sizeof(value));

                if (n >= 0)
                        fsetxattr(to_fd, name, value, (size_t) n, 0);
        }
}

/* Owner first: changing it clears set-id bits. */
static int copy_metadata(int from_fd, int to_fd, const struct stat *status) {
        const struct timespec times[] = {status->st_atim, status->st_mtim};

        if (fchown(to_fd, status->st_uid, status->st_gid) < 0 || fchmod(to_fd, status->st_mode & 07777) < 0)
                return -errno;
        copy_attributes(from_fd, to_fd);
        return futimens(to_fd, times) < 0 ? -errno : 0;
}

static int copy_file(int from_dir_fd, int to_dir_fd, const char *name, const struct stat *status) {
        autoclose int from_fd =
                openat(from_dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        autoclose int to_fd =
                from_fd < 0
                        ? -EBADF
                        : openat(to_dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        ssize_t n;

        if (to_fd < 0)
                return -errno;
        while ((n = sendfile(to_fd, from_fd, NULL, SEND_SIZE)) > 0)
                ;
        return n < 0 ? -errno : copy_metadata(from_fd, to_fd, status);
}

static int copy_link(int from_dir_fd, int to_dir_fd, const char *name, const struct stat *status) {
        char target[PATH_MAX];
        ssize_t n = readlinkat(from_dir_fd, name, target, sizeof(target) - 1);

        if (n < 0)
                return -errno;
        target[n] = '\0';
        if (symlinkat(target, to_dir_fd, name) < 0 ||
            fchownat(to_dir_fd, name, status->st_uid, status->st_gid, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        return 0;
}

static int copy_node(int to_dir_fd, const char *name, const struct stat *status) {
        if (mknodat(to_dir_fd, name, status->st_mode, status->st_rdev) < 0 ||
            fchownat(to_dir_fd, name, status->st_uid, status->st_gid, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        return fchmodat(to_dir_fd, name, status->st_mode & 07777, 0) < 0 ? -errno : 0;
}

static int copy_directory(int from_fd, int to_fd, dev_t device, unsigned depth);

static int copy_subdirectory(int from_dir_fd, int to_dir_fd, const char *name, dev_t device, unsigned depth) {
        autoclose int from_fd = openat(from_dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        autoclose int to_fd = -EBADF;

        if (from_fd < 0 || mkdirat(to_dir_fd, name, 0700) < 0)
                return -errno;
        to_fd = openat(to_dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return to_fd < 0 ? -errno : copy_directory(from_fd, to_fd, device, depth + 1);
}

static int copy_entry(int from_fd, int to_fd, const char *name, dev_t device, unsigned depth) {
        struct stat status;

        if (fstatat(from_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        if (status.st_dev != device)
                return 0;
        switch (status.st_mode & S_IFMT) {
        case S_IFDIR:
                return copy_subdirectory(from_fd, to_fd, name, device, depth);
        case S_IFREG:
                return copy_file(from_fd, to_fd, name, &status);
        case S_IFLNK:
                return copy_link(from_fd, to_fd, name, &status);
        default:
                return copy_node(to_fd, name, &status);
        }
}

/* Takes over @fd. */
static DIR *open_directory(int fd) {
        DIR *directory = fdopendir(fd);

        if (!directory)
                close(fd);
        return directory;
}

static int copy_directory(int from_fd, int to_fd, dev_t device, unsigned depth) {
        int reading_fd = openat(from_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *directory = reading_fd < 0 ? NULL : open_directory(reading_fd);
        struct dirent *entry;
        struct stat status;
        int r = depth > MAX_DEPTH ? -ELOOP : 0;

        if (!directory)
                return -errno;
        while (r >= 0 && (entry = readdir(directory))) {
                if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                        r = copy_entry(from_fd, to_fd, entry->d_name, device, depth);
        }
        closedir(directory);
        if (r < 0)
                return r;
        if (fstat(from_fd, &status) < 0)
                return -errno;
        if (depth == 0) /* its mode is the mount's */
                return fchown(to_fd, status.st_uid, status.st_gid) < 0 ? -errno : 0;
        return copy_metadata(from_fd, to_fd, &status);
}

int copy_up(int from_fd, int to_fd) {
        autoclose int from = openat(from_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        autoclose int to = from < 0 ? -EBADF : openat(to_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct stat status;

        if (to < 0 || fstat(from, &status) < 0)
                return -errno;
        return copy_directory(from, to, status.st_dev, 0);
}
