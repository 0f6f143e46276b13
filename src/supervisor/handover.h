/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "protocol/failure.h"
#include "supervisor/init-process.h"
#include "supervisor/relay.h"

/* The supervisor's side of `create`: from "I run" to the commit, see protocol/message.h. */

/**
 * handover_hello, handover_fail:
 * @cgroup: the unit's control group
 *
 * The first word to the front end, either of them. Return 0 or a negative errno.
 */
int handover_hello(int handover_fd, const char *cgroup);
int handover_fail(int handover_fd, const SetupFailure *failure);

/**
 * handover_wait:
 * @ret_init: for init_process_clear()
 * @relay: (inout): of relay_init(); the container's output, if it is to be passed on
 *
 * Waits until the front end has committed the container and gone. Returns 0, -ECANCELED when it went without
 * a commit (no message is needed: it has told its own), -EINTR when a signal asked for the end, -EBADMSG. An
 * init that was handed over is killed unless 0 is returned.
 */
int handover_wait(int handover_fd, int dir_fd, int signal_fd, InitProcess *ret_init, Relay *relay);
