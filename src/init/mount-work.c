/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What mounts.c does with some mounts only: flags and why they can't be had, links copied in place of a
 * mount, mounts that are there already. */

#include "init/mount-work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "init/target.h"

int mount_work_failed(const MountWork *work, int error, const char *what, SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        const char *object = plan->kind == MOUNT_BIND ? plan->source : plan->type;

        return setup_failed_text(reterr_failure, error, FAILURE_GENERIC,
                                 "%s: %s '%s' on '%s' (options '%s'): %s%s%s", plan->name, what,
                                 object ? object : "mount", plan->destination, plan->options,
                                 error_text(error), work->log[0] ? ": " : "", work->log);
}

/* Those that can be locked, in the words that would take them away. */
static const struct {
        uint64_t flag;
        const char *word;
} clearing_words[] = {
        {MOUNT_ATTR_RDONLY,      "rw"       },
        {MOUNT_ATTR_NOSUID,      "suid"     },
        {MOUNT_ATTR_NODEV,       "dev"      },
        {MOUNT_ATTR_NOEXEC,      "exec"     },
        {MOUNT_ATTR_NOSYMFOLLOW, "symfollow"},
};

static int flags_failed(const MountWork *work, int error, int mount_fd, uint64_t clear,
                        SetupFailure *reterr_failure) {
        for (size_t i = 0; error == -EPERM && i < ELEMENTSOF(clearing_words); i++) {
                const MountFlags one = {.clear = clearing_words[i].flag};

                if (clear & one.clear && mount_set_flags(mount_fd, one, /* recursive= */ false) == -EPERM)
                        return setup_failed_text(
                                reterr_failure, error, FAILURE_GENERIC,
                                "%s: option '%s' for '%s' on '%s': %s: the source is mounted without it, "
                                "which a user namespace can't change",
                                work->plan->name, clearing_words[i].word,
                                work->plan->source ? work->plan->source : work->plan->destination,
                                work->plan->destination, error_text(error));
        }
        return mount_work_failed(work, error, "set the options of", reterr_failure);
}

/* Flags that a user namespace holds locked stay. */
static int drop_flags(int mount_fd, uint64_t flags) {
        int r = mount_set_flags(mount_fd, (MountFlags){.clear = flags}, /* recursive= */ false);

        if (r != -EPERM)
                return r;
        for (size_t i = 0; i < ELEMENTSOF(clearing_words); i++) {
                r = flags & clearing_words[i].flag
                            ? mount_set_flags(mount_fd, (MountFlags){.clear = clearing_words[i].flag}, false)
                            : 0;
                if (r < 0 && r != -EPERM)
                        return r;
        }
        return 0;
}

int mount_work_set_flags(const MountWork *work, int mount_fd, MountFlags flags,
                         SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        int r = work->flags_are_set ? 0 : mount_set_flags(mount_fd, flags, /* recursive= */ false);

        if (r < 0)
                return flags_failed(work, r, mount_fd, flags.clear, reterr_failure);
        r = drop_flags(mount_fd, plan->drop);
        if (r >= 0)
                r = mount_set_flags(mount_fd, plan->recursive_flags, /* recursive= */ true);
        if (r < 0)
                return flags_failed(work, r, mount_fd, plan->recursive_flags.clear, reterr_failure);
        for (size_t i = 0; r >= 0 && i < plan->n_propagation; i++)
                r = mount_set_propagation(mount_fd, plan->propagation[i]);
        return r < 0 ? mount_work_failed(work, r, "set the propagation of", reterr_failure) : 0;
}

static int read_link(int dir_fd, const char *name, char ret_text[static PATH_MAX]) {
        ssize_t n = readlinkat(dir_fd, name, ret_text, PATH_MAX);

        if (n < 0)
                return -errno;
        if (n >= PATH_MAX)
                return -ENAMETOOLONG;
        ret_text[n] = '\0';
        return 0;
}

int mount_copy_link(const MountWork *work, SetupFailure *reterr_failure) {
        char wanted[PATH_MAX], found[PATH_MAX];
        const char *name;
        autoclose int parent_fd = target_open_parent(work->init->rootfs_fd, work->plan->destination, &name);
        int r = parent_fd < 0 ? parent_fd : read_link(work->tree_fd, "", wanted);

        if (r < 0)
                return mount_work_failed(work, r, "copy the link", reterr_failure);
        if (symlinkat(wanted, parent_fd, name) == 0)
                return 0;
        if (errno != EEXIST)
                return mount_work_failed(work, -errno, "copy the link", reterr_failure);
        r = read_link(parent_fd, name, found);
        if (r >= 0 && strcmp(found, wanted) == 0)
                return 0;
        return setup_failed_text(reterr_failure, -EEXIST, FAILURE_GENERIC,
                                 "%s: '%s' exists and is not a link to '%s', as '%s' is", work->plan->name,
                                 work->plan->destination, wanted, work->plan->source);
}

static bool is_mount_root(int fd) {
        struct statx status;

        return statx(fd, "", AT_EMPTY_PATH, 0, &status) == 0 && status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

int mount_remount(MountWork *work, SetupFailure *reterr_failure) {
        const MountPlan *plan = work->plan;
        int r;

        work->target_fd = path_open_in_root(work->init->rootfs_fd, plan->destination, O_PATH);
        if (work->target_fd < 0)
                return mount_work_failed(work, work->target_fd, "find", reterr_failure);
        if (!is_mount_root(work->target_fd))
                return setup_failed_text(reterr_failure, -EINVAL, FAILURE_GENERIC,
                                         "%s: nothing is mounted on '%s' that could be remounted", plan->name,
                                         plan->destination);
        if (!plan->parameters)
                return 0;
        r = mount_reconfigure(work->target_fd, plan->parameters, work->log);
        return r < 0 ? mount_work_failed(work, r, "remount", reterr_failure) : 0;
}
