/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"

/**
 * container_pause:
 * Freezes the payload group of a container that is created or running, and waits until all of it stands
 * still. A container that can't be frozen in time is let go again. The supervisor goes on, and says in the
 * unit's status text that the container is paused.
 *
 * UNITRUN_ERROR_WRONG_STATUS with "container not running" for a stopped container and "already paused" for a
 * paused one; UNITRUN_ERROR_UNSUPPORTED for one without a control group (container/home.h).
 */
bool container_pause(const Container *container, GError **error);

/**
 * container_resume:
 * Lets a paused container go on, also one whose whole unit was frozen with `systemctl freeze`.
 * UNITRUN_ERROR_WRONG_STATUS with "container not paused" for any other.
 */
bool container_resume(const Container *container, GError **error);
