/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/resources.h"
#include "oci/config.h"
#include "unit/bus.h"
#include "unit/properties.h"

/* The unit of a container: its name and slice, and every property it is started with. */

#define ANNOTATION_PROPERTY_PREFIX "org.systemd.property."

/**
 * unit_names_plan:
 * @cgroups_path: (nullable): linux.cgroupsPath: NULL or "" is the default, "unitrun-ID.service" in the
 * manager's default slice; else "slice:prefix:name"
 * @ret_unit: (transfer full)
 * @ret_slice: (transfer full) (nullable): NULL: the manager's default
 * @error: starts with "linux.cgroupsPath: "; a path ("/a/b") is UNITRUN_ERROR_UNSUPPORTED
 */
bool unit_names_plan(const char *cgroups_path, const char *id, char **ret_unit, char **ret_slice,
                     GError **error);

typedef struct UnitPlan { /* (transfer none) all of it */
        const char *id;
        const char *slice; /* (nullable) */
        UnitManager manager;
        const char *supervisor_path; /* unitrun-supervisor */
        const char *hook_path;       /* unitrun-hook */
        const char *state_dir;       /* absolute: the argument of both */
} UnitPlan;

/**
 * unit_properties_plan:
 * @resources: (nullable): from resources_plan()
 * @error: names the annotation that can't be carried out: "annotations.org.systemd.property.User: …"
 *
 * Order: what makes it a container's unit, then the annotations, which override what they may, then the
 * resources. Returns (transfer full), or NULL.
 */
PropertySet *unit_properties_plan(const OciConfig *config, const UnitPlan *plan,
                                  const ResourcePlan *resources, GError **error);

/**
 * unit_properties_leave_room:
 * Raises TasksMax in @set, if it is there, to what poststart hooks need that have not run yet.
 */
void unit_properties_leave_room(PropertySet *set, const OciConfig *config);

/**
 * unit_stop_signal:
 * The container's stop signal: the annotation org.systemd.property.KillSignal (podman writes a bare number),
 * else org.opencontainers.image.stopSignal (number or name), else SIGTERM.
 */
int unit_stop_signal(const OciConfig *config);
