/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/creation.h"
#include "protocol/message.h"

/* The front end's side of the hand-over to the supervisor, see protocol/message.h. */

/**
 * handover_output:
 * Hands over what the supervisor is to pass on to the journal, if there is anything.
 */
bool handover_output(Creation *creation, GError **error);

/**
 * handover_init:
 * @type: HANDOVER_INIT or HANDOVER_RESTORED
 * Hands over init, and in reaper mode the reaper's socket: the supervisor watches it from now on.
 */
bool handover_init(Creation *creation, MessageType type, GError **error);

/**
 * handover_run_hooks:
 * Runs the prestart and createRuntime hooks for creation->init.
 */
bool handover_run_hooks(const Creation *creation, GError **error);
