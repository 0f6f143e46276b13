/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "protocol/message.h"

/**
 * supervisor_run:
 * @state_dir: path of the container's state directory
 * @own_group: there is a control group for it and the container: its unit's, or one that the front end made
 * and started it in. Else it stays where it is
 * @ret_status: how init ended; code 0 if that could not be found out
 *
 * All that the main process of a container's unit does, from the hand-over to the end of the container.
 * Returns 0, or a negative errno after it has said why on stderr, the journal (not for a `create` that gave
 * up, which has told its own).
 */
int supervisor_run(const char *state_dir, bool own_group, ExitReport *ret_status);
