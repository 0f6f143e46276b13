/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files are covered by the host's null device, which is opened before the root changes and checked to be the
 * one: the container's could be anything (CVE-2025-31133). Directories are covered by an empty read-only
 * tmpfs, one for all of them. */

#include "init/masks.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/auto.h"
#include "base/path.h"
#include "init/mount-api.h"

static bool is_missing(int error) {
        return error == -ENOENT || error == -ENOTDIR;
}

static int check_null(int fd) {
        struct stat status;

        if (fstat(fd, &status) < 0)
                return -errno;
        return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3) ? 0 : -ENODEV;
}

static int cover_file(int target_fd) {
        autoclose int tree_fd = mount_tree_open(AT_FDCWD, "/dev/null", /* recursive= */ false);
        int r = tree_fd < 0 ? tree_fd : check_null(tree_fd);

        return r < 0 ? r : mount_attach(tree_fd, target_fd);
}

static int cover_directory(int target_fd, int *empty_fd) {
        static char *const parameters[] = {(char *) "nr_inodes=1", (char *) "size=4k", NULL};
        bool first = *empty_fd < 0;
        autoclose int tree_fd = first ? mount_create("tmpfs", "tmpfs", parameters,
                                                     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
                                                             MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                                                     NULL)
                                      : mount_tree_open(*empty_fd, "", /* recursive= */ false);
        int r = tree_fd < 0 ? tree_fd : mount_attach(tree_fd, target_fd);

        if (r >= 0 && first)
                *empty_fd = steal_fd(&tree_fd);
        return r;
}

static int mask(const Init *init, const char *path, int *empty_fd) {
        autoclose int target_fd = path_open_in_root(init->rootfs_fd, path, O_PATH);
        struct stat status;

        if (target_fd < 0)
                return is_missing(target_fd) ? 0 : target_fd;
        if (fstat(target_fd, &status) < 0)
                return -errno;
        return S_ISDIR(status.st_mode) ? cover_directory(target_fd, empty_fd) : cover_file(target_fd);
}

static int make_readonly(const Init *init, const char *path) {
        const MountFlags readonly = {.set = MOUNT_ATTR_RDONLY};
        autoclose int target_fd = path_open_in_root(init->rootfs_fd, path, O_PATH);
        autoclose int tree_fd = -EBADF;
        int r;

        if (target_fd < 0)
                return is_missing(target_fd) ? 0 : target_fd;
        tree_fd = mount_tree_open(target_fd, "", /* recursive= */ true);
        r = tree_fd < 0 ? tree_fd : mount_attach(tree_fd, target_fd);
        if (r < 0)
                return r;
        r = mount_set_flags(tree_fd, readonly, /* recursive= */ true);
        return r == -ENOSYS ? mount_set_flags(tree_fd, readonly, /* recursive= */ false) : r;
}

int masks_apply(Init *init, SetupFailure *reterr_failure) {
        autoclose int empty_fd = -EBADF;

        for (char **path = init->plan->readonly_paths; path && *path; path++) {
                int r = make_readonly(init, *path);

                if (r < 0)
                        return setup_failed(reterr_failure, r, "make read-only (linux.readonlyPaths)", *path);
        }
        for (char **path = init->plan->masked_paths; path && *path; path++) {
                int r = mask(init, *path, &empty_fd);

                if (r < 0)
                        return setup_failed(reterr_failure, r, "mask (linux.maskedPaths)", *path);
        }
        return 0;
}
