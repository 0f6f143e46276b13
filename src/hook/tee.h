/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* What a hook writes to stderr, on its way from a pipe to the caller's output, of which the end is kept. */

#define TEE_TAIL_SIZE 1024

typedef struct Tee {
        int source_fd; /* the pipe, non-blocking; -EBADF once it has ended */
        int output_fd; /* -EBADF once it has failed */
        char pending[4096];
        size_t n_pending, pending_start; /* read, not yet written */
        char tail[TEE_TAIL_SIZE];        /* a ring */
        size_t n_total;                  /* all bytes that ever went through the ring */
} Tee;

/**
 * tee_poll:
 * Fills @ret with what the tee waits for: the output while something is pending (so that a slow journal slows
 * the hook, not us), else the source; fd -1 if nothing more comes.
 */
void tee_poll(const Tee *tee, struct pollfd *ret);

/**
 * tee_step:
 * Does what can be done without waiting. Returns whether something was.
 */
bool tee_step(Tee *tee);

/**
 * tee_finish:
 * Moves on what the pipe still holds, a pipe's capacity at most (somebody in the background may write for
 * ever), and closes the source. Waits for a slow output up to a second.
 */
void tee_finish(Tee *tee);

/**
 * tee_quote:
 * Writes the kept end into @text as one line of valid UTF-8 for an error message: whole lines where some were
 * cut off, joined by "; ", without control characters. Empty when nothing was written.
 */
void tee_quote(const Tee *tee, char *text, size_t size);
