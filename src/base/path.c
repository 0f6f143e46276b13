/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Resolving paths inside a foreign root by openat2(2). Missing directories are made one component at a time
 * below the fd of the deepest directory that exists, so that no name is resolved twice. */

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/syscalls.h"

#define MAKE_ATTEMPTS 16 /* how often somebody may remove what we just made */

bool path_is_absolute(const char *path) {
        return path[0] == '/';
}

bool path_is_normal(const char *path) {
        const char *at = path;

        while (*at == '/' && at == path)
                at++;
        while (*at) {
                size_t n = strcspn(at, "/");

                if (n == 0 || (n == 1 && at[0] == '.') || (n == 2 && at[0] == '.' && at[1] == '.'))
                        return false;
                at += n;
                if (*at == '/')
                        at++;
        }
        return true;
}

const char *path_of_fd(int fd, char buffer[static PATH_OF_FD_SIZE]) {
        snprintf(buffer, PATH_OF_FD_SIZE, "/proc/self/fd/%d", fd);
        return buffer;
}

int path_open_in_root(int root_fd, const char *path, int flags) {
        struct open_how how = {
                .flags = (uint64_t) (flags | O_CLOEXEC),
                .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
        };

        for (;;) {
                int fd = sys_openat2(root_fd, path[0] ? path : ".", &how);

                if (fd >= 0)
                        return fd;
                /* EAGAIN: a rename or mount elsewhere made ".." uncertain; openat2(2) asks to try again. */
                if (errno != EAGAIN && errno != EINTR)
                        return -errno;
        }
}

/* The copy of @path without its last component in @ret_parent, the component itself in @ret_name. Trailing
 * slashes belong to nobody. */
static int split(const char *path, char ret_parent[static PATH_MAX], const char **ret_name,
                 size_t *ret_name_size) {
        size_t end = strlen(path), start;

        while (end > 0 && path[end - 1] == '/')
                end--;
        start = end;
        while (start > 0 && path[start - 1] != '/')
                start--;
        if (start >= PATH_MAX)
                return -ENAMETOOLONG;
        memcpy(ret_parent, path, start);
        ret_parent[start] = '\0';
        *ret_name = path + start;
        *ret_name_size = end - start;
        return 0;
}

static bool name_is_usable(const char *name, size_t size) {
        return size > 0 && size <= NAME_MAX && !(size == 1 && name[0] == '.') &&
               !(size == 2 && name[0] == '.' && name[1] == '.');
}

static int make_dir_at(int parent_fd, const char *name, size_t name_size, mode_t mode) {
        char component[NAME_MAX + 1];

        memcpy(component, name, name_size);
        component[name_size] = '\0';
        return mkdirat(parent_fd, component, mode) < 0 && errno != EEXIST ? -errno : 0;
}

int path_make_dir_in_root(int root_fd, const char *path, mode_t mode) {
        char parent[PATH_MAX];
        const char *name;
        size_t name_size;

        for (int attempt = 0; attempt < MAKE_ATTEMPTS; attempt++) {
                int fd = path_open_in_root(root_fd, path, O_PATH | O_DIRECTORY), r;
                if (fd != -ENOENT)
                        return fd;
                r = split(path, parent, &name, &name_size);
                if (r < 0)
                        return r;
                if (!name_is_usable(name, name_size))
                        return -ENOENT;
                autoclose int parent_fd = path_make_dir_in_root(root_fd, parent, mode);
                if (parent_fd < 0)
                        return parent_fd;
                r = make_dir_at(parent_fd, name, name_size, mode);
                if (r < 0)
                        return r;
                /* Opened below the parent's fd, not by the whole name again. A dangling symbolic link in the
                 * way gave EEXIST above and is not followed here. */
                char component[NAME_MAX + 1];
                memcpy(component, name, name_size);
                component[name_size] = '\0';
                fd = openat(parent_fd, component, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (fd >= 0)
                        return fd;
                if (errno != ENOENT)
                        return -errno;
        }
        return -ENOENT;
}

int path_open_parent_in_root(int root_fd, const char *path, bool make, const char **ret_name) {
        char parent[PATH_MAX];
        size_t name_size;
        int r = split(path, parent, ret_name, &name_size);

        if (r < 0)
                return r;
        if (!name_is_usable(*ret_name, name_size) || (*ret_name)[name_size] != '\0')
                return -EINVAL;
        return make ? path_make_dir_in_root(root_fd, parent, 0755)
                    : path_open_in_root(root_fd, parent, O_PATH | O_DIRECTORY);
}

int path_make_file_in_root(int root_fd, const char *path, mode_t mode) {
        const char *name;

        for (int attempt = 0; attempt < MAKE_ATTEMPTS; attempt++) {
                int fd = path_open_in_root(root_fd, path, O_PATH);
                if (fd != -ENOENT)
                        return fd;
                autoclose int parent_fd = path_open_parent_in_root(root_fd, path, /* make= */ true, &name);
                if (parent_fd < 0)
                        return parent_fd;
                autoclose int file_fd =
                        openat(parent_fd, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDONLY, mode);
                if (file_fd < 0 && errno == EEXIST)
                        continue; /* somebody was quicker, or a dangling link: looked at again, within bounds
                                   */
                if (file_fd < 0)
                        return -errno;
                fd = openat(parent_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
                return fd < 0 ? -errno : fd;
        }
        return -ENOENT;
}
