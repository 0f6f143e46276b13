/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

/**
 * reaper_get_oom_score_adj:
 * The caller's value, before it gets that of the container. 0 when it can't be read.
 */
int reaper_get_oom_score_adj(void);

/**
 * reaper_run:
 * @fd: where the ExitReport (protocol/message.h) goes
 * @oom_score_adj: what this process had before
 *
 * Waits until @pid, a child, has exited, reports how, and exits itself without reaping it: the zombie becomes
 * the child of whoever takes in this process' children, the engine, which reaps it as if nothing had been in
 * between. Needed before Linux 6.15, where a pidfd does not tell the exit status. Does not return.
 */
void reaper_run(int fd, pid_t pid, int oom_score_adj) __attribute__((noreturn));
