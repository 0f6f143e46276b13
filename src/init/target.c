/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* openat2(2) resolves and never makes, so a missing target is made step by step: the longest part of the path
 * that exists is opened, the next component is made below its fd, and the whole is looked up again. A
 * component that exists as a link but leads nowhere is replaced in the path by what the link says. Somebody
 * who changes the tree meanwhile can make this fail, or make it work on another place inside the root;
 * nothing else. */

#include "init/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/path.h"

#define MAX_LINKS 40 /* as path_resolution(7) */
#define MAX_STEPS 4096

static int make(int parent_fd, const char *name, bool directory, mode_t mode) {
        autoclose int fd = -EBADF;

        if (directory)
                return mkdirat(parent_fd, name, mode) < 0 && errno != EEXIST ? -errno : 0;
        fd = openat(parent_fd, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDONLY, mode);
        return fd < 0 && errno != EEXIST ? -errno : 0;
}

/* @path becomes what its dangling link at @start (to @end) stands for. */
static int replace_link(char path[static PATH_MAX], size_t start, size_t end, int parent_fd,
                        const char *name) {
        char target[PATH_MAX], result[PATH_MAX];
        ssize_t n = readlinkat(parent_fd, name, target, sizeof(target) - 1);
        int written;

        if (n < 0)
                return -errno;
        target[n] = '\0';
        written = snprintf(result, sizeof(result), "%.*s%s%s", target[0] == '/' ? 0 : (int) start, path,
                           target, path + end);
        if (written >= (int) sizeof(result))
                return -ENAMETOOLONG;
        memcpy(path, result, (size_t) written + 1);
        return 0;
}

static bool is_link(int parent_fd, const char *name) {
        struct stat status;

        return fstatat(parent_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

/* Makes the first missing component of @path. Returns 0, also when it is a link that was written into @path
 * instead (then *@links grows). */
static int make_first_missing(int root_fd, char path[static PATH_MAX], bool directory, mode_t mode,
                              unsigned *links) {
        autoclose int parent_fd = path_open_in_root(root_fd, "/", O_PATH | O_DIRECTORY);
        char name[NAME_MAX + 1];
        size_t start = 0;

        for (;;) {
                size_t end, n;
                bool last;

                if (parent_fd < 0)
                        return parent_fd;
                start += strspn(path + start, "/");
                n = strcspn(path + start, "/");
                end = start + n;
                last = path[end + strspn(path + end, "/")] == '\0';
                if (n == 0)
                        return 0; /* it all exists by now */
                if (n >= sizeof(name))
                        return -ENAMETOOLONG;

                char saved = path[end];
                path[end] = '\0';
                memcpy(name, path + start, n + 1);
                int fd = path_open_in_root(root_fd, path, O_PATH);
                path[end] = saved;
                if (fd == -ENOENT) {
                        if (!is_link(parent_fd, name))
                                return make(parent_fd, name, directory || !last, last ? mode : 0755);
                        if (++*links > MAX_LINKS)
                                return -ELOOP;
                        return replace_link(path, start, end, parent_fd, name);
                }
                if (fd < 0)
                        return fd;
                close(parent_fd);
                parent_fd = fd;
                start = end;
        }
}

int target_make(int root_fd, const char *path, bool directory, mode_t mode) {
        char buffer[PATH_MAX];
        size_t size = strlen(path) + 1;
        unsigned links = 0;

        if (size > sizeof(buffer))
                return -ENAMETOOLONG;
        memcpy(buffer, path, size);
        for (int step = 0; step < MAX_STEPS; step++) {
                int fd = path_open_in_root(root_fd, buffer, O_PATH | (directory ? O_DIRECTORY : 0)), r;

                if (fd != -ENOENT)
                        return fd;
                r = make_first_missing(root_fd, buffer, directory, mode, &links);
                if (r < 0)
                        return r;
        }
        return -ELOOP;
}

int target_open_parent(int root_fd, const char *path, const char **ret_name) {
        const char *slash = strrchr(path, '/');
        char parent[PATH_MAX];
        size_t n = (size_t) (slash - path);

        if (n >= sizeof(parent))
                return -ENAMETOOLONG;
        memcpy(parent, path, n);
        parent[n] = '\0';
        *ret_name = slash + 1;
        return target_make(root_fd, parent, /* directory= */ true, 0755);
}

int target_make_nofollow(int root_fd, const char *path, bool directory, mode_t mode) {
        const char *name;
        autoclose int parent_fd = target_open_parent(root_fd, path, &name);
        int fd, r;

        if (parent_fd < 0)
                return parent_fd;
        fd = openat(parent_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 || errno != ENOENT)
                return fd < 0 ? -errno : fd;
        r = make(parent_fd, name, directory, mode);
        if (r < 0)
                return r;
        fd = openat(parent_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

static int read_fd_path(int proc_fd, int fd, char ret_path[static PATH_MAX]) {
        char link[PATH_OF_FD_SIZE];
        ssize_t n;

        snprintf(link, sizeof(link), "self/fd/%d", fd);
        n = readlinkat(proc_fd, link, ret_path, PATH_MAX);
        if (n < 0)
                return -errno;
        if (n >= PATH_MAX)
                return -ENAMETOOLONG;
        ret_path[n] = '\0';
        return 0;
}

int target_path(int proc_fd, int root_fd, int target_fd, char ret_path[static PATH_MAX]) {
        char root[PATH_MAX];
        size_t n;
        int r = read_fd_path(proc_fd, root_fd, root);

        if (r >= 0)
                r = read_fd_path(proc_fd, target_fd, ret_path);
        if (r < 0)
                return r;
        n = strcmp(root, "/") == 0 ? 0 : strlen(root);
        if (strncmp(ret_path, root, n) != 0 || (ret_path[n] != '/' && ret_path[n] != '\0'))
                return -EXDEV;
        if (ret_path[n] == '\0')
                memcpy(ret_path, "/", 2);
        else
                memmove(ret_path, ret_path + n, strlen(ret_path + n) + 1);
        return 0;
}
