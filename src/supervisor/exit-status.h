/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "protocol/message.h"

/* How a process ended that is somebody else's child, and how to end in the same way. An ExitReport whose code
 * is 0 means that it is not known. */

/**
 * exit_status_from_pidfd:
 * Asks the kernel: PIDFD_GET_INFO with PIDFD_INFO_EXIT, Linux 6.15. The answer is there once the process has
 * been reaped by its parent; a poll(2) for the pidfd's POLLHUP waits for that. Returns 0, -EAGAIN while it
 * lives or is a zombie, or -EOPNOTSUPP on an older kernel.
 */
int exit_status_from_pidfd(int pidfd, ExitReport *ret);

/**
 * exit_status_from_zombie:
 * @pidfd: of the process @pid: the answer counts only if it has not been reaped meanwhile
 *
 * Reads exit_code in /proc/PID/stat, see proc(5). Returns 0, -ESRCH when it is no zombie (any more), -EACCES
 * when the kernel does not show it to us, or another negative errno.
 */
int exit_status_from_zombie(pid_t pid, int pidfd, ExitReport *ret);

/**
 * exit_status_describe:
 * Writes "Exited with status 3", "Killed by SIGKILL", "Ended with an unknown status" into @text.
 */
void exit_status_describe(const ExitReport *status, char *text, size_t size);

/**
 * exit_status_adopt:
 * Ends the calling process in the same way: exit status, or death by the same signal without a core file (the
 * container wrote its own). Where the signal does not kill (PID 1 of a namespace), exits with 128 + signal;
 * with 255 if the status is unknown.
 */
__attribute__((noreturn)) void exit_status_adopt(const ExitReport *status);
