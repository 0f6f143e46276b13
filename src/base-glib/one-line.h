/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

/**
 * one_line:
 * @text: whatever somebody else wrote
 * @max_bytes: about how much of it is wanted
 *
 * Returns (transfer full): @text fit for a line of a log or a terminal: valid UTF-8, control characters as
 * "\u001b", what is too much as "…".
 */
char *one_line(const char *text, size_t max_bytes);
