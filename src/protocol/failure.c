/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Noting failures where neither malloc nor stdio may be used. snprintf(3) with %s and %d takes no locks in
 * glibc and allocates nothing; it is the one function of stdio that is called after fork. */

#include "protocol/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *error_text(int error) {
        const char *text = strerrordesc_np(error < 0 ? -error : error);

        return text ? text : "Unknown error";
}

int setup_failed(SetupFailure *reterr_failure, int error, const char *what, const char *object) {
        if (!reterr_failure)
                return error;
        reterr_failure->error = error;
        reterr_failure->code = FAILURE_GENERIC;
        if (object)
                snprintf(reterr_failure->text, sizeof(reterr_failure->text), "%s '%s': %s", what, object,
                         error_text(error));
        else
                snprintf(reterr_failure->text, sizeof(reterr_failure->text), "%s: %s", what,
                         error_text(error));
        return error;
}

int setup_failed_text(SetupFailure *reterr_failure, int error, FailureCode code, const char *format, ...) {
        va_list arguments;

        if (!reterr_failure)
                return error;
        reterr_failure->error = error;
        reterr_failure->code = code;
        va_start(arguments, format);
        vsnprintf(reterr_failure->text, sizeof(reterr_failure->text), format, arguments);
        va_end(arguments);
        return error;
}

int setup_failed_prefix(SetupFailure *failure, const char *prefix, const char *object) {
        char text[FAILURE_TEXT_SIZE];

        if (!failure)
                return -1;
        memcpy(text, failure->text, sizeof(text));
        text[sizeof(text) - 1] = '\0';
        if (object)
                snprintf(failure->text, sizeof(failure->text), "%s '%s': %.3900s", prefix, object, text);
        else
                snprintf(failure->text, sizeof(failure->text), "%s: %.3900s", prefix, text);
        return failure->error;
}
