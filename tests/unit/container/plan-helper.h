/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "container/plan.h"

/* Plans of small configs, for tests. */

typedef struct TestPlan {
        OciConfig *config;
        Plan *plan;
} TestPlan;

/**
 * test_plan_build:
 * @process, @linux_, @rest: (nullable): further members of process, linux and the config itself, each with a
 * leading comma: ",\"hostname\": \"x\""
 * @ret_error: what is wrong with it; NULL: the config has to be right
 *
 * Builds the plan of a config with a mount namespace and the program "true", in the bundle "/bundle".
 */
TestPlan *test_plan_build(const char *process, const char *linux_, const char *rest, GError **ret_error);
void test_plan_free(TestPlan *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TestPlan, test_plan_free)

/**
 * test_plan_lines:
 * Returns (transfer full): the lines of the plan's text that start with @prefix, each ended by a newline.
 */
char *test_plan_lines(const Plan *plan, const char *prefix);
