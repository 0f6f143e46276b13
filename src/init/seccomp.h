/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * seccomp_map:
 * Maps the seccomp program, which is there since SETUP_MOVED. Returns 0 or a negative errno.
 */
int seccomp_map(Init *init, SetupFailure *reterr_failure);

/**
 * seccomp_load:
 * Loads the program, if there is one, for the calling thread. With SCMP_ACT_NOTIFY among its actions the fd
 * that receives the notifications has been sent to the listener when this returns, and from then on nothing
 * but execve(2) is called. A failure to send it is told at the gate and ends the process. Returns 0 or a
 * negative errno.
 */
int seccomp_load(Init *init, SetupFailure *reterr_failure);
