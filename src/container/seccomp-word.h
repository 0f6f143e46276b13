/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The spec's words for seccomp (config-linux.md, "Seccomp") and what libseccomp and the kernel call them. */

/**
 * seccomp_action_from_name:
 * @value: the errno or trace number, for actions that carry one
 * Returns 0, -EINVAL, or -EOPNOTSUPP for SCMP_ACT_NOTIFY.
 */
int seccomp_action_from_name(const char *name, uint32_t value, uint32_t *ret_action);

/**
 * seccomp_operator_from_name:
 * Returns an enum scmp_compare, or -EINVAL.
 */
int seccomp_operator_from_name(const char *name);

/**
 * seccomp_architecture_from_name:
 * @name: "SCMP_ARCH_X86_64"
 * Returns libseccomp's token, or 0.
 */
uint32_t seccomp_architecture_from_name(const char *name);

/**
 * seccomp_flag_from_name:
 * Returns the flag for seccomp(2), or 0.
 */
uint64_t seccomp_flag_from_name(const char *name);
