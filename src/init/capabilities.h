/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/capability.h>

#include "init/plan.h"
#include "protocol/failure.h"

#define CAPABILITY_BIT(number) (UINT64_C(1) << (number))

/**
 * capabilities_limit:
 * Drops all from the bounding set but @bounding. Bits that the kernel doesn't know are ignored. Returns 0 or
 * a negative errno.
 */
int capabilities_limit(uint64_t bounding, SetupFailure *reterr_failure);

/**
 * capabilities_set:
 * @kept: permitted and effective besides what the plan says
 *
 * Sets permitted, effective and inheritable, by one capset(2). Returns 0 or a negative errno.
 */
int capabilities_set(const CapabilityPlan *plan, uint64_t kept, SetupFailure *reterr_failure);

/**
 * capabilities_set_ambient:
 * Sets the ambient set, after the other ones. A capability that is not also permitted and inheritable can't
 * be in it (capabilities(7)) and is left out. Returns 0 or a negative errno.
 */
int capabilities_set_ambient(const CapabilityPlan *plan, SetupFailure *reterr_failure);
