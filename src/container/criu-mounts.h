/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/plan.h"

/* The mounts of a container that are not its own: CRIU notes only their names in the image, and is told when
 * the container is restored what is to be mounted there. */

/**
 * criu_mounts_dump:
 * @message: (inout): a criu_opts message
 * @root_fd: the container's root as init sees it
 *
 * Names each by its destination in the config. Destinations are resolved as they were when the container was
 * made: its symbolic links lead to places in the container only.
 */
bool criu_mounts_dump(GByteArray *message, const Plan *plan, int root_fd, GError **error);

/**
 * criu_mounts_restore:
 * The other half: what each name stands for on the host.
 */
void criu_mounts_restore(GByteArray *message, const Plan *plan);
