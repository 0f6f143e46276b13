/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Questions about a unit, changes to it, and its end. ListUnitsByPatterns answers most questions in one call
 * and, unlike reading properties of an object path, loads nothing: a name that systemd does not know stays
 * unknown. */

#include "unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base-glib/error.h"
#include "unit/bus-names.h"
#include "unit/job.h"

void unit_info_free(UnitInfo *info) {
        if (!info)
                return;
        g_free(info->description);
        g_free(info->load_state);
        g_free(info->active_state);
        g_free(info->sub_state);
        g_free(info->object_path);
        g_free(info->job_type);
        g_free(info);
}

/* A call of the manager with plain arguments. */
static sd_bus_message *message_with(UnitBus *bus, const char *member, GError **error, const char *types,
                                    ...) {
        sd_bus_message *message = unit_bus_message(bus, member, error);
        va_list arguments;
        int r;

        if (!message)
                return NULL;
        va_start(arguments, types);
        r = sd_bus_message_appendv(message, types, arguments);
        va_end(arguments);
        if (r < 0) {
                fail_errno(error, r, "cannot make the call %s to systemd", member);
                sd_bus_message_unref(message);
                return NULL;
        }
        return message;
}

/* Takes @message (NULL: @error is set already); the reply's content is of no interest. */
static bool call_plain(UnitBus *bus, sd_bus_message *message, GError **error) {
        sd_bus_message *reply;

        if (!message)
                return false;
        reply = unit_bus_call(bus, message, error);
        sd_bus_message_unref(message);
        if (!reply)
                return false;
        sd_bus_message_unref(reply);
        return true;
}

/* Forgives an error that says the unit is not there. */
static bool not_found_is_fine(bool done, GError **error, GError **local) {
        if (done)
                return true;
        if (g_error_matches(*local, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND)) {
                g_clear_error(local);
                return true;
        }
        g_propagate_error(error, g_steal_pointer(local));
        return false;
}

sd_bus_message *unit_info_message(UnitBus *bus, const char *name, GError **error) {
        /* The name is a pattern here; a unit's name can't hold '*', '?' or '[', and backslashes are taken
         * literally (FNM_NOESCAPE). */
        return message_with(bus, "ListUnitsByPatterns", error, "asas", 0, 1, name);
}

UnitInfo *unit_info_read(sd_bus_message *reply, const char *name, GError **error) {
        const char *id, *description, *load, *active, *sub, *path, *job_type;
        uint32_t job_id;
        UnitInfo *info = NULL;
        int r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(ssssssouso)");

        while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssssouso)", &id, &description, &load, &active,
                                                  &sub, NULL, &path, &job_id, &job_type, NULL)) > 0) {
                if (info || strcmp(load, "not-found") == 0)
                        continue; /* only referred to by another unit */
                info = g_new0(UnitInfo, 1);
                info->description = g_strdup(description);
                info->load_state = g_strdup(load);
                info->active_state = g_strdup(active);
                info->sub_state = g_strdup(sub);
                info->object_path = g_strdup(path);
                info->job_id = job_id;
                info->job_type = g_strdup(job_type);
        }
        if (r < 0) {
                fail_errno(error, r, "cannot read systemd's list of units");
                g_clear_pointer(&info, unit_info_free);
        } else if (!info) {
                fail_code(error, UNITRUN_ERROR_NOT_FOUND, "unit '%s' does not exist", name);
        }
        return info;
}

UnitInfo *unit_info_get(UnitBus *bus, const char *name, GError **error) {
        sd_bus_message *message = unit_info_message(bus, name, error);
        sd_bus_message *reply;
        UnitInfo *info;

        if (!message)
                return NULL;
        reply = unit_bus_call(bus, message, error);
        sd_bus_message_unref(message);
        if (!reply)
                return NULL;
        info = unit_info_read(reply, name, error);
        sd_bus_message_unref(reply);
        return info;
}

/* Properties.Get on the unit's object. Returns (transfer full): the reply, entered into the variant. */
static sd_bus_message *get_property(UnitBus *bus, const char *path, const char *interface,
                                    const char *property, const char *type, GError **error) {
        g_autofree char *full_interface = g_strconcat(SYSTEMD_SERVICE ".", interface, NULL);
        sd_bus_message *message =
                unit_bus_message_at(bus, path, "org.freedesktop.DBus.Properties", "Get", error);
        sd_bus_message *reply;
        int r;

        if (!message)
                return NULL;
        r = sd_bus_message_append(message, "ss", full_interface, property);
        reply = r < 0 ? NULL : unit_bus_call(bus, message, error);
        sd_bus_message_unref(message);
        if (r >= 0 && !reply)
                return NULL;
        if (r >= 0)
                r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_VARIANT, type);
        if (r < 0) {
                fail_errno(error, r, "cannot read the property %s", property);
                sd_bus_message_unref(reply);
                return NULL;
        }
        return reply;
}

