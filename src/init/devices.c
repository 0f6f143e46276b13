/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Device nodes and the links of /dev. The directory that holds them is resolved inside the rootfs and used by
 * its fd, so an image whose /dev is a link gets its nodes where the link points to within the rootfs
 * (CVE-2026-41579, CVE-2026-47766). */

#include "init/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "init/helper.h"
#include "init/mount-api.h"
#include "init/target.h"

static bool is_device(const struct stat *status, const DevicePlan *device) {
        return (status->st_mode & S_IFMT) == (device->mode & S_IFMT) &&
               (S_ISFIFO(status->st_mode) || status->st_rdev == makedev(device->major, device->minor));
}

/* Mode and owner go to what was looked at, by its fd: in a directory that others can write to, the name may
 * be a link by now. */
static int adopt_node(int parent_fd, const char *name, const DevicePlan *device) {
        autoclose int fd = openat(parent_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        char path[PATH_OF_FD_SIZE];
        struct stat status;

        if (fd < 0 || fstat(fd, &status) < 0)
                return -errno;
        if (!is_device(&status, device))
                return S_ISREG(status.st_mode) && status.st_size == 0 ? -EPERM : -EEXIST;
        if (chmod(path_of_fd(fd, path), device->mode & 07777) < 0 ||
            fchownat(fd, "", device->uid, device->gid, AT_EMPTY_PATH) < 0)
                return -errno;
        return 0;
}

/* Returns -EPERM where nodes can't be made. */
static int make_node(int parent_fd, const char *name, const DevicePlan *device) {
        if (mknodat(parent_fd, name, device->mode, makedev(device->major, device->minor)) == 0)
                return device->uid == 0 && device->gid == 0 ? 0 : adopt_node(parent_fd, name, device);
        return errno == EEXIST ? adopt_node(parent_fd, name, device) : -errno;
}

static int bind_node(const Init *init, size_t i, int parent_fd, const char *name) {
        const DevicePlan *device = &init->plan->devices[i];
        autoclose int tree_fd = mount_tree_open(AT_FDCWD, device->path, /* recursive= */ false);
        autoclose int target_fd = -EBADF;
        struct stat status;

        if (tree_fd == -EACCES) {
                int fd = helper_open(init, HELPER_DEVICE, i);

                if (fd != -EBADF)
                        tree_fd = fd;
        }
        if (tree_fd < 0)
                return tree_fd;
        if (fstat(tree_fd, &status) < 0)
                return -errno;
        if (!is_device(&status, device))
                return -ENODEV;
        target_fd = openat(parent_fd, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDONLY, 0644);
        if (target_fd < 0 && errno != EEXIST)
                return -errno;
        auto_close_fd(&target_fd);
        target_fd = openat(parent_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        return target_fd < 0 ? -errno : mount_attach(tree_fd, target_fd);
}

static int make_device(const Init *init, size_t i, SetupFailure *reterr_failure) {
        const DevicePlan *device = &init->plan->devices[i];
        const char *name;
        autoclose int parent_fd = target_open_parent(init->rootfs_fd, device->path, &name);
        int r = parent_fd;

        if (r >= 0)
                r = make_node(parent_fd, name, device);
        if (r == -EPERM)
                r = bind_node(init, i, parent_fd, name);
        if (r < 0) {
                setup_failed(reterr_failure, r, "make device", device->path);
                return device->name ? setup_failed_prefix(reterr_failure, device->name, NULL) : r;
        }
        return 0;
}

/* What is there already stays, be it the image's or an earlier run's. /dev/ptmx apart: a device node of that
 * name would be the host's multiplexer, not that of the container's own devpts. */
static int make_link(const Init *init, const LinkPlan *link, SetupFailure *reterr_failure) {
        const char *name;
        autoclose int parent_fd = target_open_parent(init->rootfs_fd, link->path, &name);
        struct stat status;

        if (parent_fd < 0)
                return setup_failed(reterr_failure, parent_fd, "make link", link->path);
        if (symlinkat(link->target, parent_fd, name) == 0)
                return 0;
        if (errno == EEXIST && fstatat(parent_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
                if (!S_ISCHR(status.st_mode))
                        return 0;
                if (unlinkat(parent_fd, name, 0) == 0 && symlinkat(link->target, parent_fd, name) == 0)
                        return 0;
        }
        return setup_failed(reterr_failure, -errno, "make link", link->path);
}

int devices_make(Init *init, SetupFailure *reterr_failure) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < init->plan->n_devices; i++)
                r = make_device(init, i, reterr_failure);
        for (size_t i = 0; r >= 0 && i < init->plan->n_links; i++)
                r = make_link(init, &init->plan->links[i], reterr_failure);
        return r;
}
