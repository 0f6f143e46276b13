/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Init's mount namespace is a copy of the caller's. The rootfs is bound onto itself there, everything is
 * mounted below it, and pivot_root(2) makes it the root; the rest of the copy is then detached. */

#include "init/rootfs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "init/helper.h"
#include "init/mount-api.h"
#include "init/no-pivot.h"
#include "init/target.h"

/* Everything becomes a slave of the host's mounts: what is mounted in here stays in here, and what the host
 * mounts later still arrives in binds that ask for it. Only rootfsPropagation "shared" wants the connection
 * to stay; then the mounts that init itself makes have to go to private places (see below). */
static int cut_propagation(const InitPlan *plan, SetupFailure *reterr_failure) {
        if (plan->host_stays_shared || plan->host_mounts)
                return 0;
        if (mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL) < 0)
                return setup_failed(reterr_failure, -errno, "make slave mounts below", "/");
        return 0;
}

/* The host's root can be the container's, but only by its name: where a link or a bind mount leads there,
 * nobody has asked for devices and mount points to be made in it. */
static bool is_root(int fd) {
        struct stat root, status;

        return stat("/", &root) == 0 && fstat(fd, &status) == 0 && root.st_dev == status.st_dev &&
               root.st_ino == status.st_ino;
}

/* The rootfs as a detached tree and the directory to attach it to: its own one, or "/" when only the caller
 * may go there (a rootfs below a directory of mode 0700 and a user namespace). */
static int open_tree_and_place(const Init *init, int *ret_tree_fd, int *ret_place_fd) {
        const char *rootfs = init->plan->rootfs;
        autoclose int tree_fd = -EBADF;
        autoclose int place_fd = open(rootfs, O_PATH | O_DIRECTORY | O_CLOEXEC);

        if (place_fd >= 0 && strcmp(rootfs, "/") != 0 && is_root(place_fd))
                return -EINVAL;
        if (place_fd >= 0)
                tree_fd = mount_tree_open(place_fd, "", /* recursive= */ true);
        else {
                int error = -errno;

                if (error != -EACCES)
                        return error;
                tree_fd = helper_open(init, HELPER_ROOTFS, 0);
                if (tree_fd == -EBADF)
                        return error;
                place_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
                if (place_fd < 0)
                        return -errno;
        }
        if (tree_fd < 0)
                return tree_fd;
        *ret_tree_fd = steal_fd(&tree_fd);
        *ret_place_fd = steal_fd(&place_fd);
        return 0;
}

/* A mount onto a shared mount appears in all its peers, so the mount that the rootfs lies on leaves its peer
 * group in our namespace. */
static int make_place_private(const Init *init) {
        char path[PATH_MAX];
        size_t n;

        /* Among the host's mounts only that of the rootfs itself, if there is one: bound onto itself it would
         * be its own mount point's peer, and go with what lies on it. */
        if (init->plan->host_mounts)
                return mount(NULL, init->plan->rootfs, NULL, MS_PRIVATE, NULL) < 0 && errno != EINVAL ? -errno
                                                                                                      : 0;
        if (!init->plan->host_stays_shared)
                return 0;
        for (n = 0; init->plan->rootfs[n] && n < sizeof(path) - 1; n++)
                path[n] = init->plan->rootfs[n];
        path[n] = '\0';
        /* EINVAL: no mount point; try the directory above. */
        while (mount(NULL, n > 0 ? path : "/", NULL, MS_PRIVATE, NULL) < 0) {
                if (errno != EINVAL || n == 0)
                        return -errno;
                while (n > 0 && path[--n] != '/')
                        ;
                path[n] = '\0';
        }
        return 0;
}

