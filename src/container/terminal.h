/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "init/plan.h"

/* The program's terminal when there is no engine that takes it: `run` and `exec` in the foreground pass it on
 * to their own standard input and output, whether those are a terminal or not. */

typedef struct Terminal Terminal;

/**
 * terminal_new:
 * @ret_socket: the end for InitPlan.console_fd, over which the terminal's master comes
 */
Terminal *terminal_new(int *ret_socket, GError **error);

/**
 * terminal_free:
 * Our own terminal is as it was before, the program's is hung up.
 */
void terminal_free(Terminal *terminal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Terminal, terminal_free)

/**
 * terminal_plan:
 * Makes the program's terminal as large as ours, if we have one, and its lines those of a text where they do
 * not go to a terminal.
 */
void terminal_plan(InitPlan *init);

/**
 * terminal_take:
 * Receives the master, which init has sent before it says that all is ready. All further functions want this
 * to have succeeded.
 */
bool terminal_take(Terminal *terminal, GError **error);

/**
 * terminal_begin:
 * Raw mode: from now on every key is the program's. To be called when passing begins, since no key interrupts
 * us any more. A second call does nothing.
 */
void terminal_begin(Terminal *terminal);

#define TERMINAL_POLLED 4

/**
 * terminal_poll:
 * @polled: to be waited for, then given to terminal_pass(); some have no fd
 */
void terminal_poll(const Terminal *terminal, struct pollfd polled[TERMINAL_POLLED]);

/**
 * terminal_pass:
 * Passes on what there is, both ways, and blocks on neither. The program is hung up on when our side is gone:
 * our terminal was closed, or nobody reads our output any more. The end of an input that is no terminal is
 * the program's Ctrl-D.
 */
void terminal_pass(Terminal *terminal, const struct pollfd polled[TERMINAL_POLLED]);

/**
 * terminal_signal:
 * Returns: whether @signal is about the terminal and nothing to be passed on. SIGWINCH: ours has another
 * size. After SIGCONT it has the modes of whoever had it meanwhile; that one is passed on all the same.
 */
bool terminal_signal(Terminal *terminal, int signal);

/**
 * terminal_end:
 * @signals_fd: a signalfd(2) of the caller: one of SIGINT, SIGTERM, SIGHUP and SIGQUIT ends the waiting
 *
 * The program has ended: shows what is left of its output, however long whoever reads ours takes, and gives
 * our terminal back.
 */
void terminal_end(Terminal *terminal, int signals_fd);
