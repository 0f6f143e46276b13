/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The five capability sets of the calling process. */

#include "init/capabilities.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CAPABILITIES 64

int capabilities_limit(uint64_t bounding, SetupFailure *reterr_failure) {
        for (unsigned i = 0; i < MAX_CAPABILITIES; i++) {
                int r = prctl(PR_CAPBSET_READ, i, 0, 0, 0);

                if (r < 0)
                        break;
                if (r == 0 || bounding & CAPABILITY_BIT(i))
                        continue;
                if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0)
                        return setup_failed(reterr_failure, -errno, "set", "process.capabilities.bounding");
        }
        return 0;
}

int capabilities_set(const CapabilityPlan *plan, uint64_t kept, SetupFailure *reterr_failure) {
        struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

        /* The kernel itself ignores bits that it has no capabilities for. */
        for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
                data[i].permitted = (uint32_t) ((plan->permitted | kept) >> (32 * i));
                data[i].effective = (uint32_t) ((plan->effective | kept) >> (32 * i));
                data[i].inheritable = (uint32_t) (plan->inheritable >> (32 * i));
        }
        if (syscall(SYS_capset, &header, data) < 0)
                return setup_failed(reterr_failure, -errno, "set", "process.capabilities");
        return 0;
}

int capabilities_set_ambient(const CapabilityPlan *plan, SetupFailure *reterr_failure) {
        uint64_t possible = plan->ambient & plan->permitted & plan->inheritable;

        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
                return setup_failed(reterr_failure, -errno, "clear the ambient capabilities", NULL);
        for (unsigned i = 0; i < MAX_CAPABILITIES; i++) {
                if (!(possible & CAPABILITY_BIT(i)) || prctl(PR_CAPBSET_READ, i, 0, 0, 0) < 0)
                        continue;
                if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0) < 0)
                        return setup_failed(reterr_failure, -errno, "set", "process.capabilities.ambient");
        }
        return 0;
}
