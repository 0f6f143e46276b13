/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/**
 * clone_process:
 * @flags: CLONE_NEW… and CLONE_PARENT
 * @shared_pid: in memory that both share: gets the child's pid before it runs
 *
 * A fork; the child goes on here, on a copy of the stack, and sends SIGCHLD at its end to whoever is its
 * parent. Returns the pid, 0 in the child, or a negative errno.
 */
pid_t clone_process(uint64_t flags, pid_t *shared_pid);
