/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "unit/bus.h"
#include "unit/properties.h"

/* A start job of a unit, from the request to its end, as an object beside which the caller goes on working:
 *
 *      begin or watch; poll unit_bus_get_fd() with other fds; unit_bus_process(); unit_job_check(); finish
 *
 * See org.freedesktop.systemd1(5), "Signals". */

typedef struct UnitJob UnitJob;

typedef enum UnitJobState {
        UNIT_JOB_SENT,   /* systemd has not answered yet */
        UNIT_JOB_QUEUED, /* the unit exists, its job is queued or runs */
        UNIT_JOB_DONE,   /* the job is gone with the result "done": the unit is active */
        UNIT_JOB_FAILED, /* refused, or gone with any other result: see unit_job_check() */
} UnitJobState;

/**
 * unit_start_begin:
 * @bus: must live longer than the job
 * @name: "x.service", valid
 * @properties: copied
 *
 * Sends, without waiting: the match for JobRemoved, Subscribe (both only on a real bus) and
 * StartTransientUnit(name, "fail", properties).
 *
 * Returns (transfer full): the job in UNIT_JOB_SENT, or NULL when not even sending worked.
 */
UnitJob *unit_start_begin(UnitBus *bus, const char *name, const PropertySet *properties, GError **error);

/**
 * unit_stop_begin:
 * The same with StopUnit(name, "replace"): a job that stops the unit, in place of any other it has.
 * UNITRUN_ERROR_NOT_FOUND comes from the functions below when there is no such unit.
 */
UnitJob *unit_stop_begin(UnitBus *bus, const char *name, GError **error);

/**
 * unit_job_watch:
 * The job of a unit that somebody asked for earlier. Sends, without waiting: the match for JobRemoved, then
 * the question which job the unit has, so that neither an early end nor one between the two is missed: with
 * no job left an active unit counts as done, everything else as failed.
 */
UnitJob *unit_job_watch(UnitBus *bus, const char *name, GError **error);

void unit_job_free(UnitJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UnitJob, unit_job_free)

/**
 * unit_job_get_state:
 * As of the last unit_bus_process().
 */
UnitJobState unit_job_get_state(const UnitJob *job);

/**
 * unit_job_check:
 * @error: set when the state is UNIT_JOB_FAILED: systemd's text for a refused request (code
 * UNITRUN_ERROR_EXISTS when the unit's name is taken, UNITRUN_ERROR_UNSUPPORTED for a property that this
 * systemd does not know), or "unit 'x.service' failed to start: …" with the job's result and where to look
 *
 * Returns false if and only if the job failed. May be called any number of times.
 */
bool unit_job_check(const UnitJob *job, GError **error);

/**
 * unit_job_wait_queued:
 * Waits until systemd has answered. Returns false when it refused.
 */
bool unit_job_wait_queued(UnitJob *job, GError **error);

/**
 * unit_job_finish:
 * @error: set when the bus fails or the job ends as anything but "done"; names the unit and systemd's result
 *
 * Waits for JobRemoved, without a time limit of its own: the unit's TimeoutStartUSec is the limit.
 */
bool unit_job_finish(UnitJob *job, GError **error);

/**
 * unit_job_wait_ended:
 * Waits like unit_job_finish(), but takes any result: false only when the bus fails or systemd refused.
 */
bool unit_job_wait_ended(UnitJob *job, GError **error);
