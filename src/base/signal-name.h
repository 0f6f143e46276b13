/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/**
 * signal_from_name:
 * @text: "TERM", "SIGTERM" (any case), "15", "RTMIN+3", "SIGRTMAX-1"
 *
 * Returns the signal's number, or -EINVAL. 0 is taken only as the number "0" (does the process exist?,
 * kill(2)).
 */
int signal_from_name(const char *text);

/**
 * signal_to_name:
 * Returns "SIGTERM", "SIGRTMIN+3", … in @buffer or a constant; a number for what has no name.
 */
#define SIGNAL_NAME_SIZE 24
const char *signal_to_name(int signal_number, char buffer[static SIGNAL_NAME_SIZE]);
