/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_STAT_SIZE 1024

/**
 * process_read_stat:
 * The line in /proc/PID/stat (proc(5)), terminated. The command name, field 2, may hold anything; the last
 * parenthesis closes it. Returns 0, -ESRCH when there is no such process, or another negative errno.
 */
int process_read_stat(pid_t pid, char text[static PROCESS_STAT_SIZE]);

/**
 * process_start_time:
 * @ret_ticks: field 22 of /proc/PID/stat, clock ticks since boot: with the pid it names one process for ever
 *
 * Returns 0, -ESRCH when there is no such process, or another negative errno. See proc(5).
 */
int process_start_time(pid_t pid, uint64_t *ret_ticks);

/**
 * process_reset_signals:
 * All dispositions of the calling process are the defaults, and nothing is blocked: both outlive an exec.
 */
void process_reset_signals(void);

/**
 * process_open:
 * @start_ticks: the start time the process must have, or 0 to take whoever has @pid
 *
 * Opens a pidfd and makes sure that it is the process meant: the pid may have been used again.
 * Returns the pidfd for close(), -ESRCH when that process is gone or a zombie, or another negative errno.
 */
int process_open(pid_t pid, uint64_t start_ticks);

/**
 * process_is_ending:
 * Whether it will exit without doing anything more: it has got SIGKILL or is about to be a zombie.
 */
bool process_is_ending(pid_t pid);

/**
 * process_signal:
 * Sends @signal_number through @pidfd. Returns 0 or a negative errno (-ESRCH: it is gone).
 */
int process_signal(int pidfd, int signal_number);

/**
 * process_wait_exit:
 * Waits until the process of @pidfd has exited (a zombie counts). @timeout_msec: -1 waits for ever.
 * Returns 0, -ETIMEDOUT, or another negative errno.
 */
int process_wait_exit(int pidfd, int timeout_msec);

/**
 * process_reap:
 * Waits for the end of @pid, a child, and forgets how it ended. Does nothing for 0 and less.
 */
void process_reap(pid_t pid);

#define PROCESS_NAME_SIZE 16

/**
 * process_get_name:
 * The command name of @pid (/proc/PID/comm) as it may be shown: what is not printable ASCII is "?". Returns 0
 * or a negative errno.
 */
int process_get_name(pid_t pid, char ret_name[static PROCESS_NAME_SIZE]);
