/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/plan.h"

/**
 * init_spawn:
 * @plan: its fds (and those of its PlanContext) must be open; of all fds of the caller the child gets only
 * these and 0, 1, 2, whatever their close-on-exec flags say
 * @ret_stage_pid: the stage, a child of the caller, which has to reap it. It exits with 0 after SETUP_FORKED:
 * at once, or with a new user namespace when init has its mounts; as the reaper it stays. Don't wait for it
 * before SETUP_CREATED.
 *
 * Starts unitrun-init with @plan, and compiles the seccomp program while that runs (SETUP_MOVED may be sent
 * only afterwards). When that fails the stage is killed, and init ends when the caller closes the setup
 * socket. The program is executed through a detached read-only mount of itself, or as a sealed copy in memory
 * where such a mount can't be had (no privilege, Linux < 5.12), so that nobody inside the container can ever
 * write to the host's file through /proc/PID/exe (CVE-2019-5736).
 */
bool init_spawn(const Plan *plan, pid_t *ret_stage_pid, GError **error);