int rootfs_prepare(Init *init, SetupFailure *reterr_failure) {
        autoclose int tree_fd = -EBADF, place_fd = -EBADF;
        int r = cut_propagation(init->plan, reterr_failure);

        if (r < 0)
                return r;
        r = make_place_private(init);
        if (r < 0)
                return setup_failed(reterr_failure, r, "make private the mount of", init->plan->rootfs);
        r = open_tree_and_place(init, &tree_fd, &place_fd);
        if (r < 0)
                return setup_failed(reterr_failure, r, "open root.path", init->plan->rootfs);
        r = mount_attach(tree_fd, place_fd);
        /* What is mounted in there does not have to show in more places than one. */
        if (r >= 0 && init->plan->host_mounts)
                r = mount_set_propagation(tree_fd, MS_PRIVATE | MS_REC);
        /* In the helper's namespace, the host's, all may be shared. */
        if (r >= 0 && !init->plan->host_stays_shared)
                r = mount_set_propagation(tree_fd, MS_SLAVE | MS_REC);
        /* A copy of a shared mount is its peer. And nobody needs a slave who has not asked for one. */
        if (r >= 0 && (init->plan->host_stays_shared || init->plan->rootfs_propagation == 0))
                r = mount_set_propagation(tree_fd, MS_PRIVATE);
        if (r < 0)
                return setup_failed(reterr_failure, r, "bind root.path onto itself", init->plan->rootfs);
        init->rootfs_fd = steal_fd(&tree_fd);
        return 0;
}

int rootfs_make_cwd(Init *init, SetupFailure *reterr_failure) {
        /* What can't be made (a file in the way, a read-only image) is left to chdir(2), which has the better
         * error. */
        int fd = target_make(init->rootfs_fd, init->plan->cwd, /* directory= */ true, 0755);

        if (fd >= 0)
                close(fd);
        return 0;
}

int rootfs_finish(Init *init, SetupFailure *reterr_failure) {
        const MountFlags readonly = {.set = MOUNT_ATTR_RDONLY};
        int r = 0;

        for (size_t i = 0; r >= 0 && i < init->n_readonly_later; i++) {
                r = mount_set_flags(init->readonly_later[i], readonly, /* recursive= */ false);
                close(init->readonly_later[i]);
        }
        init->n_readonly_later = 0;
        if (r >= 0 && init->plan->rootfs_readonly)
                r = mount_set_flags(init->rootfs_fd, readonly, /* recursive= */ false);
        return r < 0 ? setup_failed(reterr_failure, r, "make read-only", NULL) : 0;
}

/* pivot_root(2), "pivot_root(".", ".")": the old root ends up on top of the new one and is taken off. */
static int pivot(const Init *init) {
        autoclose int old_root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

        if (old_root_fd < 0 || fchdir(init->rootfs_fd) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
            fchdir(old_root_fd) < 0)
                return -errno;
        /* Not even the detaching may reach the host. */
        if (mount(NULL, ".", NULL, MS_SLAVE | MS_REC, NULL) < 0 || umount2(".", MNT_DETACH) < 0)
                return -errno;
        return chdir("/") < 0 ? -errno : 0;
}

/* The caller's mounts are not ours to move. */
static int enter_by_chroot(const Init *init) {
        return fchdir(init->rootfs_fd) < 0 || chroot(".") < 0 || chdir("/") < 0 ? -errno : 0;
}

int rootfs_enter(Init *init, SetupFailure *reterr_failure) {
        uint32_t propagation = init->plan->rootfs_propagation;
        int r = init->plan->host_mounts ? enter_by_chroot(init)
                : init->plan->no_pivot  ? no_pivot_enter(init)
                                        : pivot(init);

        if (r < 0)
                return setup_failed(reterr_failure, r,
                                    init->plan->no_pivot ? "change the root to" : "pivot the root to",
                                    init->plan->rootfs);
        if (propagation != 0 && mount(NULL, "/", NULL, propagation, NULL) < 0)
                return setup_failed(reterr_failure, -errno, "set", "linux.rootfsPropagation");
        /* Nothing else leads here but "/": not even /proc/self/fd is a way to choose the cwd. */
        close(steal_fd(&init->rootfs_fd));
        return 0;
}
