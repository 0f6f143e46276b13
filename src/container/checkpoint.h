/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"
#include "container/criu.h"

/**
 * container_checkpoint:
 * Writes the state of a running or paused container to @options->image_path (criu(8)). Its processes end with
 * that, unless leave_running or pre_dump say otherwise; whoever waits for init sees it killed. After a
 * failure the container goes on.
 *
 * After criu_check(). UNITRUN_ERROR_WRONG_STATUS for a container that is not running.
 */
bool container_checkpoint(const Container *container, const CriuOptions *options, GError **error);
