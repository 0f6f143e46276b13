/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

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
