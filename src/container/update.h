/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"
#include "oci/config.h"

/**
 * container_update:
 * @resources: what is to change; absent fields stay as they are, and so do swap and burst when only what they
 * are added to is given
 * @schemata: (nullable): lines for the container's group in the resctrl file system
 * @error: a value that is wrong or refused is named by its path: "linux.resources.memory.swap: …";
 * UNITRUN_ERROR_WRONG_STATUS with "container not running" when it has stopped
 *
 * Changes the limits of a container that is created, running or paused: the files of its payload group, then
 * the properties of its unit. On failure nothing has changed.
 */
bool container_update(const Container *container, const OciResources *resources, const char *schemata,
                      GError **error);
