/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Who the program is and what it may do: credentials(7), capabilities(7), seccomp(2). */

#include "init/user.h"

#include <errno.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "init/capabilities.h"
#include "init/seccomp.h"

static int become(const InitPlan *plan, SetupFailure *reterr_failure) {
        if (!plan->keep_groups && setgroups(plan->n_groups, plan->groups) < 0) {
                /* In a user namespace that denies setgroups(2) there is nothing to drop that could be. */
                if (errno != EPERM || plan->n_groups > 0)
                        return setup_failed(reterr_failure, -errno, "set", "process.user.additionalGids");
        }
        if (setresgid(plan->gid, plan->gid, plan->gid) < 0)
                return setup_failed_text(reterr_failure, -errno, FAILURE_GENERIC,
                                         "process.user.gid: cannot become %u: %s", plan->gid,
                                         error_text(errno));
        if (setresuid(plan->uid, plan->uid, plan->uid) < 0)
                return setup_failed_text(reterr_failure, -errno, FAILURE_GENERIC,
                                         "process.user.uid: cannot become %u: %s", plan->uid,
                                         error_text(errno));
        return 0;
}

static bool needs_privilege_for_seccomp(const InitPlan *plan) {
        return plan->seccomp_fd >= 0 && !plan->no_new_privileges;
}

int user_become(Init *init, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;
        uint64_t kept = needs_privilege_for_seccomp(plan) ? CAPABILITY_BIT(CAP_SYS_ADMIN) : 0;
        int r = capabilities_limit(plan->capabilities.bounding, reterr_failure);

        if (r < 0)
                return r;
        /* A change of uid from 0 takes all capabilities away unless asked not to. Exec resets it. */
        if (prctl(PR_SET_KEEPCAPS, 1) < 0)
                return setup_failed(reterr_failure, -errno, "keep capabilities", NULL);
        umask(plan->umask);
        r = become(plan, reterr_failure);
        if (r < 0)
                return r;
        if (prctl(PR_SET_KEEPCAPS, 0) < 0)
                return setup_failed(reterr_failure, -errno, "keep capabilities", NULL);
        r = capabilities_set(&plan->capabilities, kept, reterr_failure);
        return r < 0 ? r : capabilities_set_ambient(&plan->capabilities, reterr_failure);
}

int user_finish(Init *init, SetupFailure *reterr_failure) {
        if (init->plan->no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return setup_failed(reterr_failure, -errno, "set", "process.noNewPrivileges");
        /* CAP_SYS_ADMIN that was kept for this is not dropped by capset(2), which the filter may forbid: exec
         * makes the new sets from the bounding, inheritable and ambient ones alone (capabilities(7)), and
         * those are right. */
        return seccomp_load(init, reterr_failure);
}
