/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The config's mounts, one after the other: get the mount as a detached tree (each kind its own way), make
 * its target in the rootfs, look whether it may go there, attach it, set its flags and propagation. */

#include "init/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/xattr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "init/copy-up.h"
#include "init/helper.h"
#include "init/id-map.h"
#include "init/mount-api.h"
#include "init/mount-cgroup.h"
#include "init/mount-work.h"
#include "init/target.h"

/* Attributes that fsmount(2) takes itself; the others need mount_setattr(2). */
#define CREATE_ATTRIBUTES                                                                                    \
        (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC | MOUNT_ATTR__ATIME |  \
         MOUNT_ATTR_NODIRATIME)

/* Files of procfs that lxcfs and its like replace by tamer ones. Anything else over /proc could make the
 * runtime or the container's programs take foreign files for the kernel's (CVE-2019-16884, CVE-2023-27561).
 */
static const char *const proc_targets[] = {
        "/proc/cpuinfo",
        "/proc/diskstats",
        "/proc/loadavg",
        "/proc/meminfo",
        "/proc/slabinfo",
        "/proc/stat",
        "/proc/swaps",
        "/proc/uptime",
        "/proc/sys/crypto/fips_enabled",
        "/proc/sys/kernel/ns_last_pid",
};

static bool is_on(int fd, long magic) {
        struct statfs status;

        return fstatfs(fd, &status) == 0 && (long) status.f_type == magic;
}

/* May the mount cover this place? */
static int check_target(const MountWork *work, SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        char path[PATH_MAX];
        int r = target_path(work->init->proc_fd, work->init->rootfs_fd, work->target_fd, path);

        if (r < 0)
                return mount_work_failed(work, r, "find the target of", reterr_failure);
        if (strcmp(path, "/") == 0)
                return setup_failed_text(reterr_failure, -EINVAL, FAILURE_GENERIC,
                                         "%s: '%s' is the root itself, which can't be covered", plan->name,
                                         plan->destination);
        if ((plan->kind == MOUNT_PROC || plan->kind == MOUNT_SYSFS) && strcmp(path, plan->destination) != 0)
                return setup_failed_text(reterr_failure, -ELOOP, FAILURE_GENERIC,
                                         "%s: '%s' is a symbolic link in the rootfs, %s must be mounted on "
                                         "ordinary directory",
                                         plan->name, plan->destination, plan->type);
        if (strcmp(path, "/proc") == 0) {
                if (plan->kind == MOUNT_PROC ||
                    (plan->kind == MOUNT_BIND && is_on(work->tree_fd, PROC_SUPER_MAGIC)))
                        return 0;
        } else {
                if (strncmp(path, "/proc/", 6) != 0 && !is_on(work->target_fd, PROC_SUPER_MAGIC))
                        return 0;
                for (size_t i = 0; i < ELEMENTSOF(proc_targets); i++) {
                        if (strcmp(path, proc_targets[i]) == 0)
                                return 0;
                }
        }
        return setup_failed_text(reterr_failure, -EPERM, FAILURE_GENERIC,
                                 "%s: '%s' lies in /proc, where nothing but procfs itself may be mounted",
                                 plan->name, plan->destination);
}

static int open_source(const MountPlan *plan) {
        return plan->links & (LINK_COPY | LINK_SOURCE_NOFOLLOW)
                       ? mount_link_open(AT_FDCWD, plan->source, plan->recursive)
                       : mount_tree_open(AT_FDCWD, plan->source, plan->recursive);
}

static int get_bind(MountWork *work, SetupFailure *reterr_failure) {
        work->tree_fd = open_source(work->plan);
        /* EACCES: a directory on the way that only the caller may search. EINVAL: without "rbind", what lies
         * below the host's mounts must not be uncovered in a user namespace; the caller may. */
        if (work->tree_fd == -EACCES || work->tree_fd == -EINVAL) {
                int fd = helper_open(work->init, HELPER_BIND_SOURCE, work->index);

                if (fd >= 0 && !work->init->plan->host_stays_shared) {
                        int r = mount_set_propagation(fd, MS_SLAVE | MS_REC);

                        if (r < 0 && r != -EINVAL)
                                return mount_work_failed(work, r, "make a slave mount of", reterr_failure);
                }
                if (fd != -EBADF)
                        work->tree_fd = fd;
        }
        return work->tree_fd < 0 ? mount_work_failed(work, work->tree_fd, "bind", reterr_failure) : 0;
}

/* A tmpfs turns read-only at the very end, since devices and mount points are still to be made in it; so does
 * whatever else is /dev, and what a remount makes read-only. */
