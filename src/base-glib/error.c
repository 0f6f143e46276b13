/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How the front end fails: a GError set and false returned in one statement. */

#include "base-glib/error.h"

#include <stdlib.h>

#include "base-glib/one-line.h"

#define MESSAGE_MAX 2000 /* bytes */

/* Not a subtraction. */
/* clang-format off */
G_DEFINE_QUARK(unitrun-error-quark, unitrun_error)
/* clang-format on */

static bool fail_valist(GError **error, UnitrunError code, const char *suffix, const char *format,
                        va_list arguments) G_GNUC_PRINTF(4, 0);

static bool fail_valist(GError **error, UnitrunError code, const char *suffix, const char *format,
                        va_list arguments) {
        g_autofree char *text = NULL;

        if (!error)
                return false;
        text = g_strdup_vprintf(format, arguments);
        g_set_error(error, UNITRUN_ERROR, (int) code, "%s%s%s", text, suffix ? ": " : "",
                    suffix ? suffix : "");
        return false;
}

bool fail(GError **error, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        fail_valist(error, UNITRUN_ERROR_FAILED, NULL, format, arguments);
        va_end(arguments);
        return false;
}

bool fail_code(GError **error, UnitrunError code, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        fail_valist(error, code, NULL, format, arguments);
        va_end(arguments);
        return false;
}

bool fail_errno(GError **error, int error_number, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        fail_valist(error, UNITRUN_ERROR_FAILED, g_strerror(abs(error_number)), format, arguments);
        va_end(arguments);
        return false;
}

bool fail_prefix(GError **error, const char *format, ...) {
        va_list arguments;
        g_autofree char *text = NULL;

        if (!error || !*error)
                return false;
        va_start(arguments, format);
        text = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        g_prefix_error(error, "%s: ", text);
        return false;
}

bool fail_on_one_line(GError **error) {
        if (error && *error) {
                char *line = one_line((*error)->message, MESSAGE_MAX);

                g_free((*error)->message);
                (*error)->message = line;
        }
        return false;
}