char *unit_get_property_string(UnitBus *bus, const char *name, const char *interface, const char *property,
                               GError **error) {
        g_autofree char *path = unit_object_path(name);
        sd_bus_message *reply = get_property(bus, path, interface, property, "s", error);
        const char *text;
        char *copy = NULL;

        if (!reply)
                return NULL;
        if (sd_bus_message_read_basic(reply, 's', &text) > 0)
                copy = g_strdup(text);
        else
                fail(error, "the property %s of unit '%s' can't be read", property, name);
        sd_bus_message_unref(reply);
        return copy;
}

/* Into @found go the values of @names, in the order of the message. */
static int read_properties(sd_bus_message *reply, const char *const *names, PropertySet *found) {
        int r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_DICT_ENTRY, "sv")) > 0) {
                const char *name;

                r = sd_bus_message_read_basic(reply, 's', &name);
                if (r > 0 && g_strv_contains(names, name)) {
                        g_autoptr(GVariant) boxed = variant_read_message(reply);
                        g_autoptr(GVariant) value = boxed ? g_variant_get_variant(boxed) : NULL;

                        if (!value)
                                return -EBADMSG;
                        property_set_put(found, name, value);
                } else if (r > 0) {
                        r = sd_bus_message_skip(reply, "v");
                }
                if (r >= 0)
                        r = sd_bus_message_exit_container(reply);
        }
        return r;
}

bool unit_get_properties(UnitBus *bus, const char *name, const char *interface, const char *const *names,
                         PropertySet **ret_properties, GError **error) {
        g_autofree char *path = unit_object_path(name);
        g_autofree char *full_interface = g_strconcat(SYSTEMD_SERVICE ".", interface, NULL);
        g_autoptr(PropertySet) found = property_set_new();
        g_autoptr(PropertySet) sorted = property_set_new();
        sd_bus_message *message =
                unit_bus_message_at(bus, path, "org.freedesktop.DBus.Properties", "GetAll", error);
        sd_bus_message *reply;
        int r;

        if (!message)
                return false;
        r = sd_bus_message_append(message, "s", full_interface);
        reply = r < 0 ? NULL : unit_bus_call(bus, message, error);
        sd_bus_message_unref(message);
        if (r >= 0 && !reply)
                return false;
        if (r >= 0)
                r = read_properties(reply, names, found);
        sd_bus_message_unref(reply);
        if (r < 0)
                return fail_errno(error, r, "cannot read the properties of unit '%s'", name);
        for (; *names; names++)
                if (property_set_find(found, *names))
                        property_set_put(sorted, *names, property_set_find(found, *names));
        *ret_properties = g_steal_pointer(&sorted);
        return true;
}

/* See property_set_append_command(). */
static char *undouble_dollars(const char *argument) {
        g_auto(GStrv) parts = g_strsplit(argument, "$$", -1);

        return g_strjoinv("$", parts);
}

static int read_first_argv(sd_bus_message *reply, GPtrArray *argv) {
        const char *argument;
        int r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(sasbttttuii)");

        if (r > 0)
                r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_STRUCT, "sasbttttuii");
        if (r > 0)
                r = sd_bus_message_skip(reply, "s");
        if (r > 0)
                r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "s");
        while (r > 0 && (r = sd_bus_message_read_basic(reply, 's', &argument)) > 0)
                g_ptr_array_add(argv, undouble_dollars(argument));
        return r;
}

bool unit_get_exec_start(UnitBus *bus, const char *name, char ***ret_argv, GError **error) {
        g_autoptr(UnitInfo) info = unit_info_get(bus, name, error);
        g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
        sd_bus_message *reply;
        int r;

        if (!info ||
            !(reply = get_property(bus, info->object_path, "Service", "ExecStart", "a(sasbttttuii)", error)))
                return false;
        r = read_first_argv(reply, argv);
        sd_bus_message_unref(reply);
        if (r < 0)
                return fail_errno(error, r, "cannot read the command of unit '%s'", name);
        g_ptr_array_add(argv, NULL);
        *ret_argv = (char **) g_ptr_array_free(g_steal_pointer(&argv), FALSE);
        return true;
}

struct UnitRemoval {
        UnitBus *bus;
        char *name;
        sd_bus_slot *slot;
        bool seen;
};

static int on_unit_removed(sd_bus_message *message, void *userdata, sd_bus_error *ret_error) {
        UnitRemoval *removal = userdata;
        const char *name;

        if (sd_bus_message_read(message, "so", &name, NULL) >= 0 && strcmp(name, removal->name) == 0)
                removal->seen = true;
        return 0;
}

UnitRemoval *unit_removal_watch(UnitBus *bus, const char *name, GError **error) {
        g_autoptr(UnitRemoval) removal = g_new0(UnitRemoval, 1);

        removal->bus = bus;
        removal->name = g_strdup(name);
        if (!unit_bus_match(bus, "UnitRemoved", name, on_unit_removed, removal, &removal->slot, error) ||
            !unit_bus_subscribe(bus, error))
                return NULL;
        return g_steal_pointer(&removal);
}

void unit_removal_free(UnitRemoval *removal) {
        if (!removal)
                return;
        sd_bus_slot_unref(removal->slot);
        g_free(removal->name);
        g_free(removal);
}

