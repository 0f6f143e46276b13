/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/facts.h"
#include "container/state-dir.h"
#include "oci/config.h"
#include "unit/bus.h"

/* A container that exists: its directory, its facts, and where it is in its life. */

typedef enum ContainerStatus {
        CONTAINER_CREATING, /* somebody is in the middle of create: there are no facts yet */
        CONTAINER_CREATED,
        CONTAINER_RUNNING,
        CONTAINER_PAUSED,
        CONTAINER_STOPPED,
} ContainerStatus;

typedef struct Container {
        StateDir *dir;
        Facts *facts; /* NULL: creating, or leftovers of a create that was killed */
} Container;

void container_free(Container *container);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Container, container_free)

/**
 * container_manager:
 * Returns: the manager that this process' containers belong to. The one place where it is decided.
 */
UnitManager container_manager(void);

/**
 * container_open:
 * @root: the state root, absolute
 *
 * Opens container @id without its lock. Fails with UNITRUN_ERROR_NOT_FOUND for an unknown ID and for
 * leftovers of a create that nobody is working on.
 */
Container *container_open(const char *root, const char *id, GError **error);

/**
 * container_status:
 * Looks at init itself first and takes the supervisor's word for the rest. Needs no bus.
 */
ContainerStatus container_status(const Container *container);

/**
 * container_status_name:
 * Returns: the spec's word, "running".
 */
const char *container_status_name(ContainerStatus status);

/**
 * container_load_config:
 * Returns (transfer full): the config as it was when the container was created.
 */
OciConfig *container_load_config(const Container *container, GError **error);

/**
 * container_open_payload:
 * Opens the control group of the container's processes. Returns an O_PATH fd or a negative errno; -ENOENT: it
 * has none, or its name is another container's by now.
 */
int container_open_payload(const Container *container);

/**
 * container_open_init:
 * Returns: a pidfd of init for close(). Fails with UNITRUN_ERROR_WRONG_STATUS and "container not running"
 * when it is gone.
 */
int container_open_init(const Container *container, GError **error);
