/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* criu makes the restored init its sibling, so who starts it gets init as a child: the front end, as with a
 * container that is created, or the reaper. It has the rootfs as a mount of its own and a place for its
 * mounts of control groups; with its mount namespace both are gone. */

#include "init/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "base/process.h"
#include "init/clone.h"
#include "init/reaper.h"
#include "init/target.h"
#include "protocol/message.h"

#define DEFAULT_PATH "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static bool is_below(const char *path, const char *directory) {
        size_t n = strlen(directory);

        return strncmp(path, directory, n) == 0 && path[n] == '/';
}

/* What lies on another mount of the container comes with that. */
static bool is_on_mount(const InitPlan *plan, size_t index) {
        for (size_t i = 0; i < index; i++)
                if (plan->mounts[i].kind != MOUNT_REMOUNT &&
                    is_below(plan->mounts[index].destination, plan->mounts[i].destination))
                        return true;
        return false;
}

/* The image may have been taken to a rootfs that no container has been in. What can't be made here criu will
 * miss, and tell. */
static void make_mount_points(const InitPlan *plan, int rootfs_fd) {
        for (size_t i = 0; i < plan->n_mounts; i++) {
                const MountPlan *mount = &plan->mounts[i];
                struct stat status;
                bool directory = true;
                int fd;

                if (mount->kind == MOUNT_REMOUNT || is_on_mount(plan, i))
                        continue;
                if (mount->kind == MOUNT_BIND && stat(mount->source, &status) == 0)
                        directory = S_ISDIR(status.st_mode);
                fd = target_make(rootfs_fd, mount->destination, directory, directory ? 0755 : 0644);
                if (fd >= 0)
                        close(fd);
        }
}

static int prepare_mounts(const InitPlan *plan, SetupFailure *reterr_failure) {
        autoclose int rootfs_fd = -EBADF;

        if (mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL) < 0)
                return setup_failed(reterr_failure, -errno, "make slave mounts below", "/");
        if (mount(plan->rootfs, plan->rootfs, NULL, MS_BIND | MS_REC, NULL) < 0)
                return setup_failed(reterr_failure, -errno, "bind root.path onto itself", plan->rootfs);
        if (mount("tmpfs", plan->criu_yard, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=700") < 0)
                return setup_failed(reterr_failure, -errno, "mount a tmpfs on", plan->criu_yard);
        rootfs_fd = open(plan->rootfs, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (rootfs_fd < 0)
                return setup_failed(reterr_failure, -errno, "open root.path", plan->rootfs);
        make_mount_points(plan, rootfs_fd);
        return 0;
}

static int hand_over_fds(const InitPlan *plan, SetupFailure *reterr_failure) {
        int r = fd_set_cloexec(plan->criu_fd, false);

        for (size_t i = 0; r >= 0 && i < plan->n_join; i++)
                r = fd_set_cloexec(plan->join[i].fd, false);
        return r < 0 ? setup_failed(reterr_failure, r, "hand file descriptors over to criu", NULL) : 0;
}

static int run_criu(const InitPlan *plan, SetupFailure *reterr_failure) {
        char number[16];
        char *const args[] = {plan->criu, (char *) "swrk", number, NULL};
        int r = prctl(PR_SET_PDEATHSIG, SIGKILL) < 0
                        ? setup_failed(reterr_failure, -errno, "set the parent-death signal", NULL)
                        : prepare_mounts(plan, reterr_failure);

        if (r >= 0)
                r = hand_over_fds(plan, reterr_failure);
        if (r < 0)
                return r;
        /* It calls others: ip, iptables-restore, tar. */
        if (!getenv("PATH"))
                putenv((char *) DEFAULT_PATH);
        umask(0022);
        snprintf(number, sizeof(number), "%d", plan->criu_fd);
        execv(plan->criu, args);
        return setup_failed(reterr_failure, -errno, "execute", plan->criu);
}

static void fail(const InitPlan *plan, const SetupFailure *failure) __attribute__((noreturn));
static void fail(const InitPlan *plan, const SetupFailure *failure) {
        message_send_failure(plan->setup_fd, SETUP_FAILED, failure);
        _exit(EXIT_FAILURE);
}

static pid_t start_criu(const InitPlan *plan, SetupFailure *reterr_failure) {
        pid_t *shared_pid =
                mmap(NULL, sizeof(*shared_pid), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        pid_t pid;

        if (shared_pid == MAP_FAILED)
                return setup_failed(reterr_failure, -errno, "map memory", NULL);
        pid = clone_process(CLONE_NEWNS | (plan->reaper_fd >= 0 ? 0 : CLONE_PARENT), shared_pid);
        if (pid == 0) {
                run_criu(plan, reterr_failure);
                fail(plan, reterr_failure);
        }
        return pid < 0 ? setup_failed(reterr_failure, pid, "clone a process for criu", NULL) : pid;
}

/* Until then the stage dies with the front end, and criu with the stage. */
static pid_t wait_for_init(const InitPlan *plan) {
        Message message;

        if (message_receive(plan->setup_fd, &message, NULL, NULL) <= 0 || message.type != SETUP_RESTORED)
                _exit(EXIT_FAILURE);
        prctl(PR_SET_PDEATHSIG, 0);
        if (message_send(plan->setup_fd, SETUP_CREATED, 0) < 0)
                _exit(EXIT_FAILURE);
        return message.pid;
}

void restore_stage_run(const InitPlan *plan, int oom_score_adj) {
        SetupFailure failure = {0};
        pid_t criu = start_criu(plan, &failure), init;

        if (criu < 0 || message_send(plan->setup_fd, SETUP_FORKED, criu) < 0)
                fail(plan, &failure);
        close(plan->criu_fd);
        close(plan->gate_fd);
        if (plan->reaper_fd < 0)
                _exit(EXIT_SUCCESS);
        init = wait_for_init(plan);
        process_reap(criu);
        reaper_run(plan->reaper_fd, init, oom_score_adj);
}
