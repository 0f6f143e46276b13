/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * environment_make:
 * Sets init->env, the environment of the program: that of the plan, with HOME if there is none, from the
 * image's passwd file as runc does it, and with LISTEN_PID if the plan wants that. Returns 0 or a negative
 * errno.
 */
int environment_make(Init *init, SetupFailure *reterr_failure);
