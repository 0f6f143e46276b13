/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/**
 * exit_info_supported:
 * Whether the kernel tells the exit status of a process through its pidfd after somebody else has reaped it
 * (PIDFD_GET_INFO with PIDFD_INFO_EXIT, Linux 6.15). Where it doesn't, init gets a reaper as its parent. The
 * environment variable UNITRUN_FORCE_REAPER makes it false, so that both ways can be tested on one kernel.
 */
bool exit_info_supported(void);
