/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/message.h"

/* The container's init as the supervisor knows it: a pidfd, in reaper mode also the reaper's socket, and on
 * the way from its exit to a known status a deadline. */

#define INIT_NAME_SIZE 16

typedef struct InitProcess {
        pid_t pid;
        int pidfd;
        int reaper_fd; /* -EBADF: no reaper, or it has spoken */
        bool restored; /* by criu: the program runs already */
        bool exited;   /* a zombie or reaped; the status may still be unknown */
        bool hasty;    /* who would reap it may be waiting for our end */
        int64_t deadline_usec;
        ExitReport peeked; /* what the zombie showed */
} InitProcess;

#define INIT_N_POLL 2

/**
 * init_process_take:
 * @pidfd, @reaper_fd: the init's from now on
 *
 * Returns 0 or a negative errno. Release with init_process_clear().
 */
int init_process_take(InitProcess *init, int pidfd, int reaper_fd);
void init_process_clear(InitProcess *init);

/**
 * init_process_name:
 * The name of what it runs, from /proc/PID/comm, with nothing but printable ASCII in it: it goes into
 * notifications. "?" when it is gone.
 */
void init_process_name(const InitProcess *init, char name[static INIT_NAME_SIZE]);

/**
 * init_process_poll:
 * @timeout_msec: (inout): shortened if a deadline is near (-1: for ever)
 *
 * Fills in what has to be waited for.
 */
void init_process_poll(const InitProcess *init, struct pollfd polled[static INIT_N_POLL], int *timeout_msec);

/**
 * init_process_step:
 * Returns 1 and the status once it is known, or cannot be got any more (code 0); 0 until then.
 */
int init_process_step(InitProcess *init, const struct pollfd polled[static INIT_N_POLL], ExitReport *ret);
