/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The container's first process, and one that joins it later: what they do, in order, as tables. The order
 * carries meaning:
 *  - devices and early mounts come first because the front end meanwhile waits for systemd; what needs init's
 *    cgroup comes after them;
 *  - hooks of the runtime and createContainer hooks see all mounts, the old root, and nothing masked yet;
 *  - sysctls, masks and the final read-only flags are set by fds of the old view, before the root changes;
 *  - the terminal is taken, limits are set and the identity changes after everything that could fail from
 *    them. */

#include "init/init.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "init/attributes.h"
#include "init/console.h"
#include "init/devices.h"
#include "init/environment.h"
#include "init/exec.h"
#include "init/masks.h"
#include "init/mounts.h"
#include "init/namespaces.h"
#include "init/procfs.h"
#include "init/rootfs.h"
#include "init/seccomp.h"
#include "init/setup.h"
#include "init/user.h"

typedef struct Step {
        int (*run)(Init *init, SetupFailure *reterr_failure);
        bool needs_process; /* left out when the config has none */
} Step;

/* The parent-death signal is lost when credentials change; the front end may have died before. Its end of
 * the setup socket tells us then. */
static int die_with_parent(const Init *init, SetupFailure *reterr_failure) {
        /* The parent of an orphan is the stage. */
        if (!init->moved && !init->plan->orphan && prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
                return setup_failed(reterr_failure, -errno, "set the parent-death signal", NULL);
        return 0;
}

static int begin(Init *init, SetupFailure *reterr_failure) {
        int r = die_with_parent(init, reterr_failure);

        if (r >= 0)
                r = message_send(init->plan->setup_fd, SETUP_FORKED, init->outer_pid);
        return r < 0 ? setup_failed(reterr_failure, r, "report to the front end", NULL) : 0;
}

static int enter_user_namespace(Init *init, SetupFailure *reterr_failure) {
        int r;

        if (!(init->plan->new_namespaces & CLONE_NEWUSER))
                return 0;
        r = setup_report(init, SETUP_NEED_MAPS, reterr_failure);
        if (r >= 0)
                r = setup_wait(init, SETUP_MAPPED, reterr_failure);
        if (r >= 0)
                r = namespaces_become_root(reterr_failure);
        return r < 0 ? r : die_with_parent(init, reterr_failure);
}

/* Until exec nobody in the container may look into this process, which has the host's files open. Not before
 * the id maps are written: an unprivileged front end could not write them. */
static int become_undumpable(Init *init, SetupFailure *reterr_failure) {
        return prctl(PR_SET_DUMPABLE, 0) < 0 ? setup_failed(reterr_failure, -errno, "become undumpable", NULL)
                                             : 0;
}

static int start_session(Init *init, SetupFailure *reterr_failure) {
        return setsid() < 0 && errno != EPERM ? setup_failed(reterr_failure, -errno, "start a session", NULL)
                                              : 0;
}

static int run_hooks(const Hook *hooks, size_t n, const char *kind, char *const state[2], char **env,
                     SetupFailure *reterr_failure) {
        autofree char *text = NULL;
        int r = 0;

        if (n > 0 && asprintf(&text, "%s%d%s", state[0], (int) getpid(), state[1]) < 0)
                return setup_failed(reterr_failure, -ENOMEM, "run hooks", NULL);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = hook_run(&hooks[i], kind, i, text, env, reterr_failure);
        return r;
}

static int run_create_hooks(Init *init, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;
        int r = 0;

        if (plan->runtime_hooks) {
                r = setup_report(init, SETUP_MOUNTED, reterr_failure);
                if (r >= 0)
                        r = setup_wait(init, SETUP_HOOKS_DONE, reterr_failure);
        }
        return r < 0 ? r
                     : run_hooks(plan->create_container_hooks, plan->n_create_container_hooks,
                                 "createContainer", plan->create_container_state, NULL, reterr_failure);
}

static int enter_cwd_as_root(Init *init, SetupFailure *reterr_failure) {
        return exec_enter_cwd(init, /* is_last_try= */ false, reterr_failure);
}

static int enter_cwd_as_user(Init *init, SetupFailure *reterr_failure) {
        return exec_enter_cwd(init, /* is_last_try= */ true, reterr_failure);
}

static int finish_setup(Init *init, SetupFailure *reterr_failure) {
        int r = setup_wait(init, SETUP_MOVED, reterr_failure);

        if (r >= 0)
                r = seccomp_map(init, reterr_failure);
        if (r < 0)
                return r;
        close_clear(&init->helper_fd);
        close_clear(&init->stage_fd);
        /* A complete procfs is nothing to wait at the gate with; only the AppArmor profile still needs it. */
        if (!init->plan->apparmor_profile && !init->plan->selinux_label)
                close_clear(&init->proc_fd);
        return setup_report(init, SETUP_CREATED, reterr_failure);
}

static const Step setup_steps[] = {
        {begin,                      false},
        {enter_user_namespace,       false},
        {become_undumpable,          false},
        {namespaces_make_ipc,        false},
        {namespaces_join_rest,       false},
        {namespaces_set_loopback_up, false},
        {start_session,              false},
        {procfs_open,                false},
        {rootfs_prepare,             false},
        {mounts_apply_early,         false},
        {devices_make,               false},
        {console_open,               true },
        {namespaces_make_cgroup,     false},
        {mounts_apply_late,          false},
        {attributes_set_names,       false},
        {run_create_hooks,           false},
        {attributes_set_sysctls,     false},
        {rootfs_make_cwd,            true },
        {environment_make,           true },
        {masks_apply,                false},
        {rootfs_finish,              false},
        {rootfs_enter,               false},
        {console_take,               true },
        {attributes_set_early,       true },
        {enter_cwd_as_root,          true },
        {user_become,                true },
        {become_undumpable,          false}, /* the change of uid may have undone it (fs.suid_dumpable) */
        {enter_cwd_as_user,          true },
        {exec_find_program,          true },
        {finish_setup,               false},
};

static int require_process(Init *init, SetupFailure *reterr_failure) {
        return init->plan->has_process ? 0
                                       : setup_failed_text(reterr_failure, -ENOEXEC, FAILURE_EXEC,
                                                           "config.json has no process to be started");
}

static int run_start_hooks(Init *init, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;

        return run_hooks(plan->start_container_hooks, plan->n_start_container_hooks, "startContainer",
                         plan->start_container_state, init->env, reterr_failure);
}

static int hand_over_fds(Init *init, SetupFailure *reterr_failure) {
        for (size_t i = 0; i < init->plan->n_preserve_fds; i++) {
                int r = fd_set_cloexec(init->plan->preserve_fds[i], false);

                if (r < 0)
                        return setup_failed(reterr_failure, r, "preserve a file descriptor", NULL);
        }
        return 0;
}

/* While the filter of the container still lets us. */
static int announce_program(Init *init, SetupFailure *reterr_failure) {
        int r = message_send(init->gate_fd, GATE_EXEC, 0);

        return r < 0 ? setup_failed(reterr_failure, r, "tell the supervisor", NULL) : 0;
}

static const Step start_steps[] = {
        {require_process,     false},
        {run_start_hooks,     false},
        {hand_over_fds,       false},
        {attributes_set_last, false},
        {announce_program,    false},
        {user_finish,         false},
};

/* What is there already, for `exec`. The root is that of the mount namespace; procfs is only needed for
 * labels, whose writers say so where there is none. */
static int open_container(Init *init, SetupFailure *reterr_failure) {
        init->rootfs_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (init->rootfs_fd < 0)
                return setup_failed(reterr_failure, -errno, "open", "/");
        init->proc_fd = procfs_open_joined();
        return 0;
}

/* No working directory may lead through it. */
static int close_root(Init *init, SetupFailure *reterr_failure) {
        (void) reterr_failure;
        close_clear(&init->rootfs_fd);
        return 0;
}

/* Nothing that somebody in the container controls is touched before the process is in its group. */
static int enter_group(Init *init, SetupFailure *reterr_failure) {
        int r = setup_wait(init, SETUP_MOVED, reterr_failure);

        return r < 0 ? r : seccomp_map(init, reterr_failure);
}

/* Who may not be told any more has died, and took the wish with it. */
static int report_ready(Init *init, SetupFailure *reterr_failure) {
        close_clear(&init->proc_fd);
        return setup_report(init, SETUP_CREATED, reterr_failure);
}

static const Step join_steps[] = {
        {begin,                true},
        {start_session,        true},
        {enter_group,          true},
        {open_container,       true},
        {console_open,         true},
        {environment_make,     true},
        {console_take,         true},
        {close_root,           true},
        {attributes_set_early, true},
        {enter_cwd_as_root,    true},
        {user_become,          true},
        {become_undumpable,    true}, /* as above */
        {enter_cwd_as_user,    true},
        {exec_find_program,    true},
        {hand_over_fds,        true},
        {attributes_set_last,  true},
        {report_ready,         true},
        {user_finish,          true},
};

static int run_steps(Init *init, const Step *steps, size_t n, SetupFailure *reterr_failure) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                if (init->plan->has_process || !steps[i].needs_process)
                        r = steps[i].run(init, reterr_failure);
        }
        return r;
}

void init_run(Init *init) {
        SetupFailure failure = {0};
        int r = run_steps(init, setup_steps, ELEMENTSOF(setup_steps), &failure);

        if (r < 0) {
                message_send_failure(init->plan->setup_fd, SETUP_FAILED, &failure);
                _exit(EXIT_FAILURE);
        }
        close(init->plan->setup_fd);

        r = exec_wait_at_gate(init, &failure);
        if (r >= 0)
                r = run_steps(init, start_steps, ELEMENTSOF(start_steps), &failure);
        if (r >= 0)
                r = exec_program(init, &failure);
        if (init->gate_fd >= 0)
                message_send_failure(init->gate_fd, GATE_FAILED, &failure);
        _exit(failure.code == FAILURE_EXEC ? exec_exit_status(r) : EXIT_FAILURE);
}

void init_run_joined(Init *init) {
        SetupFailure failure = {0};
        int r = run_steps(init, join_steps, ELEMENTSOF(join_steps), &failure);

        if (r >= 0)
                r = exec_program(init, &failure);
        message_send_failure(init->plan->setup_fd, SETUP_FAILED, &failure);
        _exit(failure.code == FAILURE_EXEC ? exec_exit_status(r) : EXIT_FAILURE);
}
