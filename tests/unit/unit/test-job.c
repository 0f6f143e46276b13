/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Jobs and the end of a unit against a manager that is a thread of the test, on the other end of a socket
 * pair: it answers as told, in the orders that a real one may choose. */

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "unit/bus-names.h"
#include "unit/job.h"
#include "unit/unit.h"

#define UNIT "x\\x2b.service"
#define JOB  "/org/freedesktop/systemd1/job/7"

/* What the manager does when a method is called: words, done one after the other.
 *   job             replies with the object path of job 7
 *   ok              replies with nothing
 *   error:NAME      replies with an error
 *   unit:ACTIVE:ID  replies to ListUnitsByPatterns with one unit in this state and with this job
 *   none            replies to ListUnitsByPatterns with nothing
 *   removed:ID:RESULT      sends JobRemoved for the unit
 *   other:ID:RESULT        sends JobRemoved for another unit
 *   gone                   sends UnitRemoved
 *   hangup                 closes the connection */
typedef struct Script {
        const char *member;
        const char *actions;
} Script;

typedef struct Manager {
        const Script *scripts; /* up to one without member */
        int fd;
        int quit_fd;
        GThread *thread;
        GString *calls; /* members called, for the test to read when the thread has ended */
} Manager;

static void send_job_removed(sd_bus *bus, const char *unit, const char *id, const char *result) {
        g_assert_cmpint(sd_bus_emit_signal(bus, SYSTEMD_PATH, SYSTEMD_MANAGER, "JobRemoved", "uoss",
                                           (uint32_t) g_ascii_strtoull(id, NULL, 10), JOB, unit, result),
                        >=, 0);
}

static void reply_units(sd_bus_message *call, const char *active, const char *job_id) {
        sd_bus_message *reply;
        uint32_t id = job_id ? (uint32_t) g_ascii_strtoull(job_id, NULL, 10) : 0;

        g_assert_cmpint(sd_bus_message_new_method_return(call, &reply), >=, 0);
        g_assert_cmpint(sd_bus_message_open_container(reply, 'a', "(ssssssouso)"), >=, 0);
        if (active)
                g_assert_cmpint(sd_bus_message_append(reply, "(ssssssouso)", UNIT, "a unit", "loaded", active,
                                                      "sub", "", "/org/freedesktop/systemd1/unit/x", id,
                                                      id ? "start" : "", JOB),
                                >=, 0);
        g_assert_cmpint(sd_bus_message_close_container(reply), >=, 0);
        g_assert_cmpint(sd_bus_send(NULL, reply, NULL), >=, 0);
        sd_bus_message_unref(reply);
}

static void act(sd_bus *bus, sd_bus_message *call, const char *action) {
        g_auto(GStrv) words = g_strsplit(action, ":", 3);

        if (strcmp(words[0], "job") == 0)
                g_assert_cmpint(sd_bus_reply_method_return(call, "o", JOB), >=, 0);
        else if (strcmp(words[0], "ok") == 0)
                g_assert_cmpint(sd_bus_reply_method_return(call, NULL), >=, 0);
        else if (strcmp(words[0], "error") == 0)
                g_assert_cmpint(sd_bus_reply_method_errorf(call, words[1], "says systemd"), >=, 0);
        else if (strcmp(words[0], "unit") == 0)
                reply_units(call, words[1], words[2]);
        else if (strcmp(words[0], "none") == 0)
                reply_units(call, NULL, NULL);
        else if (strcmp(words[0], "removed") == 0)
                send_job_removed(bus, UNIT, words[1], words[2]);
        else if (strcmp(words[0], "other") == 0)
                send_job_removed(bus, "y.service", words[1], words[2]);
        else if (strcmp(words[0], "gone") == 0)
                g_assert_cmpint(sd_bus_emit_signal(bus, SYSTEMD_PATH, SYSTEMD_MANAGER, "UnitRemoved", "so",
                                                   UNIT, "/org/freedesktop/systemd1/unit/x"),
                                >=, 0);
        else if (strcmp(words[0], "hangup") == 0)
                sd_bus_close(bus);
        else
                g_error("no action '%s'", action);
}

