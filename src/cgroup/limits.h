/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Values for the files of a control group. */

typedef struct CgroupLimit {
        const char *file;  /* "memory.max" */
        const char *value; /* several lines are written one by one, as io.max wants it */
        bool unlimited;    /* the value says "no limit": a missing file is no error */
} CgroupLimit;

#define CGROUP_LIMIT_ERROR_SIZE 512

/**
 * cgroup_apply_limits:
 * @group_name: for the text
 * @reterr_index: (nullable): which limit failed
 * @reterr_text: on failure: what failed, on which file and why, without strerror where the reason is known:
 * "controller 'memory' is not available in 'x.service' (cannot write memory.max)"
 *
 * Writes the values in their order. Returns 0 or a negative errno: -EOPNOTSUPP for a missing controller or
 * file.
 */
int cgroup_apply_limits(int group_fd, const char *group_name, const CgroupLimit *limits, size_t n_limits,
                        size_t *reterr_index, char reterr_text[static CGROUP_LIMIT_ERROR_SIZE]);
