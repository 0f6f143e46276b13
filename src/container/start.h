/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"
#include "unit/job.h"

/**
 * container_start:
 * @bus, @job: (nullable): from create in the same process; NULL: opened and looked up if they are needed
 * @settle: return only when systemd has taken notice, for who may ask it next
 *
 * The OCI start operation: tells the supervisor to let init run the program and returns once it was executed,
 * READY=1 was sent and every poststart hook has succeeded. When a hook fails, systemd stops the unit
 * and with it the container. Fails with UNITRUN_ERROR_WRONG_STATUS unless the container is created.
 */
bool container_start(Container *container, UnitBus *bus, UnitJob *job, bool settle, GError **error);

/**
 * container_start_restored:
 * The end of a restoration in the same process: the program runs already, and the unit becomes active. The
 * poststart hooks run as they do for a start; one that fails ends the container.
 */
bool container_start_restored(Container *container, UnitBus *bus, UnitJob *job, bool settle, GError **error);
