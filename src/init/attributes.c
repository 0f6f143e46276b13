/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Process attributes, one function each. */

#include "init/attributes.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "init/procfs.h"

#define IOPRIO_WHO_PROCESS 1

/* sched_setattr(2); glibc 2.36 has neither struct nor call, linux/sched/types.h clashes with its sched.h. */
struct scheduling {
        uint32_t size;
        uint32_t policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime;
        uint64_t deadline;
        uint64_t period;
};

int attributes_set_names(Init *init, SetupFailure *reterr_failure) {
        const char *hostname = init->plan->hostname, *domainname = init->plan->domainname;

        if (hostname && sethostname(hostname, strlen(hostname)) < 0)
                return setup_failed(reterr_failure, -errno, "set hostname", hostname);
        if (domainname && setdomainname(domainname, strlen(domainname)) < 0)
                return setup_failed(reterr_failure, -errno, "set domainname", domainname);
        return 0;
}

int attributes_set_sysctls(Init *init, SetupFailure *reterr_failure) {
        for (size_t i = 0; i < init->plan->n_sysctls; i++) {
                const SysctlPlan *sysctl = &init->plan->sysctls[i];
                char path[512];
                int r = -ENAMETOOLONG;

                if (snprintf(path, sizeof(path), "sys/%s", sysctl->path) < (int) sizeof(path))
                        r = procfs_write(init->proc_fd, path, sysctl->value);
                if (r < 0)
                        return setup_failed_text(reterr_failure, r, FAILURE_GENERIC,
                                                 "%s: can't be set to '%s': %s", sysctl->name, sysctl->value,
                                                 error_text(r));
        }
        return 0;
}

static int join_keyring(const Init *init, SetupFailure *reterr_failure) {
        const char *name = init->plan->session_keyring;

        /* ENOSYS: a kernel without keyrings; EDQUOT: the user has too many keys; EPERM and EACCES come from
         * outer sandboxes. The program then has the caller's keyring, as with the peers. */
        if (name && syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name) < 0 && errno != ENOSYS &&
            errno != EDQUOT && errno != EPERM && errno != EACCES)
                return setup_failed(reterr_failure, -errno, "join session keyring", name);
        return 0;
}

static int set_personality(const Init *init, SetupFailure *reterr_failure) {
        if (init->plan->has_personality && personality((unsigned long) init->plan->personality) < 0)
                return setup_failed(reterr_failure, -errno, "set", "linux.personality");
        return 0;
}

static int set_scheduler(const Init *init, SetupFailure *reterr_failure) {
        const SchedulerPlan *plan = init->plan->scheduler;

        if (plan) {
                struct scheduling scheduling = {
                        .size = sizeof(scheduling),
                        .policy = plan->policy,
                        .flags = plan->flags,
                        .nice = plan->nice,
                        .priority = plan->priority,
                        .runtime = plan->runtime,
                        .deadline = plan->deadline,
                        .period = plan->period,
                };

                if (syscall(SYS_sched_setattr, 0, &scheduling, 0) < 0)
                        return setup_failed(reterr_failure, -errno, "set", "process.scheduler");
        }
        if (init->plan->has_io_priority &&
            syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, init->plan->io_priority) < 0)
                return setup_failed(reterr_failure, -errno, "set", "process.ioPriority");
        return 0;
}

static int set_affinity(const CpuMask *mask, const char *name, SetupFailure *reterr_failure) {
        if (mask->bytes && syscall(SYS_sched_setaffinity, 0, mask->size, mask->bytes) < 0)
                return setup_failed(reterr_failure, -errno, "set", name);
        return 0;
}

/* A narrow affinity of the caller must not stay: all that the cpuset allows, unless the config says else.
 * The kernel cuts the mask to the cpuset. */
