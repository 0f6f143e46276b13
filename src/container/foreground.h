/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"
#include "container/terminal.h"

/* A container that its creator waits for: `run` without --detach. */

/**
 * foreground_prepare:
 * To be called before the container is created: makes this process the one to which init is re-parented even
 * when a reaper stands between, and blocks the signals that foreground_wait() passes on.
 */
bool foreground_prepare(GError **error);

/**
 * foreground_block_signals:
 * The latter alone, for a process that is our own child.
 */
bool foreground_block_signals(GError **error);

/**
 * foreground_wait:
 * @terminal: (nullable): the program's, of container_create()
 * @timeout_msec: -1: as long as it takes
 * @ret_status: the exit status, 128 + N when it was killed by signal N; -1: it runs on after @timeout_msec
 *
 * Passes signals on to the container, and what is typed and shown, and waits for its end. Then our terminal
 * is as it was.
 */
bool foreground_wait(const Container *container, Terminal *terminal, int timeout_msec, int *ret_status,
                     GError **error);

/**
 * foreground_wait_process:
 * @pidfd: of @pid, a child; or negative: it has ended already
 * The same for any process.
 */
bool foreground_wait_process(pid_t pid, int pidfd, Terminal *terminal, int timeout_msec, int *ret_status,
                             GError **error);
