/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The stage: what has to be done with the caller's privileges, and in another process than the container's
 * first one, because a pid or time namespace only takes in children. Init becomes the front end's child
 * (CLONE_PARENT) and so in the end the engine's; where somebody has to peek at init's exit status the stage
 * stays as its parent, the reaper. Where systemd itself is to have init the stage is its parent and ends. */

#include "init/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "base/syscalls.h"
#include "init/attributes.h"
#include "init/clone.h"
#include "init/helper.h"
#include "init/id-map.h"
#include "init/init.h"
#include "init/namespaces.h"
#include "init/reaper.h"
#include "init/restore.h"
#include "protocol/message.h"

#define OOM_SCORE_ADJ "/proc/self/oom_score_adj"

/* Lowering it is a privilege on the host, so it is done here; init inherits it. */
static int set_oom_score_adj(const InitPlan *plan, SetupFailure *reterr_failure) {
        char text[16];
        int r;

        if (!plan->has_oom_score_adj)
                return 0;
        snprintf(text, sizeof(text), "%d", plan->oom_score_adj);
        r = file_write(AT_FDCWD, OOM_SCORE_ADJ, text);
        if ((r == -EACCES || r == -EPERM) && plan->oom_score_adj_optional)
                return 0;
        return r < 0 ? setup_failed(reterr_failure, r, "set process.oomScoreAdj to", text) : 0;
}

/* Raising a hard limit is a privilege on the host as well, and gone in the user namespace. Only the hard
 * limits go up here; init sets both to what is wanted when its own work is done. */
static int raise_hard_limits(const InitPlan *plan, SetupFailure *reterr_failure) {
        for (size_t i = 0; namespaces_have_user(plan) && i < plan->n_rlimits; i++) {
                const RlimitPlan *wanted = &plan->rlimits[i];
                struct rlimit limit;

                if (getrlimit((__rlimit_resource_t) wanted->resource, &limit) < 0)
                        return setup_failed(reterr_failure, -errno, "get resource limit", wanted->name);
                if (limit.rlim_max >= wanted->hard)
                        continue;
                limit.rlim_max = wanted->hard;
                if (setrlimit((__rlimit_resource_t) wanted->resource, &limit) < 0)
                        return setup_failed(reterr_failure, -errno, "raise resource limit", wanted->name);
        }
        return 0;
}

static int joined_user_namespace(const InitPlan *plan) {
        for (size_t i = 0; i < plan->n_join; i++) {
                if (plan->join[i].type == CLONE_NEWUSER)
                        return plan->join[i].fd;
        }
        return -EBADF;
}

/* What init or the front end wait to see closed must not be open in the helper. */
static void run_helper(const Init *init, int fd) __attribute__((noreturn));
static void run_helper(const Init *init, int fd) {
        const InitPlan *plan = init->plan;

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(plan->setup_fd);
        close(plan->gate_fd);
        if (plan->console_fd >= 0)
                close(plan->console_fd);
        if (plan->reaper_fd >= 0)
                close(plan->reaper_fd);
        helper_serve(init, fd, joined_user_namespace(plan));
        _exit(EXIT_SUCCESS);
}

/* For a stage that is about to join a user namespace. */
static int fork_helper(Init *init, pid_t *ret_pid, SetupFailure *reterr_failure) {
        int pair[2];
        pid_t pid;

        if (joined_user_namespace(init->plan) < 0)
                return 0;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return setup_failed(reterr_failure, -errno, "make a socket pair", NULL);
        pid = fork();
        if (pid < 0)
                return setup_failed(reterr_failure, -errno, "fork init's helper", NULL);
        if (pid == 0) {
                close(pair[1]);
                run_helper(init, pair[0]);
        }
        close(pair[0]);
        init->helper_fd = pair[1];
        *ret_pid = pid;
        return 0;
}

