/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/creation.h"

/**
 * creation_build:
 * @creation: the unit is asked for and unitrun-init is spawned
 *
 * Listens to systemd, the supervisor, init and signals at once and does what each of them waits for, until
 * init waits at the gate and sits in the unit. This is where building the container overlaps with systemd
 * starting the supervisor.
 */
bool creation_build(Creation *creation, GError **error);
