/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * mounts_apply_early, mounts_apply_late:
 * Carry out plan->mounts up to the first one of cgroup2, and from there on (see MountPlan). Between them fits
 * what need not wait for init's cgroup. Return 0 or a negative errno.
 */
int mounts_apply_early(Init *init, SetupFailure *reterr_failure);
int mounts_apply_late(Init *init, SetupFailure *reterr_failure);
