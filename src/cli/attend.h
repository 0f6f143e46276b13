/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/create.h"

/* What `run` and `restore` do once the container is there. */

/**
 * attend_detached:
 * Starts it and returns 0, or -1 with @error when that fails and the container is deleted again.
 */
int attend_detached(Created *created, GError **error);

/**
 * attend_foreground:
 * @keep: don't delete the container when it has ended
 *
 * From the start to the end, after foreground_prepare(). Returns the exit status of the program, 128 and the
 * signal that killed it, or -1.
 */
int attend_foreground(Created *created, bool keep, GError **error);
