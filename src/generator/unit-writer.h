/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "generator/bundle.h"
#include "generator/container-file.h"

/**
 * unit_write:
 * @bundle: of a container with one
 * @user: for the user manager
 * Returns (transfer full): the text of the container's .service unit. What is ours comes first, so that the
 * file's own lines win.
 */
char *unit_write(const ContainerFile *container, const BundleFacts *bundle, bool user);
