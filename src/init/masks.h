/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * masks_apply:
 * Hides the plan's masked paths and makes its readonly paths read-only. What is not there is left out.
 * Returns 0 or a negative errno.
 */
int masks_apply(Init *init, SetupFailure *reterr_failure);
