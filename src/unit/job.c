/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A start job. The match for JobRemoved goes out before the request, and the bus keeps the order, so the end
 * of the job can't be missed, however early it comes. Signals that arrive before systemd's answer are kept
 * until the answer says which job is meant: a stop job may end for the same unit meanwhile. */

#include "unit/job.h"

#include <errno.h>
#include <string.h>

#include "base-glib/error.h"
#include "unit/bus-names.h"
#include "unit/unit.h"

struct UnitJob {
        UnitBus *bus;
        char *name;
        sd_bus_slot *match_slot;
        sd_bus_slot *call_slot;
        UnitJobState state;
        uint32_t id;   /* of the job, once systemd has answered */
        GArray *early; /* of EndedJob: ended before systemd answered */
        bool ended;    /* there was a job, and it is gone */
        GError *error; /* why it failed */
};

typedef struct EndedJob {
        uint32_t id;
        char *result;
} EndedJob;

static void ended_job_clear(void *data) {
        g_free(((EndedJob *) data)->result);
}

static void job_fail(UnitJob *job, GError *error) {
        job->state = UNIT_JOB_FAILED;
        if (job->error)
                g_error_free(error);
        else
                job->error = error;
}

/* Results of org.freedesktop.systemd1(5), "JobRemoved", for a person. */
static const struct {
        const char *result;
        const char *text;
} job_results[] = {
        {"failed",     "its start failed"                                     },
        {"canceled",   "its start was canceled: somebody stopped it meanwhile"},
        {"timeout",    "its start timed out"                                  },
        {"dependency", "a unit that it depends on failed"                     },
        {"skipped",    "a condition of the unit does not hold"                },
        {"assert",     "an assertion of the unit does not hold"               },
        {"invalid",    "such a unit can't be started"                         },
        {"collected",  "systemd dropped the job"                              },
};

static GError *result_error(const char *name, const char *result, UnitManager manager) {
        const char *text = NULL;

        for (size_t i = 0; i < G_N_ELEMENTS(job_results); i++)
                if (strcmp(job_results[i].result, result) == 0)
                        text = job_results[i].text;
        return g_error_new(UNITRUN_ERROR, UNITRUN_ERROR_FAILED,
                           "unit '%s' did not start: %s (job result '%s'; see: journalctl %s %s)", name,
                           text ? text : "its job ended", result,
                           manager == UNIT_MANAGER_USER ? "--user-unit" : "-u", name);
}

static void job_end(UnitJob *job, const char *result) {
        if (job->state == UNIT_JOB_DONE || job->state == UNIT_JOB_FAILED)
                return;
        job->ended = true;
        if (strcmp(result, "done") == 0)
                job->state = UNIT_JOB_DONE;
        else
                job_fail(job, result_error(job->name, result, unit_bus_get_manager(job->bus)));
}

static int on_job_removed(sd_bus_message *message, void *userdata, sd_bus_error *ret_error) {
        UnitJob *job = userdata;
        const char *unit, *result;
        uint32_t id;

        if (sd_bus_message_read(message, "uoss", &id, NULL, &unit, &result) < 0 ||
            strcmp(unit, job->name) != 0)
                return 0;
        if (job->state == UNIT_JOB_SENT) {
                EndedJob ended = {id, g_strdup(result)};

                g_array_append_val(job->early, ended);
        } else if (id == job->id) {
                job_end(job, result);
        }
        return 0;
}

static void job_queued(UnitJob *job, uint32_t id) {
        job->id = id;
        job->state = UNIT_JOB_QUEUED;
        for (guint i = 0; i < job->early->len; i++)
                if (g_array_index(job->early, EndedJob, i).id == id)
                        job_end(job, g_array_index(job->early, EndedJob, i).result);
}

static void reply_failed(UnitJob *job, const sd_bus_error *bus_error, const char *what) {
        GError *error = NULL;

        unit_bus_fail(bus_error, &error);
        g_prefix_error(&error, "%s unit '%s': ", what, job->name);
        job_fail(job, error);
}

/* The answer to StartTransientUnit and StopUnit: ".../job/ID". */
static int on_queued(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        UnitJob *job = userdata;
        const char *path, *id;
        guint64 number;

        if (sd_bus_message_is_method_error(reply, NULL)) {
                reply_failed(job, sd_bus_message_get_error(reply), "systemd refuses");
                return 0;
        }
        if (sd_bus_message_read(reply, "o", &path) < 0 || !(id = strrchr(path, '/')) ||
            !g_ascii_string_to_unsigned(id + 1, 10, 1, G_MAXUINT32, &number, NULL)) {
                job_fail(job, g_error_new(UNITRUN_ERROR, UNITRUN_ERROR_FAILED,
                                          "systemd's answer for unit '%s' makes no sense", job->name));
                return 0;
        }
        job_queued(job, (uint32_t) number);
        return 0;
}

static UnitJob *job_new(UnitBus *bus, const char *name, GError **error) {
        UnitJob *job = g_new0(UnitJob, 1);

        job->bus = bus;
        job->name = g_strdup(name);
        job->early = g_array_new(FALSE, FALSE, sizeof(EndedJob));
        g_array_set_clear_func(job->early, ended_job_clear);
        if (!unit_bus_match(bus, "JobRemoved", NULL, on_job_removed, job, &job->match_slot, error)) {
                unit_job_free(job);
                return NULL;
        }
        return job;
}