bool unit_removal_wait(UnitRemoval *removal, uint64_t patience_usec, bool *ret_removed, GError **error) {
        gint64 until = g_get_monotonic_time() + (gint64) MIN(patience_usec, (uint64_t) G_MAXINT32 * 1000);

        for (;;) {
                gint64 now;

                if (!unit_bus_process(removal->bus, error))
                        return false;
                now = g_get_monotonic_time();
                *ret_removed = removal->seen;
                if (removal->seen || now >= until)
                        return true;
                if (!unit_bus_wait(removal->bus, (uint64_t) (until - now), error))
                        return false;
        }
}

/* StopUnit and the end of its job; a failed stop job leaves a unit that is inactive all the same. Kills first
 * when asked to: KillUnit and StopUnit go out together. */
static bool stop_unit(UnitBus *bus, const char *name, bool kill, GError **error) {
        UnitJob *job;
        bool stopped;

        if (kill) {
                sd_bus_message *message = message_with(bus, "KillUnit", error, "ssi", name, "all", SIGKILL);
                int r = message ? sd_bus_send(unit_bus_sd(bus), message, NULL) : -EIO;

                sd_bus_message_unref(message);
                if (!message || r < 0)
                        return message ? fail_errno(error, r, "cannot kill unit '%s'", name) : false;
        }
        job = unit_stop_begin(bus, name, error);
        if (!job)
                return false;
        stopped = unit_job_wait_ended(job, error);
        unit_job_free(job);
        return stopped;
}

/* Once more for sure: a signal can't be missed, but a unit may have been loaded again by somebody's question.
 */
static bool look_whether_gone(UnitBus *bus, const char *name, UnitForgotten *ret_forgotten, GError **error) {
        g_autoptr(GError) local = NULL;
        g_autoptr(UnitInfo) info = unit_info_get(bus, name, &local);

        *ret_forgotten = info ? UNIT_REFERENCED : UNIT_GONE;
        return not_found_is_fine(info != NULL, error, &local);
}

static bool stop_and_forget(UnitBus *bus, const char *name, bool kill, uint64_t patience_usec,
                            UnitForgotten *ret_forgotten, GError **error) {
        g_autoptr(UnitRemoval) removal = unit_removal_watch(bus, name, error);
        g_autoptr(GError) local = NULL;
        bool removed;

        *ret_forgotten = UNIT_GONE;
        if (!removal)
                return false;
        if (!stop_unit(bus, name, kill, &local) ||
            !call_plain(bus, message_with(bus, "ResetFailedUnit", &local, "s", name), &local))
                return not_found_is_fine(false, error, &local);
        if (!unit_removal_wait(removal, patience_usec, &removed, error))
                return false;
        return removed || look_whether_gone(bus, name, ret_forgotten, error);
}

bool unit_stop_and_forget(UnitBus *bus, const char *name, bool kill, uint64_t patience_usec,
                          UnitForgotten *ret_forgotten, GError **error) {
        return stop_and_forget(bus, name, kill, patience_usec, ret_forgotten, error) ||
               fail_prefix(error, "cannot remove unit '%s'", name);
}

bool unit_reset_failed(UnitBus *bus, const char *name, GError **error) {
        g_autoptr(GError) local = NULL;

        return not_found_is_fine(
                call_plain(bus, message_with(bus, "ResetFailedUnit", &local, "s", name), &local), error,
                &local);
}

bool unit_thaw(UnitBus *bus, const char *name, GError **error) {
        return call_plain(bus, message_with(bus, "ThawUnit", error, "s", name), error) ||
               fail_prefix(error, "cannot thaw unit '%s'", name);
}

bool unit_set_properties(UnitBus *bus, const char *name, const PropertySet *properties, GError **error) {
        sd_bus_message *message = message_with(bus, "SetUnitProperties", error, "sb", name, /* runtime= */ 1);

        if (message) {
                int r = property_set_append_message(properties, message);

                if (r < 0) {
                        sd_bus_message_unref(message);
                        return fail_errno(error, r, "cannot put the properties of unit '%s' into a message",
                                          name);
                }
        }
        return call_plain(bus, message, error) || fail_prefix(error, "cannot change unit '%s'", name);
}

bool unit_attach_processes(UnitBus *bus, const char *name, const char *sub_group, const pid_t *pids,
                           size_t n_pids, GError **error) {
        sd_bus_message *message = message_with(bus, "AttachProcessesToUnit", error, "ss", name, sub_group);
        g_autofree uint32_t *numbers = g_new(uint32_t, n_pids);

        for (size_t i = 0; i < n_pids; i++)
                numbers[i] = (uint32_t) pids[i];
        if (message) {
                int r = sd_bus_message_append_array(message, 'u', numbers, n_pids * sizeof(numbers[0]));

                if (r < 0) {
                        sd_bus_message_unref(message);
                        return fail_errno(error, r, "cannot make the call AttachProcessesToUnit");
                }
        }
        return call_plain(bus, message, error) ||
               fail_prefix(error, "cannot move processes to unit '%s'", name);
}