static int on_call(sd_bus_message *call, void *userdata, sd_bus_error *ret_error) {
        Manager *manager = userdata;
        const char *member = sd_bus_message_get_member(call);
        bool expects_reply = sd_bus_message_get_expect_reply(call) > 0;

        if (sd_bus_message_is_method_call(call, NULL, NULL) <= 0)
                return 0;
        g_string_append_printf(manager->calls, "%s ", member);
        for (const Script *script = manager->scripts; script->member; script++) {
                g_auto(GStrv) actions = NULL;

                if (strcmp(script->member, member) != 0)
                        continue;
                actions = g_strsplit(script->actions, " ", -1);
                for (char **action = actions; *action; action++)
                        act(sd_bus_message_get_bus(call), call, *action);
                return 1;
        }
        if (expects_reply)
                g_error("nobody expected %s", member);
        return 1;
}

static void *manager_run(void *data) {
        Manager *manager = data;
        sd_id128_t id = SD_ID128_MAKE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, a, b, c, d, e, f);
        sd_bus *bus;

        g_assert_cmpint(sd_bus_new(&bus), >=, 0);
        g_assert_cmpint(sd_bus_set_fd(bus, manager->fd, manager->fd), >=, 0);
        g_assert_cmpint(sd_bus_set_server(bus, 1, id), >=, 0);
        g_assert_cmpint(sd_bus_set_anonymous(bus, 1), >=, 0);
        g_assert_cmpint(sd_bus_add_filter(bus, NULL, on_call, manager), >=, 0);
        g_assert_cmpint(sd_bus_start(bus), >=, 0);
        for (;;) {
                struct pollfd polled[2] = {
                        {manager->quit_fd, POLLIN},
                        {manager->fd,      POLLIN}
                };
                int r = sd_bus_process(bus, NULL);

                if (r < 0)
                        break;
                if (r > 0)
                        continue;
                polled[1].events = (short) sd_bus_get_events(bus);
                poll(polled, 2, -1);
                if (polled[0].revents)
                        break;
        }
        sd_bus_flush_close_unref(bus);
        return NULL;
}

typedef struct Fixture {
        Manager manager;
        int quit_fd;
        UnitBus *bus;
} Fixture;

static void fixture_start(Fixture *fixture, const Script *scripts) {
        int fds[2], quit[2];

        g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
        g_assert_cmpint(pipe(quit), ==, 0);
        fixture->manager = (Manager){scripts, fds[1], quit[0], NULL, g_string_new(NULL)};
        fixture->quit_fd = quit[1];
        fixture->manager.thread = g_thread_new("manager", manager_run, &fixture->manager);
        fixture->bus = unit_bus_new_for_fd(UNIT_MANAGER_SYSTEM, fds[0], NULL);
        g_assert_nonnull(fixture->bus);
}

/* Returns (transfer full): which methods were called. */
static char *fixture_end(Fixture *fixture) {
        unit_bus_free(fixture->bus);
        close(fixture->quit_fd);
        g_thread_join(fixture->manager.thread);
        close(fixture->manager.quit_fd);
        return g_string_free(fixture->manager.calls, FALSE);
}

/* What is said of a job: "done", or the error. */
static void check_outcome(bool done, const GError *error, const char *expected) {
        if (strcmp(expected, "done") == 0) {
                g_assert_no_error(error);
                g_assert_true(done);
        } else {
                g_assert_false(done);
                if (!strstr(error->message, expected) || !strstr(error->message, UNIT))
                        g_error("'%s' is not about '%s'", error->message, expected);
        }
}

