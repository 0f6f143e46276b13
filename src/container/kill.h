/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"

/**
 * container_kill:
 * @all: every process of the container, not only init
 *
 * The OCI kill operation. SIGKILL to a container without a pid namespace of its own ends all its processes,
 * since init's end would not (as runc does). Fails with UNITRUN_ERROR_WRONG_STATUS and "container not
 * running" when init is gone.
 */
bool container_kill(const Container *container, int signal_number, bool all, GError **error);
