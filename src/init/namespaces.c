/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Namespaces by path and those that don't come with the clone. A namespace is joined with the privileges of
 * its owner: the caller's, for what the host made (a pod's network namespace made by the engine), or those of
 * the user namespace, for what was made in there. Both orders are needed, so what gives EPERM is tried again
 * later. */

#include "init/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "init/mount-cgroup.h"
#include "init/setup.h"

bool namespaces_have_user(const InitPlan *plan) {
        for (size_t i = 0; i < plan->n_join; i++) {
                if (plan->join[i].type == CLONE_NEWUSER)
                        return true;
        }
        return (plan->new_namespaces | plan->exec_namespaces) & CLONE_NEWUSER;
}

int namespaces_join_container(const InitPlan *plan, SetupFailure *reterr_failure) {
        /* Nobody in there may look into this process or the one that it clones: they have the host's files.
         */
        if (prctl(PR_SET_DUMPABLE, 0) < 0)
                return setup_failed(reterr_failure, -errno, "become undumpable", NULL);
        /* All at once: the kernel checks privileges against those that the caller will have. */
        if (plan->exec_namespaces != 0 && setns(plan->exec_pidfd, (int) plan->exec_namespaces) < 0)
                return setup_failed(reterr_failure, -errno, "join the namespaces of container", plan->id);
        close(plan->exec_pidfd);
        if (plan->exec_root_fd >= 0 && (fchdir(plan->exec_root_fd) < 0 || chroot(".") < 0))
                return setup_failed(reterr_failure, -errno, "enter the root of container", plan->id);
        return plan->exec_namespaces & CLONE_NEWUSER ? namespaces_become_root(reterr_failure) : 0;
}

static int join(Init *init, size_t i, bool may_wait, SetupFailure *reterr_failure) {
        const NamespacePlan *namespace = &init->plan->join[i];

        if (setns(namespace->fd, namespace->type) == 0) {
                init->join_later &= ~(UINT64_C(1) << i);
                close(namespace->fd);
                return 0;
        }
        if (may_wait && errno == EPERM)
                return 0;
        return setup_failed(reterr_failure, -errno, "join the namespace of", namespace->name);
}

static int join_all(Init *init, bool may_wait, SetupFailure *reterr_failure) {
        for (size_t i = 0; i < init->plan->n_join; i++) {
                int r;

                if (!(init->join_later & (UINT64_C(1) << i)) || init->plan->join[i].type == CLONE_NEWUSER)
                        continue;
                r = join(init, i, may_wait, reterr_failure);
                if (r < 0)
                        return r;
        }
        return 0;
}

int namespaces_join(Init *init, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;
        bool new_user = plan->new_namespaces & CLONE_NEWUSER;
        size_t user = plan->n_join;
        int r;

        for (size_t i = 0; i < plan->n_join; i++) {
                init->join_later |= UINT64_C(1) << i;
                if (plan->join[i].type == CLONE_NEWUSER)
                        user = i;
        }
        r = join_all(init, /* may_wait= */ new_user || user < plan->n_join, reterr_failure);
        if (r < 0 || user == plan->n_join)
                return r;

        /* What lives in that namespace must not look into a process that still holds the caller's files. */
        if (prctl(PR_SET_DUMPABLE, 0) < 0)
                return setup_failed(reterr_failure, -errno, "become undumpable", NULL);
        r = join(init, user, /* may_wait= */ false, reterr_failure);
        if (r >= 0)
                r = namespaces_become_root(reterr_failure);
        if (r >= 0)
                r = join_all(init, /* may_wait= */ false, reterr_failure);
        return r;
}

int namespaces_join_rest(Init *init, SetupFailure *reterr_failure) {
        return join_all(init, /* may_wait= */ false, reterr_failure);
}

int namespaces_set_loopback_up(Init *init, SetupFailure *reterr_failure) {
        struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
        autoclose int fd = -EBADF;

        if (!(init->plan->new_namespaces & CLONE_NEWNET))
                return 0;
        fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0)
                return setup_failed(reterr_failure, -errno, "bring up the network interface", "lo");
        return 0;
}

int namespaces_make_time(const InitPlan *plan, SetupFailure *reterr_failure) {
        int r;

        if (!(plan->new_namespaces & CLONE_NEWTIME))
                return 0;
        if (unshare(CLONE_NEWTIME) < 0)
                return setup_failed(reterr_failure, -errno, "make a time namespace", NULL);
        r = plan->time_offsets ? file_write(AT_FDCWD, "/proc/self/timens_offsets", plan->time_offsets) : 0;
        return r < 0 ? setup_failed(reterr_failure, r, "set", "linux.timeOffsets") : 0;
}

int namespaces_make_ipc(Init *init, SetupFailure *reterr_failure) {
        uint32_t left = init->plan->new_namespaces & NAMESPACES_AFTER_CLONE(init->plan) & CLONE_NEWIPC;

        if (left != 0 && unshare(CLONE_NEWIPC) < 0)
                return setup_failed(reterr_failure, -errno, "make an IPC namespace", NULL);
        return 0;
}

int namespaces_make_cgroup(Init *init, SetupFailure *reterr_failure) {
        int r;

        if (!(init->plan->new_namespaces & CLONE_NEWCGROUP))
                return 0;
        r = setup_wait(init, SETUP_MOVED, reterr_failure);
        if (r < 0)
                return r;
        r = mount_cgroup_note_path(init, reterr_failure);
        if (r < 0)
                return r;
        if (unshare(CLONE_NEWCGROUP) < 0)
                return setup_failed(reterr_failure, -errno, "make a cgroup namespace", NULL);
        return 0;
}

int namespaces_become_root(SetupFailure *reterr_failure) {
        /* EINVAL: the namespace maps nobody to 0. */
        if (setresgid(0, 0, 0) < 0 && errno != EINVAL)
                return setup_failed(reterr_failure, -errno, "become gid 0 of the user namespace", NULL);
        /* EPERM: /proc/self/setgroups says "deny"; the groups of the caller stay then. */
        if (setgroups(0, NULL) < 0 && errno != EPERM && errno != EINVAL)
                return setup_failed(reterr_failure, -errno, "drop the caller's groups", NULL);
        if (setresuid(0, 0, 0) < 0 && errno != EINVAL)
                return setup_failed(reterr_failure, -errno, "become uid 0 of the user namespace", NULL);
        return 0;
}