int attributes_set_initial_affinity(const Init *init, SetupFailure *reterr_failure) {
        uint8_t all[1024];

        if (init->plan->cpu_affinity_initial.bytes)
                return set_affinity(&init->plan->cpu_affinity_initial, "process.execCPUAffinity.initial",
                                    reterr_failure);
        memset(all, 0xff, sizeof(all));
        syscall(SYS_sched_setaffinity, 0, sizeof(all), all);
        return 0;
}

static int set_memory_policy(const Init *init, SetupFailure *reterr_failure) {
        const MemoryPolicyPlan *policy = init->plan->memory_policy;

        /* The kernel counts one bit less than it is told. */
        if (policy && syscall(SYS_set_mempolicy, policy->mode, policy->nodes.bytes,
                              policy->nodes.bytes ? policy->nodes.size * 8 + 1 : 0) < 0)
                return setup_failed(reterr_failure, -errno, "set linux.memoryPolicy to", policy->name);
        return 0;
}

static int set_rlimits(const Init *init, SetupFailure *reterr_failure) {
        for (size_t i = 0; i < init->plan->n_rlimits; i++) {
                const RlimitPlan *plan = &init->plan->rlimits[i];
                struct rlimit limit = {.rlim_cur = plan->soft, .rlim_max = plan->hard};

                if (setrlimit((__rlimit_resource_t) plan->resource, &limit) < 0)
                        return setup_failed(reterr_failure, -errno, "set resource limit", plan->name);
        }
        return 0;
}

int attributes_set_early(Init *init, SetupFailure *reterr_failure) {
        int r = join_keyring(init, reterr_failure);

        if (r >= 0)
                r = set_personality(init, reterr_failure);
        /* For `exec` the stage has done it, before the process got into the container's cgroup. */
        if (r >= 0 && !init->plan->is_exec)
                r = attributes_set_initial_affinity(init, reterr_failure);
        if (r >= 0)
                r = set_scheduler(init, reterr_failure);
        if (r >= 0)
                r = set_memory_policy(init, reterr_failure);
        if (r >= 0)
                r = set_rlimits(init, reterr_failure);
        return r;
}

/* Takes effect at the next exec. Opened now, because the kernel wants the opener's credentials to be the
 * writer's. AppArmor has a directory of its own since Linux 5.8. */
static int set_apparmor_profile(const Init *init, SetupFailure *reterr_failure) {
        const char *profile = init->plan->apparmor_profile;
        char text[1024];
        int r;

        if (!profile)
                return 0;
        if (snprintf(text, sizeof(text), "exec %s", profile) >= (int) sizeof(text))
                return setup_failed(reterr_failure, -ENAMETOOLONG, "set", "process.apparmorProfile");
        r = procfs_write(init->proc_fd, "self/attr/apparmor/exec", text);
        if (r == -ENOENT)
                r = procfs_write(init->proc_fd, "self/attr/exec", text);
        /* The backquotes are how podman recognises it. */
        return r < 0 ? setup_failed_text(reterr_failure, r, FAILURE_GENERIC,
                                         "process.apparmorProfile: write '%s' to `/proc/self/attr/exec`: %s",
                                         profile, error_text(r))
                     : 0;
}

/* Likewise. */
static int set_selinux_label(const Init *init, SetupFailure *reterr_failure) {
        const char *label = init->plan->selinux_label;
        int r = label ? procfs_write(init->proc_fd, "self/attr/exec", label) : 0;

        return r < 0 ? setup_failed_text(reterr_failure, r, FAILURE_GENERIC,
                                         "process.selinuxLabel: write '%s' to `/proc/self/attr/exec`: %s",
                                         label, error_text(r))
                     : 0;
}

int attributes_set_last(Init *init, SetupFailure *reterr_failure) {
        int r = set_affinity(&init->plan->cpu_affinity_final, "process.execCPUAffinity.final",
                             reterr_failure);

        if (r >= 0)
                r = set_selinux_label(init, reterr_failure);
        return r < 0 ? r : set_apparmor_profile(init, reterr_failure);
}
