/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* How errors leave the program: on stderr for a person (and for containerd, which matches on it), and in the
 * log for an engine. podman takes the whole log file as one JSON object, so nothing but the error that ends
 * the program is written there; warnings go to stderr alone. */

typedef enum ReportFormat { REPORT_TEXT, REPORT_JSON } ReportFormat;

/**
 * report_open:
 * @log: (nullable): a file, appended to, or "journald:[IDENTIFIER]"
 * @format: (nullable): "text" or "json"
 * @debug: write what g_debug() tells as well: to the log, or to stderr when there is none
 */
bool report_open(const char *log, const char *format, bool debug, GError **error);

/**
 * report_container:
 * From now on reports are about the container @id: a field of the journal entry.
 */
void report_container(const char *id);

/**
 * report_unit:
 * @unit: (nullable): that of the container, likewise. Is copied
 */
void report_unit(const char *unit);

/**
 * report_error:
 * "unitrun: MESSAGE" on stderr, and one entry of level "error" in the log.
 */
void report_error(const char *message);
