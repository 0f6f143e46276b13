/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/**
 * report_problem:
 * @message: on one line
 * @here: on stderr, for who has called the generator by hand
 *
 * Tells the administrator. At boot there is no journal to talk to yet, then it goes through the kernel's log;
 * a generator must not wait for anybody (systemd.generator(7)).
 */
void report_problem(const char *message, bool here);
