/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/create.h"

/* A container without an engine: systemd starts us in the unit that is to be the container's, we build it
 * there, make its init the unit's main process and end. From then on systemd is the supervisor. */

/**
 * container_serve:
 * @options: with @service. With @notify the program itself tells when it is ready, and more (sd_notify(3)); a
 * small process stays that passes on what a container may say
 *
 * Creates and starts the container. Its unit counts as started before the program is executed, so that
 * systemd gets the exit status of even the shortest; an ExecStartPost= of unitrun-hook waits for the rest.
 */
bool container_serve(const CreateOptions *options, GError **error);

/**
 * container_service_check:
 * Fails for a container that systemd starts and stops: @verb is what systemctl calls it.
 */
bool container_service_check(const Container *container, const char *verb, GError **error);
