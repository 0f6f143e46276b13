/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.memoryPolicy, for set_mempolicy(2). What the kernel would refuse without a word is found here. */

#include <linux/mempolicy.h>
#include <string.h>

#include "base-glib/error.h"
#include "container/cpu-mask.h"
#include "container/memory-policy.h"
#include "container/plan-parts.h"

#define NODES_MAX 1024 /* of any kernel */

static bool plan_flags(const OciLinux *linux, int *ret_flags, GError **error) {
        *ret_flags = 0;
        for (char **flag = linux->memory_policy_flags; flag && *flag; flag++)
                *ret_flags |= memory_policy_flag(*flag);
        return (*ret_flags & MPOL_F_STATIC_NODES) == 0 || (*ret_flags & MPOL_F_RELATIVE_NODES) == 0 ||
               fail(error, "linux.memoryPolicy.flags: MPOL_F_STATIC_NODES and MPOL_F_RELATIVE_NODES exclude "
                           "each other");
}

static bool plan_nodes(Plan *plan, CpuMask *mask, const char *nodes, GError **error) {
        g_autofree uint8_t *bytes = NULL;

        if (!nodes)
                return true;
        if (cpu_mask_parse(nodes, &bytes, &mask->size) < 0 || mask->size * 8 > NODES_MAX)
                return fail(error,
                            "linux.memoryPolicy.nodes: '%s' is not a list of memory nodes like '0-3,7'",
                            nodes);
        image_link_data(plan->image, &mask->bytes, bytes, mask->size);
        return true;
}

bool plan_memory_policy(Plan *plan, const OciLinux *linux, GError **error) {
        const char *name = linux->memory_policy_mode;
        const char *nodes =
                linux->memory_policy_nodes && *linux->memory_policy_nodes ? linux->memory_policy_nodes : NULL;
        MemoryPolicyPlan *policy;
        int flags, mode;

        if (!name)
                return true;
        mode = memory_policy_mode(name);
        if (nodes && (mode == MPOL_DEFAULT || mode == MPOL_LOCAL))
                return fail(error,
                            "linux.memoryPolicy.nodes: '%s' can't be there with the mode %s, which has none",
                            nodes, name);
        if (!nodes && mode != MPOL_DEFAULT && mode != MPOL_LOCAL && mode != MPOL_PREFERRED)
                return fail(error, "linux.memoryPolicy.nodes: missing, the mode %s needs some", name);
        if (!plan_flags(linux, &flags, error))
                return false;
        policy = plan_array(plan, &plan->init->memory_policy, 1, sizeof(*policy));
        policy->mode = mode | flags;
        image_link_string(plan->image, &policy->name, name);
        return plan_nodes(plan, &policy->nodes, nodes, error);
}
