/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

#include "container/container.h"

/**
 * container_list:
 * @root: the state root
 * @may_be_missing: one that is not there holds no containers; else it is an error
 *
 * Opens every container, in the order of their IDs. What a killed create has left is none; a container whose
 * state is damaged is warned about and left out.
 *
 * Returns (transfer full) (element-type Container): NULL with @error set when @root can't be read.
 */
GPtrArray *container_list(const char *root, bool may_be_missing, GError **error);
