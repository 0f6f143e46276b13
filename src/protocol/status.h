/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The supervisor's word on where the container is, in STATE_STATUS: one line,
 *     "created", "running", "exited CODE", "killed SIGNAL", or "failed" (the program could not be executed).
 * A reader still looks whether init is alive: a supervisor killed by force can't write. */

typedef enum StatusWord {
        STATUS_WORD_CREATED,
        STATUS_WORD_RUNNING,
        STATUS_WORD_EXITED,
        STATUS_WORD_KILLED,
        STATUS_WORD_FAILED,
} StatusWord;

/**
 * status_write:
 * @value: the exit code or signal, for EXITED and KILLED
 * Replaces STATE_STATUS in @dir_fd, in place where the file system is full: `delete` kills a container that
 * is said to be waiting for its start. Returns 0 or a negative errno.
 */
int status_write(int dir_fd, StatusWord word, int value);

/**
 * status_read:
 * @ret_value: (nullable)
 * Returns 0, -ENOENT when none was written yet, -EBADMSG, or another negative errno.
 */
int status_read(int dir_fd, StatusWord *ret_word, int *ret_value);
