/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/plan.h"

/**
 * stage_run:
 * What unitrun-init does first: it joins namespaces and clones init. Does not return; the exit status is 0
 * when init was cloned.
 */
void stage_run(const InitPlan *plan) __attribute__((noreturn));
