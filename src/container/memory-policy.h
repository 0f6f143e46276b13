/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The words of linux.memoryPolicy (config-linux.md, "Memory policy") and what set_mempolicy(2) calls them. */

/**
 * memory_policy_mode:
 * Returns MPOL_…, or -EINVAL.
 */
int memory_policy_mode(const char *name);

/**
 * memory_policy_flag:
 * Returns MPOL_F_…, or -EINVAL.
 */
int memory_policy_flag(const char *name);

/**
 * memory_policy_mode_at, memory_policy_flag_at:
 * For walks over them. Return (nullable): number @index, NULL beyond the last one.
 */
const char *memory_policy_mode_at(int index);
const char *memory_policy_flag_at(int index);