static bool is_readonly_later(const MountPlan *plan) {
        return plan->flags.set & MOUNT_ATTR_RDONLY &&
               (plan->kind == MOUNT_TMPFS || plan->kind == MOUNT_REMOUNT ||
                (plan->kind == MOUNT_FILESYSTEM && strcmp(plan->destination, "/dev") == 0));
}

static int create(MountWork *work, char *const *parameters) {
        uint64_t attributes = work->plan->flags.set & CREATE_ATTRIBUTES;

        if (is_readonly_later(work->plan))
                attributes &= ~(uint64_t) MOUNT_ATTR_RDONLY;
        work->tree_fd = mount_create(work->plan->type, work->plan->source, parameters, attributes, work->log);
        work->flags_are_set = !(work->plan->flags.set & ~(uint64_t) CREATE_ATTRIBUTES);
        return work->tree_fd < 0 ? work->tree_fd : 0;
}

static int get_filesystem(MountWork *work, SetupFailure *reterr_failure) {
        int r = create(work, work->plan->parameters);

        return r < 0 ? mount_work_failed(work, r, "mount", reterr_failure) : 0;
}

#define MAX_PARAMETERS 64

/* Without mode= a tmpfs gets the mode of the directory that it covers (as with the peers);
 * one that was not there is made with 01777 (get_target()), the kernel's default. */
static int get_tmpfs(MountWork *work, SetupFailure *reterr_failure) {
        char *parameters[MAX_PARAMETERS + 2], mode[16];
        struct stat status;
        size_t n = 0;
        int r;

        for (char *const *parameter = work->plan->parameters; parameter && *parameter; parameter++) {
                if (n == MAX_PARAMETERS)
                        return mount_work_failed(work, -E2BIG, "mount", reterr_failure);
                parameters[n++] = *parameter;
        }
        if (!work->plan->has_mode) {
                if (fstat(work->target_fd, &status) < 0)
                        return mount_work_failed(work, -errno, "mount", reterr_failure);
                snprintf(mode, sizeof(mode), "mode=%o", status.st_mode & 07777);
                parameters[n++] = mode;
        }
        parameters[n] = NULL;
        r = create(work, parameters);
        if (r >= 0 && work->plan->copy_up)
                r = copy_up(work->target_fd, work->tree_fd);
        return r < 0 ? mount_work_failed(work, r, "mount", reterr_failure) : 0;
}

/* sysfs shows a network namespace, so its owner must own that one too; who shares the host's gets the host's
 * /sys, read-only throughout unless the config says otherwise. */
static int get_sysfs(MountWork *work, SetupFailure *reterr_failure) {
        int r = create(work, work->plan->parameters);

        if (r != -EPERM && r != -EBUSY)
                return r < 0 ? mount_work_failed(work, r, "mount", reterr_failure) : 0;
        work->tree_fd = mount_tree_open(AT_FDCWD, "/sys", /* recursive= */ true);
        if (work->tree_fd < 0)
                return mount_work_failed(work, work->tree_fd, "bind the host's /sys for", reterr_failure);
        if (work->plan->flags.set & MOUNT_ATTR_RDONLY) {
                r = mount_set_flags(work->tree_fd, (MountFlags){.set = MOUNT_ATTR_RDONLY},
                                    /* recursive= */ true);
                if (r < 0 && r != -ENOSYS && r != -EINVAL)
                        return mount_work_failed(work, r, "make read-only", reterr_failure);
        }
        work->flags_are_set = false;
        return 0;
}

static int get_cgroup(MountWork *work, SetupFailure *reterr_failure) {
        work->tree_fd = mount_cgroup_open(work->init, work->plan, work->plan->flags.set & CREATE_ATTRIBUTES,
                                          work->log);
        return work->tree_fd < 0 ? mount_work_failed(work, work->tree_fd, "mount", reterr_failure) : 0;
}

static int (*const getters[])(MountWork *work, SetupFailure *reterr_failure) = {
        [MOUNT_FILESYSTEM] = get_filesystem, [MOUNT_BIND] = get_bind,   [MOUNT_TMPFS] = get_tmpfs,
        [MOUNT_PROC] = get_filesystem,       [MOUNT_SYSFS] = get_sysfs, [MOUNT_CGROUP] = get_cgroup,
};

