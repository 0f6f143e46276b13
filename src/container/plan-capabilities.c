/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Capabilities: from names to bits. Names that are not known here are left out with a warning, so that a
 * config for a newer kernel still runs, and so are those that can't be granted; bits that the running kernel
 * doesn't know are left out by it. */

#include <linux/capability.h>
#include <linux/sched.h>
#include <string.h>

#include "container/capability-name.h"
#include "container/plan-parts.h"

static uint64_t plan_set(Plan *plan, char *const *names, const char *set) {
        uint64_t mask = 0;

        for (size_t i = 0; names && names[i]; i++) {
                int number = capability_from_name(names[i]);

                if (number < 0)
                        plan_warn(plan,
                                  "process.capabilities.%s[%zu]: '%s' is not a known capability, ignoring",
                                  set, i, names[i]);
                else
                        mask |= UINT64_C(1) << number;
        }
        return mask;
}

/* "Any value which … cannot be granted otherwise MUST be logged as a warning by the runtime. Runtimes SHOULD
 * NOT fail" (config.md). A new user namespace starts with all of them, whatever its maker lacks. */
static void leave_out(Plan *plan, uint64_t lacking) {
        CapabilityPlan *sets = &plan->init->capabilities;
        uint64_t asked =
                sets->bounding | sets->permitted | sets->inheritable | sets->effective | sets->ambient;

        for (int i = 0; capability_name(i); i++)
                if (lacking & asked & UINT64_C(1) << i)
                        plan_warn(plan,
                                  "process.capabilities: %s can't be granted, unitrun lacks it itself, "
                                  "ignoring",
                                  capability_name(i));
        sets->bounding &= ~lacking;
        sets->permitted &= ~lacking;
        sets->inheritable &= ~lacking;
        sets->effective &= ~lacking;
        sets->ambient &= ~lacking;
}

bool plan_capabilities(Plan *plan, const OciProcess *process, const PlanContext *context, GError **error) {
        CapabilityPlan *sets = &plan->init->capabilities;
        const OciCapabilities *names = &process->capabilities;
        uint64_t impossible;

        /* Without the object, as with the peers, none. */
        sets->bounding = plan_set(plan, names->bounding, "bounding");
        sets->permitted = plan_set(plan, names->permitted, "permitted");
        sets->inheritable = plan_set(plan, names->inheritable, "inheritable");
        sets->effective = plan_set(plan, names->effective, "effective");
        sets->ambient = plan_set(plan, names->ambient, "ambient");
        if (!oci_config_namespace(plan->config, CLONE_NEWUSER))
                leave_out(plan, context->lacking_capabilities);
        impossible = sets->ambient & ~(sets->permitted & sets->inheritable);
        for (int i = 0; i <= CAP_LAST_CAP; i++)
                if (impossible & UINT64_C(1) << i)
                        plan_warn(plan,
                                  "process.capabilities.ambient: can't raise ambient capability %s: it is "
                                  "not both permitted and inheritable, "
                                  "ignoring",
                                  capability_name(i));
        sets->ambient &= ~impossible;
        return true;
}
