/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP while a command is at work: they undo what it has begun. */

/**
 * interrupt_open:
 * @ret_fd: a signalfd(2), non-blocking, to be polled
 *
 * Blocks the three signals for good: from now on they arrive at @ret_fd alone.
 */
bool interrupt_open(int *ret_fd, GError **error);

/**
 * interrupt_check:
 * @fd: of interrupt_open()
 * Returns: false with @error, which names the signal, when one has come
 */
bool interrupt_check(int fd, GError **error);
