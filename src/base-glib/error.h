/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/**
 * UNITRUN_ERROR:
 * The domain of our own errors. A code exists only where a caller acts on it; all else is
 * UNITRUN_ERROR_FAILED and text.
 */
#define UNITRUN_ERROR (unitrun_error_quark())
GQuark unitrun_error_quark(void);

typedef enum UnitrunError {
        UNITRUN_ERROR_FAILED,
        UNITRUN_ERROR_USAGE,        /* a wrong command line */
        UNITRUN_ERROR_NOT_FOUND,    /* no such container, unit, file */
        UNITRUN_ERROR_EXISTS,       /* container ID or unit name taken */
        UNITRUN_ERROR_WRONG_STATUS, /* the container is not in the status the operation needs */
        UNITRUN_ERROR_UNSUPPORTED,  /* the manager or kernel does not know what is asked for */
} UnitrunError;

/**
 * fail, fail_code, fail_errno:
 * Set @error and return false, so that a failure is one statement. fail_errno() appends ": " and the text of
 * @error_number (positive or negative).
 */
bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
bool fail_code(GError **error, UnitrunError code, const char *format, ...) G_GNUC_PRINTF(3, 4);
bool fail_errno(GError **error, int error_number, const char *format, ...) G_GNUC_PRINTF(3, 4);

/**
 * fail_prefix:
 * Puts the formatted text and ": " before the message that @error already holds, and returns false.
 */
bool fail_prefix(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/**
 * fail_on_one_line:
 * Makes the message that @error already holds fit for one line, see one_line(), and returns false.
 */
bool fail_on_one_line(GError **error);