static void test_start_jobs(void) {
        static const struct {
                const char *actions, *outcome;
                int code;
        } rows[] = {
                {"job removed:7:done",                                "done",                0                   },
                {"removed:7:done job",                                "done",                0                   }, /* before the reply */
                {"other:7:failed job removed:7:done",                 "done",                0                   },
                {"removed:6:failed job removed:7:done",               "done",                0                   }, /* an older job */
                {"job removed:6:canceled removed:7:done",             "done",                0                   },
                {"job removed:7:failed",                              "its start failed",    UNITRUN_ERROR_FAILED},
                {"removed:7:failed job",                              "journalctl -u",       UNITRUN_ERROR_FAILED},
                {"job removed:7:timeout",                             "timed out",           UNITRUN_ERROR_FAILED},
                {"job removed:7:dependency",                          "depends on",          UNITRUN_ERROR_FAILED},
                {"job removed:7:canceled",                            "canceled",            UNITRUN_ERROR_FAILED},
                {"job removed:7:unheard-of",                          "'unheard-of'",        UNITRUN_ERROR_FAILED},
                {"error:" SYSTEMD_UNIT_EXISTS,                        "says systemd",        UNITRUN_ERROR_EXISTS},
                {"error:org.freedesktop.DBus.Error.PropertyReadOnly", "says systemd",
                 UNITRUN_ERROR_UNSUPPORTED                                                                       },
                {"error:org.freedesktop.DBus.Error.AccessDenied",     "says systemd",        UNITRUN_ERROR_FAILED},
                {"job hangup",                                        "lost the connection", UNITRUN_ERROR_FAILED},
                {"hangup",                                            "",                    UNITRUN_ERROR_FAILED},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                const Script scripts[] = {
                        {"StartTransientUnit", rows[i].actions},
                        {NULL                   }
                };
                Fixture fixture;
                g_autoptr(PropertySet) set = property_set_new();
                g_autoptr(GError) error = NULL;
                g_autofree char *calls = NULL;
                UnitJob *job;
                bool done;

                fixture_start(&fixture, scripts);
                property_set_put_string(set, "Description", "x");
                job = unit_start_begin(fixture.bus, UNIT, set, &error);
                g_assert_no_error(error);
                g_assert_cmpint(unit_job_get_state(job), ==, UNIT_JOB_SENT);
                done = unit_job_finish(job, &error);
                check_outcome(done, error, rows[i].outcome);
                if (error)
                        g_assert_cmpint(error->code, ==, rows[i].code);
                unit_job_free(job);
                calls = fixture_end(&fixture);
                /* One message: neither AddMatch nor Subscribe on the private socket. */
                g_assert_cmpstr(calls, ==, "StartTransientUnit ");
        }
}

static void test_watched_jobs(void) {
        static const struct {
                const char *actions, *outcome;
        } rows[] = {
                {"unit:activating:7 removed:7:done",   "done"            },
                {"removed:7:done unit:activating:7",   "done"            },
                {"unit:activating:7 removed:7:failed", "its start failed"},
                {"unit:active",                        "done"            }, /* over before anybody watched */
                {"unit:failed",                        "it is failed"    },
                {"unit:inactive",                      "it is inactive"  },
                {"none",                               "does not exist"  },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                const Script scripts[] = {
                        {"ListUnitsByPatterns", rows[i].actions},
                        {NULL                    }
                };
                Fixture fixture;
                g_autoptr(GError) error = NULL;
                UnitJob *job;
                bool done;

                fixture_start(&fixture, scripts);
                job = unit_job_watch(fixture.bus, UNIT, &error);
                g_assert_no_error(error);
                done = unit_job_finish(job, &error);
                check_outcome(done, error, rows[i].outcome);
                unit_job_free(job);
                g_free(fixture_end(&fixture));
        }
}