static int get_target(MountWork *work, SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        struct stat status;
        bool directory = true;
        mode_t mode = 0755;

        if (plan->kind == MOUNT_BIND) {
                if (fstat(work->tree_fd, &status) < 0)
                        return mount_work_failed(work, -errno, "look at", reterr_failure);
                directory = S_ISDIR(status.st_mode);
        }
        if (plan->kind == MOUNT_TMPFS)
                mode = 01777;
        else if (!directory)
                mode = 0644;
        work->target_fd =
                plan->links & LINK_DESTINATION_NOFOLLOW
                        ? target_make_nofollow(work->init->rootfs_fd, plan->destination, directory, mode)
                        : target_make(work->init->rootfs_fd, plan->destination, directory, mode);
        if (work->target_fd < 0)
                return mount_work_failed(work, work->target_fd, "make the mount point for", reterr_failure);
        if (!directory && (fstat(work->target_fd, &status) < 0 || S_ISDIR(status.st_mode)))
                return mount_work_failed(work, -EISDIR, "attach the file", reterr_failure);
        return check_target(work, reterr_failure);
}

static int map_ids(MountWork *work, SetupFailure *reterr_failure) {
        static const char hint[] = "does the file system support ID-mapped mounts?";
        int r;

        if (work->plan->id_map_kind == ID_MAP_NONE)
                return 0;
        r = id_map_apply(work->init, work->index, work->tree_fd);
        if (r == -EINVAL)
                memcpy(work->log, hint, sizeof(hint));
        return r < 0 ? mount_work_failed(work, r, "map the IDs of", reterr_failure) : 0;
}

/* A tmpfs takes its mode from its target, the target of a bind mount its type from the source. */
static int get_both(MountWork *work, SetupFailure *reterr_failure) {
        bool target_first = work->plan->kind == MOUNT_TMPFS;
        int r = target_first ? get_target(work, reterr_failure) : 0;

        if (r >= 0)
                r = getters[work->plan->kind](work, reterr_failure);
        if (r >= 0)
                r = map_ids(work, reterr_failure);
        if (r >= 0 && !target_first)
                r = get_target(work, reterr_failure);
        return r;
}

static bool is_link(int fd) {
        struct stat status;

        return fstat(fd, &status) == 0 && S_ISLNK(status.st_mode);
}

static int set_label(const MountWork *work, SetupFailure *reterr_failure) {
        const char *label = work->plan->label;
        char path[PATH_OF_FD_SIZE];

        if (!label ||
            setxattr(path_of_fd(work->tree_fd, path), XATTR_NAME_SELINUX, label, strlen(label), 0) == 0)
                return 0;
        return mount_work_failed(work, -errno, "label (linux.mountLabel)", reterr_failure);
}

static int attach(MountWork *work, SetupFailure *reterr_failure) {
        int r = get_both(work, reterr_failure);

        if (r < 0)
                return r;
        r = mount_attach(work->tree_fd, work->target_fd);
        return r < 0 ? mount_work_failed(work, r, "attach", reterr_failure) : set_label(work, reterr_failure);
}

static int apply(MountWork *work, SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        MountFlags flags = plan->flags;
        int *mount_fd = plan->kind == MOUNT_REMOUNT ? &work->target_fd : &work->tree_fd, r;

        if (plan->links & LINK_COPY) {
                r = get_bind(work, reterr_failure);
                if (r < 0 || is_link(work->tree_fd))
                        return r < 0 ? r : mount_copy_link(work, reterr_failure);
                close_clear(&work->tree_fd);
        }
        r = plan->kind == MOUNT_REMOUNT ? mount_remount(work, reterr_failure) : attach(work, reterr_failure);
        if (r < 0)
                return r;
        if (is_readonly_later(plan))
                flags.set &= ~(uint64_t) MOUNT_ATTR_RDONLY;
        r = mount_work_set_flags(work, *mount_fd, flags, reterr_failure);
        if (r >= 0 && is_readonly_later(plan))
                work->init->readonly_later[work->init->n_readonly_later++] = steal_fd(mount_fd);
        return r;
}

static int apply_range(Init *init, size_t start, size_t end, SetupFailure *reterr_failure) {
        for (size_t i = start; i < end; i++) {
                MountWork work = {
                        .init = init,
                        .plan = &init->plan->mounts[i],
                        .index = i,
                        .tree_fd = -EBADF,
                        .target_fd = -EBADF,
                };
                int r = apply(&work, reterr_failure);

                auto_close_fd(&work.tree_fd);
                auto_close_fd(&work.target_fd);
                if (r < 0)
                        return r;
        }
        return 0;
}

int mounts_apply_early(Init *init, SetupFailure *reterr_failure) {
        size_t n = init->plan->n_mounts;

        init->readonly_later = calloc(n > 0 ? n : 1, sizeof(*init->readonly_later));
        if (!init->readonly_later)
                return setup_failed(reterr_failure, -ENOMEM, "prepare mounts", NULL);
        return apply_range(init, 0, init->plan->n_early_mounts, reterr_failure);
}

int mounts_apply_late(Init *init, SetupFailure *reterr_failure) {
        return apply_range(init, init->plan->n_early_mounts, init->plan->n_mounts, reterr_failure);
}
