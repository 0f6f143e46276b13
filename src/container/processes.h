/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/container.h"

/**
 * container_get_pids:
 * @ret_pids: (transfer full) (element-type pid_t): in the caller's pid namespace, ascending
 *
 * Every process of a container: of its payload group and of all groups below it. UNITRUN_ERROR_WRONG_STATUS
 * with "container not running" when it has stopped; UNITRUN_ERROR_UNSUPPORTED for one without a control
 * group.
 */
bool container_get_pids(const Container *container, GArray **ret_pids, GError **error);

/**
 * processes_filter:
 * @table: what ps(1) has printed: a line of headings with one called PID, and a line for each process
 * @pids: (element-type pid_t)
 *
 * Returns (transfer full): the headings and the lines of @pids; NULL with @error set where no heading is PID.
 */
char *processes_filter(const char *table, const GArray *pids, GError **error);