static void test_units_are_stopped_and_forgotten(void) {
        static const struct {
                bool kill;
                const char *stop, *reset, *list;
                UnitForgotten forgotten;
                const char *calls;
        } rows[] = {
  /* Not there. */
                {false, "error:" SYSTEMD_NO_SUCH_UNIT, "",                            "",              UNIT_GONE,       "StopUnit "                },
 /* Dropped when it stopped. */
                {false, "job removed:7:done gone",     "error:" SYSTEMD_NO_SUCH_UNIT, "",              UNIT_GONE,
                 "StopUnit ResetFailedUnit "                                                                                                       },
                {true,  "job removed:7:done gone",     "error:" SYSTEMD_NO_SUCH_UNIT, "",              UNIT_GONE,
                 "KillUnit StopUnit ResetFailedUnit "                                                                                              },
 /* Kept as failed, then dropped. */
                {false, "removed:7:done job",          "ok gone",                     "",              UNIT_GONE,       "StopUnit ResetFailedUnit "},
                {false, "job removed:7:canceled",      "gone ok",                     "",              UNIT_GONE,       "StopUnit ResetFailedUnit "},
 /* Somebody holds it. */
                {false, "job removed:7:done",          "ok",                          "unit:inactive", UNIT_REFERENCED,
                 "StopUnit ResetFailedUnit ListUnitsByPatterns "                                                                                   },
                {false, "job removed:7:done",          "ok",                          "none",          UNIT_GONE,
                 "StopUnit ResetFailedUnit ListUnitsByPatterns "                                                                                   },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                const Script scripts[] = {
                        {"StopUnit",            rows[i].stop},
                        {"ResetFailedUnit",                     rows[i].reset},
                        {"ListUnitsByPatterns",rows[i].list},
                        {NULL}
                };
                Fixture fixture;
                UnitForgotten forgotten = UNIT_GONE;
                g_autoptr(GError) error = NULL;
                g_autofree char *calls = NULL;

                fixture_start(&fixture, scripts);
                unit_stop_and_forget(fixture.bus, UNIT, rows[i].kill, /* patience_usec= */ 50000, &forgotten,
                                     &error);
                calls = fixture_end(&fixture);
                g_assert_no_error(error);
                g_assert_cmpint(forgotten, ==, rows[i].forgotten);
                g_assert_cmpstr(calls, ==, rows[i].calls);
        }
}

static void test_a_refused_stop_is_an_error(void) {
        static const Script scripts[] = {
                {"StopUnit", "error:org.freedesktop.DBus.Error.AccessDenied"},
                {NULL         }
        };
        Fixture fixture;
        UnitForgotten forgotten;
        g_autoptr(GError) error = NULL;

        fixture_start(&fixture, scripts);
        g_assert_false(unit_stop_and_forget(fixture.bus, UNIT, false, 50000, &forgotten, &error));
        g_free(fixture_end(&fixture));
        g_assert_nonnull(strstr(error->message, "says systemd"));
        g_assert_nonnull(strstr(error->message, UNIT));
}

static void test_questions(void) {
        static const Script scripts[] = {
                {"ListUnitsByPatterns",          "unit:failed"},
                {"ResetFailedUnit",                              "error:" SYSTEMD_NO_SUCH_UNIT},
                {"SetUnitProperties","error:org.freedesktop.DBus.Error.InvalidArgs"},
                {"AttachProcessesToUnit",            "ok"},
                {NULL                             }
        };
        Fixture fixture;
        pid_t pids[] = {1, 2};
        g_autoptr(UnitInfo) info = NULL;
        g_autoptr(PropertySet) set = property_set_new();
        g_autoptr(GError) error = NULL;

        fixture_start(&fixture, scripts);
        info = unit_info_get(fixture.bus, UNIT, NULL);
        g_assert_cmpstr(info->active_state, ==, "failed");
        g_assert_cmpstr(info->description, ==, "a unit");
        g_assert_cmpint(info->job_id, ==, 0);
        g_assert_true(unit_reset_failed(fixture.bus, UNIT, NULL));
        g_assert_true(unit_attach_processes(fixture.bus, UNIT, "/payload", pids, 2, NULL));
        property_set_put_uint64(set, "TasksMax", 5);
        g_assert_false(unit_set_properties(fixture.bus, UNIT, set, &error));
        g_assert_nonnull(strstr(error->message, "says systemd"));
        g_free(fixture_end(&fixture));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/unit/job/start", test_start_jobs);
        g_test_add_func("/unit/job/watch", test_watched_jobs);
        g_test_add_func("/unit/unit/forget", test_units_are_stopped_and_forgotten);
        g_test_add_func("/unit/unit/refused", test_a_refused_stop_is_an_error);
        g_test_add_func("/unit/unit/questions", test_questions);
        return g_test_run();
}
