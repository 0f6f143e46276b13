/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * console_open:
 * With process.terminal: makes a pseudo-terminal of the container's devpts, binds it on /dev/console, and
 * sends its other side over plan->console_fd. Returns 0 or a negative errno.
 */
int console_open(Init *init, SetupFailure *reterr_failure);

/**
 * console_take:
 * Makes the terminal the controlling one and puts it at fds 0, 1, 2; without terminal, gives what is there to
 * the container's user, so that it can open /dev/stdout again. Returns 0 or a negative errno.
 */
int console_take(Init *init, SetupFailure *reterr_failure);
