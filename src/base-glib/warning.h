/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

/**
 * warn:
 * "unitrun: warning: MESSAGE" on stderr. For failures that we survive; by habit the text ends with "…,
 * ignoring". Never in the log file, of which engines expect one error or nothing.
 */
void warn(const char *format, ...) G_GNUC_PRINTF(1, 2);
