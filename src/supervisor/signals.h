/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/**
 * signals_open:
 * Blocks every signal and returns an fd on which they arrive instead (signalfd(2), non-blocking), or a
 * negative errno.
 */
int signals_open(void);

/**
 * signals_take:
 * @ret_from_manager: (nullable): the parent sent it, which for a unit's main process is systemd: its
 * KillSignal=, or `systemctl kill`
 *
 * The next signal that somebody else has sent. Returns its number, or 0 when there is none.
 */
int signals_take(int signal_fd, bool *ret_from_manager);

/**
 * signals_terminates:
 * Whether the default action ends a process, see signal(7).
 */
bool signals_terminates(int signal_number);

/**
 * signals_means_stop:
 * Whether it is a customary word for "stop": others end a process by default too but mean something else to
 * most programs, for example SIGHUP.
 */
bool signals_means_stop(int signal_number);
