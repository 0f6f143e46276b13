/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* How plain C programs say what went wrong: a struct of fixed size that goes through a socket as it is. The
 * text is a whole phrase ("mount '/proc': open target: Permission denied"), for a person; the code is for who
 * has to act. */

typedef enum FailureCode {
        FAILURE_GENERIC,
        FAILURE_EXEC,  /* the user program can't be executed: the text is worded for engines, see
                          failure_exec() */
        FAILURE_HOOK,  /* a hook failed or timed out */
        FAILURE_STATE, /* the container is not in the status the request needs */
} FailureCode;

#define FAILURE_TEXT_SIZE 4000

typedef struct SetupFailure {
        int32_t error; /* negative errno, 0 where none applies */
        uint32_t code; /* FailureCode */
        char text[FAILURE_TEXT_SIZE];
} SetupFailure;

/**
 * setup_failed:
 * @error: a negative errno
 * @what: what was tried: "mount", "set rlimit"
 * @object: (nullable): on what, quoted in the text
 * @reterr_failure: (nullable)
 *
 * Notes "WHAT 'OBJECT': strerror" and returns @error, so that a failure is one statement. Async-signal-safe.
 */
int setup_failed(SetupFailure *reterr_failure, int error, const char *what, const char *object);

/**
 * setup_failed_text:
 * Notes a text made by the caller's format, without strerror. Returns @error. Async-signal-safe (no malloc,
 * no locale).
 */
int setup_failed_text(SetupFailure *reterr_failure, int error, FailureCode code, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/**
 * setup_failed_prefix:
 * Puts "PREFIX 'OBJECT': " (or "PREFIX: " when @object is NULL) before the text noted already. Returns its
 * error.
 */
int setup_failed_prefix(SetupFailure *failure, const char *prefix, const char *object);

/**
 * error_text:
 * strerror() without locale and locks (glibc's strerrordesc_np()). Never NULL.
 */
const char *error_text(int error);
