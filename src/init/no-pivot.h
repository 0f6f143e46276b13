/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * no_pivot_enter:
 * Makes the rootfs "/" where pivot_root(2) can't: moves it onto "/" and changes the root to it. Returns 0 or
 * a negative errno.
 */
int no_pivot_enter(const Init *init);
