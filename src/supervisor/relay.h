/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <stdbool.h>

/* The container's output on its way to the journal, with `--stdio=journal`. The program has pipes, which
 * unlike the journal's sockets can be opened again as /dev/stdout; the supervisor passes on what comes, and
 * so every line is one of the unit's main process, whoever wrote it and however soon that one has ended. */

typedef struct RelayStream {
        int pipe_fd;    /* -EBADF: none, or nobody writes to it any more */
        int journal_fd; /* -EBADF: none */
        bool full;      /* the journal's socket is */
} RelayStream;

typedef struct Relay {
        RelayStream streams[2];
} Relay;

/**
 * relay_init, relay_clear:
 * Nothing to be passed on; closes the fds.
 */
void relay_init(Relay *relay);
void relay_clear(Relay *relay);

/**
 * relay_take:
 * @fds: for stdout, then for stderr, the end of a pipe to read from and a stream to the journal; the relay's
 * from now on
 */
void relay_take(Relay *relay, const int fds[static 4]);

#define RELAY_N_POLL 2

void relay_poll(const Relay *relay, struct pollfd polled[static RELAY_N_POLL]);
void relay_step(Relay *relay, const struct pollfd polled[static RELAY_N_POLL]);

/**
 * relay_finish:
 * The program has ended: passes on what is left, and waits until the journal has dealt with it, since it
 * looks for the unit of a line by the process that has sent it. Gives up after two seconds.
 */
void relay_finish(Relay *relay);
