/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/**
 * words_split:
 * Splits a value into words as systemd does (systemd.service(5), "Command lines"): blanks separate, single
 * and double quotes keep together, and backslash escapes as in C. Returns (transfer full) NULL with "…" for a
 * quote that is not closed or an unknown escape.
 */
char **words_split(const char *value, GError **error);

/**
 * words_quote:
 * Returns (transfer full): @word as one word of a unit file's command line, which systemd reads back as the
 * very bytes; specifiers (%) stay what they are.
 */
char *words_quote(const char *word);
