/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"
#include "protocol/message.h"

/**
 * setup_wait:
 * @type: SETUP_MAPPED, SETUP_MOVED or SETUP_HOOKS_DONE
 *
 * Waits for the front end's word. SETUP_MOVED may come at any time and is dealt with when it does: init is in
 * its unit's cgroup then, and lives and dies with the supervisor. End of file means that the front end is
 * gone, and so is everything it began: the process ends. Returns 0 or a negative errno.
 */
int setup_wait(Init *init, MessageType type, SetupFailure *reterr_failure);

/**
 * setup_report:
 * Sends @type to the front end. Returns 0 or a negative errno.
 */
int setup_report(const Init *init, MessageType type, SetupFailure *reterr_failure);
