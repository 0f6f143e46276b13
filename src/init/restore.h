/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/plan.h"

/**
 * restore_stage_run:
 * @oom_score_adj: as of reaper_run()
 *
 * What the stage does for plan->is_restore: starts criu, in a mount namespace of its own, as the process
 * whose sibling the restored init is going to be; then it ends, or stays as the reaper once it is told which
 * process that is. Does not return.
 */
void restore_stage_run(const InitPlan *plan, int oom_score_adj) __attribute__((noreturn));
