/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The mount that was there before tells ours from the engine's, which may have mounted the root file system
 * on the same directory. In another mount namespace a child does the work: there is no sure way back. */

#include "container/host-mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"

/* What is done there, in memory that is shared with the child. */
typedef struct Work {
        char place[PATH_MAX]; /* in and, when it is looked for, out */
        uint64_t below;
        int result;
} Work;

void host_mounts_clear(HostMounts *mounts) {
        g_clear_pointer(&mounts->place, g_free);
        g_clear_pointer(&mounts->namespace, g_free);
}

HostMounts host_mounts_copy(const HostMounts *mounts) {
        return (HostMounts){
                .place = g_strdup(mounts->place),
                .below = mounts->below,
                .namespace = g_strdup(mounts->namespace),
                .namespace_id = mounts->namespace_id,
        };
}

static int look_at(const char *place, struct statx *ret_status) {
        if (statx(AT_FDCWD, place, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, ret_status) < 0)
                return -errno;
        return ret_status->stx_mask & STATX_MNT_ID ? 0 : -EOPNOTSUPP; /* before Linux 5.8 */
}

static int find_place(Work *work) {
        char *place = realpath(work->place, NULL);
        struct statx status;
        int r;

        if (!place)
                return -errno;
        r = look_at(place, &status);
        g_strlcpy(work->place, place, sizeof(work->place));
        work->below = status.stx_mnt_id;
        free(place);
        return r;
}

static int take_off(Work *work) {
        struct statx status;

        while (look_at(work->place, &status) == 0 && status.stx_mnt_id != work->below &&
               status.stx_attributes & STATX_ATTR_MOUNT_ROOT) {
                if (umount2(work->place, MNT_DETACH | UMOUNT_NOFOLLOW) < 0)
                        return -errno;
        }
        return 0;
}

static int run_in_child(int namespace_fd, int (*function)(Work *), Work *work) {
        int status = -1;
        pid_t pid = fork();

        if (pid < 0)
                return -errno;
        if (pid == 0) {
                work->result = setns(namespace_fd, CLONE_NEWNS) < 0 ? -errno : function(work);
                _exit(EXIT_SUCCESS);
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        return status == 0 ? work->result : -ECHILD;
}

/* @namespace_fd: negative: in our own */
static int run(int namespace_fd, const HostMounts *mounts, int (*function)(Work *), Work **ret_work) {
        Work *work = mmap(NULL, sizeof(*work), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        int r;

        if (work == MAP_FAILED)
                return -errno;
        work->below = mounts->below;
        r = g_strlcpy(work->place, mounts->place, sizeof(work->place)) >= sizeof(work->place) ? -ENAMETOOLONG
            : namespace_fd < 0                                                                ? function(work)
                               : run_in_child(namespace_fd, function, work);
        *ret_work = work;
        return r;
}

static int open_namespace(const char *path, uint64_t *ret_id) {
        autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        struct stat status;

        if (fd < 0 || fstat(fd, &status) < 0)
                return -errno;
        *ret_id = status.st_ino;
        return steal_fd(&fd);
}

bool host_mounts_plan(const OciConfig *config, const char *rootfs, HostMounts *mounts, GError **error) {
        const OciNamespace *namespace = oci_config_namespace(config, CLONE_NEWNS);
        autoclose int fd = -EBADF;
        Work *work = NULL;
        int r;

        if (namespace && !namespace->path)
                return true;
        if (namespace) {
                fd = open_namespace(namespace->path, &mounts->namespace_id);
                if (fd < 0)
                        return fail_errno(error, fd, "config.json: linux.namespaces: cannot open '%s'",
                                          namespace->path);
                mounts->namespace = g_strdup(namespace->path);
        }
        mounts->place = g_strdup(rootfs);
        r = run(fd, mounts, find_place, &work);
        if (r >= 0) {
                g_free(mounts->place);
                mounts->place = g_strdup(work->place);
                mounts->below = work->below;
        }
        if (work)
                munmap(work, sizeof(*work));
        if (r >= 0)
                return true;
        host_mounts_clear(mounts); /* nothing is mounted */
        return r == -EOPNOTSUPP
                       ? fail(error,
                              "config.json: linux.namespaces: a container without a mount namespace of "
                              "its own needs Linux 5.8")
                       : fail_errno(error, r, "config.json: root.path: cannot open '%s'%s", rootfs,
                                    namespace ? " in the mount namespace that is to be joined" : "");
}

bool host_mounts_remove(const HostMounts *mounts, GError **error) {
        autoclose int fd = -EBADF;
        Work *work = NULL;
        int r;

        if (!mounts->place)
                return true;
        if (mounts->namespace) {
                uint64_t id;

                fd = open_namespace(mounts->namespace, &id);
                if (fd < 0 || id != mounts->namespace_id)
                        return true;
        }
        r = run(fd, mounts, take_off, &work);
        if (work)
                munmap(work, sizeof(*work));
        return r >= 0 || fail_errno(error, r, "cannot unmount '%s'", mounts->place);
}
