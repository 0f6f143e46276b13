/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "container/container.h"

/**
 * container_stats:
 * Returns (transfer full): one event of the type "stats", as JSON with a newline: what the container uses and
 * may use. UNITRUN_ERROR_WRONG_STATUS with "container not running" when it has stopped.
 */
char *container_stats(const Container *container, GError **error);

/**
 * container_events:
 * @interval_usec: from one "stats" event to the next; the first comes after the first interval
 * @output_fd: where events go, each with one write
 *
 * Writes "stats" events, and one of the type "oom" for each process that the kernel has killed for want of
 * memory. Returns true when the container has ended, or nobody reads @output_fd any more.
 */
bool container_events(const Container *container, uint64_t interval_usec, int output_fd, GError **error);
