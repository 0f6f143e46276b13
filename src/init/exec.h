/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/* From the finished container to the user program. Each returns 0 or a negative errno. */

/**
 * exec_enter_cwd:
 * Goes to process.cwd. Called twice: with init's own privileges, where a failure is left for later, and as
 * the container's user, who may go where root may not. Refuses a directory that is not below the root, such
 * as /proc/self/fd/7 (CVE-2024-21626).
 */
int exec_enter_cwd(Init *init, bool is_last_try, SetupFailure *reterr_failure);

/**
 * exec_find_program:
 * Looks process.args[0] up in the PATH of process.env, as the container's user. FAILURE_EXEC with the
 * words that engines look for.
 */
int exec_find_program(Init *init, SetupFailure *reterr_failure);

/**
 * exec_wait_at_gate:
 * Waits for the supervisor's GATE_GO; the process ends when the supervisor does. Sets init->gate_fd.
 */
int exec_wait_at_gate(Init *init, SetupFailure *reterr_failure);

/**
 * exec_program:
 * Executes the program. Returns a negative errno only.
 */
int exec_program(const Init *init, SetupFailure *reterr_failure);

/**
 * exec_exit_status:
 * The shell's word for why a program did not run: 127 not found, 126 anything else.
 */
int exec_exit_status(int error);
