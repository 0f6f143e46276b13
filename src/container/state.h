/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

#include "container/container.h"

/* What `state` and `list` say of a container. */

/**
 * container_created_text:
 * Returns (transfer full): when the container was created, RFC 3339, UTC.
 */
char *container_created_text(const Container *container);

/**
 * container_owner_name:
 * Returns (transfer full): the name of the user who created it; "" for one that nobody knows, as with runc.
 */
char *container_owner_name(const Container *container);

/**
 * container_state_json:
 * Returns (transfer full): what `state` prints.
 */
char *container_state_json(const Container *container, GError **error);

/**
 * container_states_json:
 * @containers: (element-type Container)
 * Returns (transfer full): the states of all of them as one array, without line breaks. One whose config
 * can't be read is warned about, and shown without annotations.
 */
char *container_states_json(const GPtrArray *containers);
