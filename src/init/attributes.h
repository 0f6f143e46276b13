/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* What a process has besides namespaces, root and identity. Each returns 0 or a negative errno. */

/**
 * attributes_set_names:
 * hostname and domainname.
 */
int attributes_set_names(Init *init, SetupFailure *reterr_failure);

/**
 * attributes_set_sysctls:
 * The plan's sysctls, through a procfs that nobody can have tampered with.
 */
int attributes_set_sysctls(Init *init, SetupFailure *reterr_failure);

/**
 * attributes_set_initial_affinity:
 * process.execCPUAffinity.initial, or all CPUs.
 */
int attributes_set_initial_affinity(const Init *init, SetupFailure *reterr_failure);

/**
 * attributes_set_early:
 * What must come before the identity changes: session keyring, personality, scheduling, affinity, limits.
 */
int attributes_set_early(Init *init, SetupFailure *reterr_failure);

/**
 * attributes_set_last:
 * What only the program shall have, not the hooks before it: final CPU affinity, AppArmor profile.
 */
int attributes_set_last(Init *init, SetupFailure *reterr_failure);