static int prepare(Init *init, pid_t *ret_helper_pid, SetupFailure *reterr_failure) {
        int r = set_oom_score_adj(init->plan, reterr_failure);

        if (r >= 0)
                r = raise_hard_limits(init->plan, reterr_failure);
        if (init->plan->is_exec) {
                if (r >= 0)
                        r = attributes_set_initial_affinity(init, reterr_failure);
                return r < 0 ? r : namespaces_join_container(init->plan, reterr_failure);
        }
        if (r >= 0)
                r = id_maps_make(init, reterr_failure);
        if (r >= 0)
                r = fork_helper(init, ret_helper_pid, reterr_failure);
        if (r >= 0)
                r = namespaces_join(init, reterr_failure);
        if (r >= 0)
                r = namespaces_make_time(init->plan, reterr_failure);
        return r;
}

/* Clones init, which gets its end of a socket to the stage if that is to serve it. */
static int clone_init(Init *init, int *ret_stage_fd, pid_t *ret_pid, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;
        bool reaper = plan->reaper_fd >= 0;
        uint64_t flags = plan->new_namespaces & ~(uint64_t) NAMESPACES_AFTER_CLONE(plan);
        int pair[2] = {-EBADF, -EBADF};
        pid_t *shared_pid, pid;

        if ((reaper || plan->new_namespaces & CLONE_NEWUSER) &&
            socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return setup_failed(reterr_failure, -errno, "make a socket pair", NULL);
        shared_pid =
                mmap(NULL, sizeof(*shared_pid), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared_pid == MAP_FAILED)
                return setup_failed(reterr_failure, -errno, "map memory", NULL);
        pid = clone_process(flags | (reaper || plan->orphan ? 0 : CLONE_PARENT), shared_pid);
        if (pid < 0)
                return setup_failed(reterr_failure, pid,
                                    plan->is_exec ? "clone the process" : "clone the container's init", NULL);
        if (pid == 0) {
                if (pair[0] >= 0)
                        close(pair[0]);
                if (init->helper_fd >= 0)
                        init->stage_fd = pair[1];
                else
                        init->helper_fd = pair[1];
                init->outer_pid = *shared_pid;
                if (plan->is_exec)
                        init_run_joined(init);
                init_run(init);
        }
        if (pair[1] >= 0)
                close(pair[1]);
        *ret_stage_fd = pair[0];
        *ret_pid = pid;
        return 0;
}

static void fail(const InitPlan *plan, const SetupFailure *failure) __attribute__((noreturn));
static void fail(const InitPlan *plan, const SetupFailure *failure) {
        message_send_failure(plan->setup_fd, SETUP_FAILED, failure);
        _exit(EXIT_FAILURE);
}

static void serve(const Init *init, int fd, pid_t pid) {
        char path[64];
        autoclose int user_namespace_fd = -EBADF;

        if (init->plan->new_namespaces & CLONE_NEWUSER) {
                snprintf(path, sizeof(path), "/proc/%d/ns/user", (int) pid);
                user_namespace_fd = open(path, O_RDONLY | O_CLOEXEC);
        }
        helper_serve(init, fd, user_namespace_fd);
        close(fd);
}

void stage_run(const InitPlan *plan) {
        Init init = {
                .plan = plan,
                .helper_fd = -EBADF,
                .stage_fd = -EBADF,
                .proc_fd = -EBADF,
                .rootfs_fd = -EBADF,
                .console_fd = -EBADF,
                .gate_fd = -EBADF,
                .listener_fd = plan->is_exec ? plan->exec_listener_fd : -EBADF,
        };
        SetupFailure failure = {0};
        int stage_fd = -EBADF, oom_score_adj = 0;
        pid_t pid = 0, helper_pid = 0;

        if (plan->reaper_fd >= 0)
                oom_score_adj = reaper_get_oom_score_adj();
        if (plan->is_restore)
                restore_stage_run(plan, oom_score_adj);
        if (prepare(&init, &helper_pid, &failure) < 0 || clone_init(&init, &stage_fd, &pid, &failure) < 0)
                fail(plan, &failure);
        /* Init's end of file must mean that the front end is gone, and nobody else holds the program's
         * terminal. */
        close(plan->setup_fd);
        close(plan->gate_fd);
        if (plan->console_fd >= 0)
                close(plan->console_fd);
        close_clear(&init.helper_fd);
        if (stage_fd >= 0)
                serve(&init, stage_fd, pid);
        process_reap(helper_pid);
        if (plan->reaper_fd >= 0)
                reaper_run(plan->reaper_fd, pid, oom_score_adj);
        _exit(EXIT_SUCCESS);
}
