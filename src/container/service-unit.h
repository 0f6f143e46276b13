/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* The service that systemd has started us in: as its main process (ExecStart=) or after its end
 * (ExecStopPost=). */

typedef struct ServiceUnit {
        char *name;   /* "web.service" */
        char *cgroup; /* "/system.slice/web.service" */
} ServiceUnit;

void service_unit_free(ServiceUnit *unit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ServiceUnit, service_unit_free)

/**
 * service_unit_find:
 * Finds the unit by the caller's own control group, which is the unit's or below it.
 */
ServiceUnit *service_unit_find(GError **error);

/**
 * service_unit_enter:
 * For the main process: checks that the unit may be divided (Delegate=yes) and takes notifications
 * (Type=notify), and moves the caller out of the unit's own group into the sub-group that is not the
 * container's (cgroups(7), the "no internal processes" rule).
 */
bool service_unit_enter(const ServiceUnit *unit, GError **error);

/**
 * service_unit_announce:
 * @init: of the container, a child of the manager by now
 * @ready: the unit counts as started; else its program says so itself
 *
 * Makes @init the unit's main process, and waits until the manager has seen to it: from then on the exit
 * status cannot be lost.
 */
bool service_unit_announce(pid_t init, bool ready, GError **error);

/**
 * service_unit_describe:
 * Sets the unit's status text, as from @init. A failure is of no importance.
 */
void service_unit_describe(pid_t init, const char *format, ...) G_GNUC_PRINTF(2, 3);
