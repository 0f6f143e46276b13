/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * capability_from_name:
 * @name: "CAP_CHOWN"
 * Returns its number, or -EINVAL.
 */
int capability_from_name(const char *name);

/**
 * capability_name:
 * Returns (nullable): the name of @number, NULL beyond the last one.
 */
const char *capability_name(int number);

/**
 * capability_lacking:
 * Returns the capabilities that the kernel knows and that nothing this process executes can ever have: what
 * is not in its bounding set, see capabilities(7). Bit N is capability N.
 */
uint64_t capability_lacking(void);

/**
 * capability_is_effective:
 * Whether this process has capability @number, in its user namespace, now.
 */
bool capability_is_effective(int number);
