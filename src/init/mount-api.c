/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Thin layer over open_tree(2), move_mount(2), mount_setattr(2), fsopen(2) and its kin. */

#include "init/mount-api.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"

#define PARAMETER_KEY_SIZE 256 /* the kernel's own limit */

static int open_tree_with(int dir_fd, const char *path, bool recursive, unsigned flags) {
        int fd = open_tree(dir_fd, path,
                           flags | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH |
                                   (recursive ? AT_RECURSIVE : 0));

        return fd < 0 ? -errno : fd;
}

int mount_tree_open(int dir_fd, const char *path, bool recursive) {
        return open_tree_with(dir_fd, path, recursive, 0);
}

int mount_link_open(int dir_fd, const char *path, bool recursive) {
        return open_tree_with(dir_fd, path, recursive, AT_SYMLINK_NOFOLLOW);
}

int mount_attach(int tree_fd, int target_fd) {
        return move_mount(tree_fd, "", target_fd, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0
                       ? -errno
                       : 0;
}

static int set_attributes(int mount_fd, struct mount_attr attributes, bool recursive) {
        return mount_setattr(mount_fd, "", AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0), &attributes,
                             sizeof(attributes)) < 0
                       ? -errno
                       : 0;
}

int mount_set_id_map(int tree_fd, int user_namespace_fd, bool recursive) {
        return set_attributes(
                tree_fd,
                (struct mount_attr){.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t) user_namespace_fd},
                recursive);
}

/* RDONLY to NOEXEC have the same values as MS_… and as statvfs(3)'s ST_…. */
#define SAME_FLAGS (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

/* Linux < 5.12: a remount replaces all flags, so those that are there are named again. */
static int remount(int mount_fd, MountFlags flags) {
        char path[PATH_OF_FD_SIZE];
        struct statvfs status;
        unsigned long wanted;

        if (fstatvfs(mount_fd, &status) < 0)
                return -errno;
        wanted = status.f_flag &
                 (SAME_FLAGS | ST_NOATIME | ST_NODIRATIME | ST_RELATIME); /* same values as MS_… */
        wanted &= ~(flags.clear & SAME_FLAGS);
        wanted |= flags.set & SAME_FLAGS;
        if ((flags.set | flags.clear) & MOUNT_ATTR__ATIME) {
                wanted &= ~(unsigned long) (MS_NOATIME | MS_RELATIME);
                if (flags.set & MOUNT_ATTR_NOATIME)
                        wanted |= MS_NOATIME;
                else
                        wanted |= flags.set & MOUNT_ATTR_STRICTATIME ? MS_STRICTATIME : MS_RELATIME;
        }
        if (flags.clear & MOUNT_ATTR_NODIRATIME)
                wanted &= ~(unsigned long) MS_NODIRATIME;
        if (flags.set & MOUNT_ATTR_NODIRATIME)
                wanted |= MS_NODIRATIME;
        if (mount(NULL, path_of_fd(mount_fd, path), NULL, MS_REMOUNT | MS_BIND | wanted, NULL) < 0)
                return -errno;
        return 0;
}

int mount_set_flags(int mount_fd, MountFlags flags, bool recursive) {
        int r;

        if (flags.set == 0 && flags.clear == 0)
                return 0;
        r = set_attributes(mount_fd, (struct mount_attr){.attr_set = flags.set, .attr_clr = flags.clear},
                           recursive);
        if (r == -ENOSYS && !recursive && !((flags.set | flags.clear) & MOUNT_ATTR_NOSYMFOLLOW))
                r = remount(mount_fd, flags);
        return r;
}

int mount_set_propagation(int mount_fd, uint32_t propagation) {
        char path[PATH_OF_FD_SIZE];
        struct mount_attr attributes = {.propagation = propagation & ~(uint32_t) MS_REC};
        int r = set_attributes(mount_fd, attributes, propagation & MS_REC);

        if (r == -ENOSYS)
                r = mount(NULL, path_of_fd(mount_fd, path), NULL, propagation, NULL) < 0 ? -errno : 0;
        return r;
}

/* The kernel's messages are lines like "e tmpfs: Unknown parameter 'x'". */
static void read_log(int context_fd, char reterr_log[MOUNT_LOG_SIZE]) {
        ssize_t n;

        if (!reterr_log)
                return;
        n = read(context_fd, reterr_log, MOUNT_LOG_SIZE - 1);
        reterr_log[n > 0 ? n : 0] = '\0';
        if (n > 2 && reterr_log[1] == ' ')
                memmove(reterr_log, reterr_log + 2, (size_t) n - 1);
        reterr_log[strcspn(reterr_log, "\n")] = '\0';
}

static int configure(int context_fd, const char *parameter) {
        const char *value = strchr(parameter, '=');
        char key[PARAMETER_KEY_SIZE];

        if (!value)
                return fsconfig(context_fd, FSCONFIG_SET_FLAG, parameter, NULL, 0) < 0 ? -errno : 0;
        if (value - parameter >= (ptrdiff_t) sizeof(key))
                return -EINVAL;
        memcpy(key, parameter, (size_t) (value - parameter));
        key[value - parameter] = '\0';
        return fsconfig(context_fd, FSCONFIG_SET_STRING, key, value + 1, 0) < 0 ? -errno : 0;
}

int mount_create(const char *type, const char *source, char *const *parameters, uint64_t attributes,
                 char reterr_log[MOUNT_LOG_SIZE]) {
        autoclose int context_fd = fsopen(type, FSOPEN_CLOEXEC);
        int r = 0, fd;

        if (reterr_log)
                reterr_log[0] = '\0';
        if (context_fd < 0)
                return -errno;
        if (source && fsconfig(context_fd, FSCONFIG_SET_STRING, "source", source, 0) < 0)
                r = -errno;
        for (char *const *parameter = parameters; r >= 0 && parameter && *parameter; parameter++)
                r = configure(context_fd, *parameter);
        if (r >= 0 && fsconfig(context_fd, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
                r = -errno;
        if (r < 0) {
                read_log(context_fd, reterr_log);
                return r;
        }
        fd = fsmount(context_fd, FSMOUNT_CLOEXEC, (unsigned) attributes);
        return fd < 0 ? -errno : fd;
}

int mount_reconfigure(int mount_fd, char *const *parameters, char *reterr_log) {
        autoclose int context_fd = fspick(mount_fd, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
        int r = context_fd < 0 ? -errno : 0;

        for (char *const *parameter = parameters; r >= 0 && parameter && *parameter; parameter++)
                r = configure(context_fd, *parameter);
        if (r >= 0 && fsconfig(context_fd, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0) < 0)
                r = -errno;
        if (r < 0 && context_fd >= 0)
                read_log(context_fd, reterr_log);
        return r;
}
