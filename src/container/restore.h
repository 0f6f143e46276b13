/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/creation.h"

/* What restore does otherwise than create: not unitrun-init makes the container's processes, but criu, which
 * the stage starts and which is asked over a socket once it sits in the payload group. What it restores stays
 * there. */

/**
 * restore_prepare:
 * @creation: has its plan and state directory
 * Opens the image and makes the socket, one end of which becomes the plan's.
 */
bool restore_prepare(Creation *creation, GError **error);

/**
 * restore_begin:
 * @creation: criu is placed
 * Asks for the restoration.
 */
bool restore_begin(Creation *creation, GError **error);

/**
 * restore_handle:
 * Takes one word of criu's and does what it waits for. creation->finished is set with the last one, or by the
 * stage's answer where that stays as the reaper.
 */
bool restore_handle(Creation *creation, GError **error);
