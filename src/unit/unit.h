/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "unit/bus.h"
#include "unit/properties.h"

/* What is asked of a unit that exists, and how it is made to cease to exist. */

typedef struct UnitInfo {
        char *description;
        char *load_state;   /* "loaded", "not-found", … */
        char *active_state; /* "active", "activating", "deactivating", "inactive", "failed" */
        char *sub_state;    /* "running", "start-post", … */
        char *object_path;
        uint32_t job_id; /* 0: none */
        char *job_type;  /* "start", "stop", …; "" */
} UnitInfo;

void unit_info_free(UnitInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UnitInfo, unit_info_free)

/**
 * unit_info_get:
 * One call that loads nothing (ListUnitsByPatterns). Returns (transfer full): the unit, or NULL with
 * UNITRUN_ERROR_NOT_FOUND when systemd has no unit of this name in memory.
 */
UnitInfo *unit_info_get(UnitBus *bus, const char *name, GError **error);

/**
 * unit_info_message, unit_info_read:
 * The two halves of unit_info_get(), for who does not wait in between: the call, and what its reply says.
 */
sd_bus_message *unit_info_message(UnitBus *bus, const char *name, GError **error);
UnitInfo *unit_info_read(sd_bus_message *reply, const char *name, GError **error);

/**
 * unit_get_exec_start:
 * @ret_argv: (transfer full): the arguments of the unit's first ExecStart= line, argv[0] included; an empty
 * list when it has none. It tells whose unit it is.
 *
 * Two calls. UNITRUN_ERROR_NOT_FOUND as in unit_info_get().
 */
bool unit_get_exec_start(UnitBus *bus, const char *name, char ***ret_argv, GError **error);

/**
 * unit_get_property_string:
 * @interface: "Unit", "Service", … below org.freedesktop.systemd1
 * @property: of type s or o: "Result", "ControlGroup"
 *
 * One call. A unit that is not in memory gets loaded, with "not-found" values: ask unit_info_get() first.
 */
char *unit_get_property_string(UnitBus *bus, const char *name, const char *interface, const char *property,
                               GError **error);

/**
 * unit_get_properties:
 * @interface: as above
 * @names: (array zero-terminated=1)
 * @ret_properties: (transfer full): those of @names that the unit has, in the order of @names
 *
 * One call for all of them. A unit that is not in memory gets loaded, as above.
 */
bool unit_get_properties(UnitBus *bus, const char *name, const char *interface, const char *const *names,
                         PropertySet **ret_properties, GError **error);

typedef enum UnitForgotten {
        UNIT_GONE,       /* systemd has no such unit any more: the name is free */
        UNIT_REFERENCED, /* inactive and reset, but a client of systemd holds a reference on it */
} UnitForgotten;

/**
 * unit_stop_and_forget:
 * @kill: send SIGKILL to every process of the unit first (roll-back, delete --force): nothing gets time to
 * end by itself
 * @patience_usec: how long to wait for the unit's removal after it is inactive and reset
 * @ret_forgotten: how it ended
 *
 * Stops the unit, resets its failed state, and waits until systemd has forgotten it, event by event: the
 * match for UnitRemoved comes first, then KillUnit and StopUnit ("replace"), the end of the stop job,
 * ResetFailedUnit, UnitRemoved. A unit that is not there is UNIT_GONE at once, with one round trip. How long
 * stopping takes is the unit's own affair (TimeoutStopUSec).
 */
bool unit_stop_and_forget(UnitBus *bus, const char *name, bool kill, uint64_t patience_usec,
                          UnitForgotten *ret_forgotten, GError **error);

/* A unit that is expected to go away by itself, watched. */
typedef struct UnitRemoval UnitRemoval;

/**
 * unit_removal_watch:
 * @bus: must live longer than what is returned
 * @name: of a unit that exists
 *
 * Watches for UnitRemoved, without waiting. Returns (transfer full), or NULL.
 */
UnitRemoval *unit_removal_watch(UnitBus *bus, const char *name, GError **error);
void unit_removal_free(UnitRemoval *removal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UnitRemoval, unit_removal_free)

/**
 * unit_removal_wait:
 * @ret_removed: whether systemd has forgotten the unit since it was watched
 *
 * Waits for that for at most @patience_usec. Returns false when the bus fails.
 */
bool unit_removal_wait(UnitRemoval *removal, uint64_t patience_usec, bool *ret_removed, GError **error);

/**
 * unit_reset_failed:
 * ResetFailedUnit; a unit that is not there is no error.
 */
bool unit_reset_failed(UnitBus *bus, const char *name, GError **error);

/**
 * unit_thaw:
 * ThawUnit: undoes `systemctl freeze`. Waits until the unit runs again.
 */
bool unit_thaw(UnitBus *bus, const char *name, GError **error);

/**
 * unit_set_properties:
 * SetUnitProperties with runtime=true: it lasts until the next boot, and survives daemon-reload.
 */
bool unit_set_properties(UnitBus *bus, const char *name, const PropertySet *properties, GError **error);

/**
 * unit_attach_processes:
 * @sub_group: "/payload": below the unit's own cgroup; it must exist
 *
 * AttachProcessesToUnit: for when the kernel does not let us move processes ourselves (rootless, from a
 * session scope). The unit must be delegated and running.
 */
bool unit_attach_processes(UnitBus *bus, const char *name, const char *sub_group, const pid_t *pids,
                           size_t n_pids, GError **error);
