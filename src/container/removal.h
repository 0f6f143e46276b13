/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/container.h"
#include "container/service-unit.h"
#include "container/state-dir.h"
#include "unit/unit.h"

/* Making containers, and what is left of them, go away. */

/**
 * container_delete:
 * @root: the state root
 * @force: kill a running container first; an unknown one is no error
 *
 * The OCI delete operation: stops the unit (of a created container, or by force), resets its failed state,
 * waits until systemd has forgotten the name, runs the poststop hooks and removes the state directory. Clears
 * what a killed create left as well. Fails with UNITRUN_ERROR_WRONG_STATUS for a running container without
 * @force.
 */
bool container_delete(const char *root, const char *id, bool force, GError **error);

/**
 * container_delete_service:
 * Ends and deletes container @id as far as it is there and of @unit. What is anybody else's stays.
 */
bool container_delete_service(const char *root, const char *id, const ServiceUnit *unit, GError **error);

/**
 * container_delete_ended:
 * @container: made by this process, and unlocked
 * @bus: (nullable): opened if it is needed
 * @removal: (nullable): watching the container's unit since it was made
 *
 * container_delete() with force, for who has waited for the container's end and still holds what it made it
 * with: a unit that ends by itself needs no question. Somebody else may have deleted the container already.
 */
bool container_delete_ended(Container *container, UnitBus *bus, UnitRemoval *removal, GError **error);

/**
 * removal_forget_unit:
 * @state_path: the state directory of the container that the unit must be of
 * @kill: don't give its processes time to end by themselves
 *
 * Stops @unit, resets it and waits until its name is free, if it runs a supervisor of @state_path; any other
 * unit of that name is somebody else's and left alone. A client of systemd that holds a reference keeps the
 * name busy: that is told as a warning, and is no failure.
 */
bool removal_forget_unit(UnitBus *bus, const char *unit, const char *state_path, bool kill, GError **error);

/**
 * removal_clear_leftovers:
 * For a locked state directory without a commit: stops the unit that its intent names, if that runs a
 * supervisor of this very directory, or clears the control group that it names instead, and empties the
 * directory.
 */
bool removal_clear_leftovers(StateDir *dir, GError **error);

/**
 * removal_reclaim_unit:
 * @state_path: of the container that wants the name
 *
 * The name of a new unit is taken: clears the old one if it is a supervisor's and dead. Fails with
 * UNITRUN_ERROR_EXISTS, naming unit and state, when it is somebody else's or alive.
 */
bool removal_reclaim_unit(UnitBus *bus, const char *unit, const char *state_path, GError **error);