/* Sends @message; @handler gets the job with the reply. */
static bool job_send(UnitJob *job, sd_bus_message *message, sd_bus_message_handler_t handler,
                     GError **error) {
        int r = sd_bus_call_async(unit_bus_sd(job->bus), &job->call_slot, message, handler, job, 0);

        if (r < 0)
                return fail_errno(error, r, "cannot call systemd for unit '%s'", job->name);
        return true;
}

static int append_start(sd_bus_message *message, const char *name, const PropertySet *properties) {
        /* "fail": a job of another kind that is queued for this name is somebody else's affair. */
        int r = sd_bus_message_append(message, "ss", name, "fail");

        if (r >= 0)
                r = property_set_append_message(properties, message);
        return r < 0 ? r : sd_bus_message_append(message, "a(sa(sv))", 0);
}

UnitJob *unit_start_begin(UnitBus *bus, const char *name, const PropertySet *properties, GError **error) {
        g_autoptr(UnitJob) job = job_new(bus, name, error);
        sd_bus_message *message;
        bool sent;
        int r;

        if (!job || !(message = unit_bus_message(bus, "StartTransientUnit", error)))
                return NULL;
        r = append_start(message, name, properties);
        if (r < 0) {
                fail_errno(error, r, "cannot put the properties of unit '%s' into a message", name);
                sent = false;
        } else {
                sent = job_send(job, message, on_queued, error);
        }
        sd_bus_message_unref(message);
        return sent ? g_steal_pointer(&job) : NULL;
}

UnitJob *unit_stop_begin(UnitBus *bus, const char *name, GError **error) {
        g_autoptr(UnitJob) job = job_new(bus, name, error);
        sd_bus_message *message;
        bool sent;
        int r;

        if (!job || !(message = unit_bus_message(bus, "StopUnit", error)))
                return NULL;
        r = sd_bus_message_append(message, "ss", name, "replace");
        sent = r < 0 ? fail_errno(error, r, "cannot make the call StopUnit")
                     : job_send(job, message, on_queued, error);
        sd_bus_message_unref(message);
        return sent ? g_steal_pointer(&job) : NULL;
}

/* Without a start job the unit's state says how it went. */
static void watch_answered(UnitJob *job, const UnitInfo *info) {
        if (info->job_id != 0 && strcmp(info->job_type, "start") == 0) {
                job_queued(job, info->job_id);
        } else if (strcmp(info->active_state, "active") == 0) {
                job_end(job, "done");
        } else {
                job_fail(job, g_error_new(UNITRUN_ERROR, UNITRUN_ERROR_FAILED,
                                          "unit '%s' did not start: it is %s (%s; see: journalctl %s %s)",
                                          job->name, info->active_state, info->sub_state,
                                          unit_bus_get_manager(job->bus) == UNIT_MANAGER_USER ? "--user-unit"
                                                                                              : "-u",
                                          job->name));
        }
}

static int on_listed(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        UnitJob *job = userdata;
        g_autoptr(UnitInfo) info = NULL;
        GError *error = NULL;

        if (sd_bus_message_is_method_error(reply, NULL)) {
                reply_failed(job, sd_bus_message_get_error(reply), "cannot ask for the job of");
                return 0;
        }
        info = unit_info_read(reply, job->name, &error);
        if (info)
                watch_answered(job, info);
        else
                job_fail(job, error);
        return 0;
}

UnitJob *unit_job_watch(UnitBus *bus, const char *name, GError **error) {
        g_autoptr(UnitJob) job = job_new(bus, name, error);
        sd_bus_message *message;
        bool sent;

        /* Somebody else asked for the job. */
        if (!job || !unit_bus_subscribe(bus, error) || !(message = unit_info_message(bus, name, error)))
                return NULL;
        sent = job_send(job, message, on_listed, error);
        sd_bus_message_unref(message);
        return sent ? g_steal_pointer(&job) : NULL;
}

void unit_job_free(UnitJob *job) {
        if (!job)
                return;
        sd_bus_slot_unref(job->call_slot);
        sd_bus_slot_unref(job->match_slot);
        g_array_unref(job->early);
        g_clear_error(&job->error);
        g_free(job->name);
        g_free(job);
}

UnitJobState unit_job_get_state(const UnitJob *job) {
        return job->state;
}

bool unit_job_check(const UnitJob *job, GError **error) {
        if (job->state != UNIT_JOB_FAILED)
                return true;
        if (error)
                *error = g_error_copy(job->error);
        return false;
}

static bool job_wait(UnitJob *job, UnitJobState least, GError **error) {
        for (;;) {
                if (!unit_bus_process(job->bus, error))
                        return fail_prefix(error, "waiting for unit '%s'", job->name);
                if (job->state >= least)
                        return unit_job_check(job, error);
                if (!unit_bus_wait(job->bus, UINT64_MAX, error))
                        return fail_prefix(error, "waiting for unit '%s'", job->name);
        }
}

bool unit_job_wait_queued(UnitJob *job, GError **error) {
        return job_wait(job, UNIT_JOB_QUEUED, error);
}

bool unit_job_finish(UnitJob *job, GError **error) {
        return job_wait(job, UNIT_JOB_DONE, error);
}

bool unit_job_wait_ended(UnitJob *job, GError **error) {
        g_autoptr(GError) local = NULL;

        if (job_wait(job, UNIT_JOB_DONE, &local) || job->ended)
                return true;
        g_propagate_error(error, g_steal_pointer(&local));
        return false;
}
