/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cli/command.h"

/**
 * table_find:
 * Returns (nullable): the command called @name.
 */
const Command *table_find(const char *name);

/**
 * table_fail_unknown:
 * Fails with UNITRUN_ERROR_USAGE because there is no command @name, and says which one may have been meant.
 * Returns false.
 */
bool table_fail_unknown(const char *name, GError **error);

/**
 * table_describe:
 * Returns (transfer full): a line for each command, for help.
 */
char *table_describe(void);
