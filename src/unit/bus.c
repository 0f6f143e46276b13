/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The connection to systemd. The bus comes first, although its broker is one hop more: for each connection to
 * its private socket the manager sets up all its objects anew, and forks a process that closes it again,
 * which takes it longer than a short container needs. The private socket works before there is a bus, and
 * delivers the manager's signals without being asked. What differs on a real bus (destination, AddMatch,
 * Subscribe) is kept in this file. */

#include "unit/bus.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "unit/bus-names.h"

#define CONNECT_TIMEOUT_USEC (5 * G_USEC_PER_SEC)
#define CALL_TIMEOUT_USEC    (30 * G_USEC_PER_SEC)

struct UnitBus {
        sd_bus *bus;
        UnitManager manager;
        bool broker;             /* a bus with a broker, not the manager's private socket */
        bool subscribed;         /* asked for the manager's signals */
        bool ready;              /* authenticated, as far as seen */
        gint64 connect_deadline; /* g_get_monotonic_time() */
};

UnitManager unit_manager_detect(void) {
        unsigned inside, outside;
        g_autofree char *map = NULL;

        if (geteuid() != 0)
                return UNIT_MANAGER_USER;
        /* No map: no user namespaces in this kernel. */
        if (!g_file_get_contents("/proc/self/uid_map", &map, NULL, NULL) ||
            sscanf(map, "%u %u", &inside, &outside) != 2)
                return UNIT_MANAGER_SYSTEM;
        return inside == 0 && outside != 0 ? UNIT_MANAGER_USER : UNIT_MANAGER_SYSTEM;
}

const char *unit_manager_to_string(UnitManager manager) {
        return manager == UNIT_MANAGER_SYSTEM ? "system" : "user";
}

bool unit_manager_from_string(const char *text, UnitManager *ret_manager) {
        if (strcmp(text, "system") == 0)
                *ret_manager = UNIT_MANAGER_SYSTEM;
        else if (strcmp(text, "user") == 0)
                *ret_manager = UNIT_MANAGER_USER;
        else
                return false;
        return true;
}

static UnitBus *bus_wrap(UnitManager manager, sd_bus *bus, bool broker) {
        UnitBus *wrapped = g_new0(UnitBus, 1);

        wrapped->manager = manager;
        wrapped->bus = bus;
        wrapped->broker = broker;
        wrapped->connect_deadline = g_get_monotonic_time() + CONNECT_TIMEOUT_USEC;
        return wrapped;
}

/* Starts a connection, to @address or over @fd. connect(2) has happened when this returns; authentication,
 * and on a bus the Hello, are under way. */
static UnitBus *bus_start(UnitManager manager, const char *address, int fd, bool broker, int *reterr) {
        sd_bus *bus = NULL;
        int r = sd_bus_new(&bus);

        if (r >= 0)
                r = address ? sd_bus_set_address(bus, address) : sd_bus_set_fd(bus, fd, fd);
        if (r >= 0)
                r = sd_bus_set_bus_client(bus, broker);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(bus, CALL_TIMEOUT_USEC);
        if (r >= 0)
                r = sd_bus_start(bus);
        if (r < 0) {
                sd_bus_close_unref(bus);
                *reterr = r;
                return NULL;
        }
        return bus_wrap(manager, bus, broker);
}

/* Whether somebody chose a bus on purpose. Sessions set the address of the ordinary socket as well: that says
 * nothing. */
static const char *chosen_address(UnitManager manager, const char *ordinary) {
        const char *address = g_getenv(manager == UNIT_MANAGER_SYSTEM ? "DBUS_SYSTEM_BUS_ADDRESS"
                                                                      : "DBUS_SESSION_BUS_ADDRESS");
        size_t length;

        if (!address || !*address)
                return NULL;
        if (!ordinary)
                return address;
        length = strlen(ordinary);
        if (strncmp(address, ordinary, length) == 0 && (address[length] == '\0' || address[length] == ','))
                return NULL;
        return address;
}

static const char *connect_hint(UnitManager manager) {
        return manager == UNIT_MANAGER_SYSTEM
                       ? "is systemd PID 1?"
                       : "is the user's manager running? log in, or as root: loginctl enable-linger USER";
}

static void note_attempt(GString *attempts, const char *address, int error_number) {
        /* Engines take the kernel's "No such file or directory" for a missing program (podman: exit status
         * 127). */
        g_string_append_printf(attempts, "%s%s: %s", attempts->len > 0 ? "; " : "", address,
                               error_number == -ENOENT ? "there is no such socket"
                                                       : g_strerror(-error_number));
}

static char *socket_address(const char *directory, const char *name) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        /* See the D-Bus specification, "Server Addresses": these bytes may stand as they are. */
        g_autofree char *escaped = g_uri_escape_string(path, "/\\*", FALSE);

        return g_strconcat("unix:path=", escaped, NULL);
}

UnitBus *unit_bus_connect(UnitManager manager, GError **error) {
        g_autofree char *private = NULL, *ordinary = NULL;
        g_autoptr(GString) attempts = g_string_new(NULL);
        const char *chosen;
        const char *runtime_dir = g_getenv("XDG_RUNTIME_DIR");
        UnitBus *bus;
        int r = 0;

        if (manager == UNIT_MANAGER_SYSTEM) {
                private = socket_address("/run/systemd", "private");
                ordinary = socket_address("/run/dbus", "system_bus_socket");
        } else if (runtime_dir && *runtime_dir == '/') {
                private = socket_address(runtime_dir, "systemd/private");
                ordinary = socket_address(runtime_dir, "bus");
        }

        chosen = chosen_address(manager, ordinary);
        if (chosen) {
                bus = bus_start(manager, chosen, -1, /* broker= */ true, &r);
                if (bus)
                        return bus;
                note_attempt(attempts, chosen, r);
        } else if (!ordinary) {
                fail(error,
                     "cannot reach the user manager: neither XDG_RUNTIME_DIR nor DBUS_SESSION_BUS_ADDRESS is "
                     "set "
                     "(%s)",
                     connect_hint(manager));
                return NULL;
        } else {
                bus = bus_start(manager, ordinary, -1, /* broker= */ true, &r);
                if (bus)
                        return bus;
                note_attempt(attempts, ordinary, r);
                bus = bus_start(manager, private, -1, /* broker= */ false, &r);
                if (bus)
                        return bus;
                note_attempt(attempts, private, r);
        }
        fail(error, "cannot connect to the bus of the %s manager: %s (%s)", unit_manager_to_string(manager),
             attempts->str, connect_hint(manager));
        return NULL;
}

UnitBus *unit_bus_new_for_fd(UnitManager manager, int fd, GError **error) {
        int r = 0;
        UnitBus *bus = bus_start(manager, NULL, fd, /* broker= */ false, &r);

        if (!bus)
                fail_errno(error, r, "cannot speak D-Bus on fd %d", fd);
        return bus;
}

void unit_bus_free(UnitBus *bus) {
        if (!bus)
                return;
        sd_bus_flush_close_unref(bus->bus);
        g_free(bus);
}

UnitManager unit_bus_get_manager(const UnitBus *bus) {
        return bus->manager;
}

sd_bus *unit_bus_sd(UnitBus *bus) {
        return bus->bus;
}

int unit_bus_get_fd(UnitBus *bus) {
        return sd_bus_get_fd(bus->bus);
}

short unit_bus_get_events(UnitBus *bus) {
        int events = sd_bus_get_events(bus->bus);

        /* A bus that was closed has no events; poll says so, and process() why. */
        return events < 0 ? POLLIN : (short) events;
}

/* In microseconds from now, UINT64_MAX for none. */
static uint64_t time_left(UnitBus *bus) {
        gint64 now = g_get_monotonic_time(); /* CLOCK_MONOTONIC, the clock of sd_bus_get_timeout() too */
        uint64_t until = UINT64_MAX;

        if (sd_bus_get_timeout(bus->bus, &until) < 0)
                until = UINT64_MAX;
        if (!bus->ready && (uint64_t) bus->connect_deadline < until)
                until = (uint64_t) bus->connect_deadline;
        if (until == UINT64_MAX)
                return UINT64_MAX;
        return until > (uint64_t) now ? until - (uint64_t) now : 0;
}

int unit_bus_get_timeout_msec(UnitBus *bus) {
        uint64_t usec = time_left(bus);

        if (usec == UINT64_MAX)
                return -1;
        return (int) MIN(usec / 1000 + (usec % 1000 != 0), (uint64_t) G_MAXINT);
}

static bool bus_lost(UnitBus *bus, int error_number, GError **error) {
        return fail_errno(error, error_number, "lost the connection to the %s manager",
                          unit_manager_to_string(bus->manager));
}

bool unit_bus_process(UnitBus *bus, GError **error) {
        int r;

        do {
                r = sd_bus_process(bus->bus, NULL);
                if (r < 0)
                        return bus_lost(bus, r, error);
        } while (r > 0);

        if (!sd_bus_is_open(bus->bus))
                return bus_lost(bus, ECONNRESET, error);
        if (!bus->ready)
                bus->ready = sd_bus_is_ready(bus->bus) > 0;
        if (!bus->ready && g_get_monotonic_time() >= bus->connect_deadline)
                return fail(error, "the %s manager does not answer (%s)",
                            unit_manager_to_string(bus->manager), connect_hint(bus->manager));
        return true;
}

bool unit_bus_wait(UnitBus *bus, uint64_t timeout_usec, GError **error) {
        uint64_t usec = MIN(time_left(bus), timeout_usec);
        int r = sd_bus_wait(bus->bus, usec);

        if (r < 0 && r != -EINTR)
                return bus_lost(bus, r, error);
        return true;
}

/* Without Subscribe the end of a job might never be told: the connection is given up then, so that whoever
 * waits learns of it. (sd-bus does the same when AddMatch fails.) */
static int on_subscribed(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        UnitBus *bus = userdata;

        if (sd_bus_message_is_method_error(reply, NULL) &&
            !sd_bus_message_is_method_error(reply, SYSTEMD_ALREADY_SUBSCRIBED))
                sd_bus_close(bus->bus);
        return 0;
}

bool unit_bus_subscribe(UnitBus *bus, GError **error) {
        int r;

        if (!bus->broker || bus->subscribed)
                return true;
        r = sd_bus_call_method_async(bus->bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER,
                                     "Subscribe", on_subscribed, bus, NULL);
        if (r < 0)
                return fail_errno(error, r, "cannot ask systemd for its signals");
        bus->subscribed = true;
        return true;
}

bool unit_bus_match(UnitBus *bus, const char *member, const char *first, sd_bus_message_handler_t handler,
                    void *userdata, sd_bus_slot **ret_slot, GError **error) {
        g_autoptr(GString) rule =
                g_string_new("type='signal',path='" SYSTEMD_PATH "',interface='" SYSTEMD_MANAGER "'");
        int r;

        g_string_append_printf(rule, ",member='%s'", member);
        /* Peers have no bus names, so a sender can't be asked for on the private socket. */
        if (bus->broker)
                g_string_append(rule, ",sender='" SYSTEMD_SERVICE "'");
        if (first && !strchr(first, '\\'))
                g_string_append_printf(rule, ",arg0='%s'", first);
        r = sd_bus_add_match_async(bus->bus, ret_slot, rule->str, handler, NULL, userdata);
        if (r < 0)
                return fail_errno(error, r, "cannot ask systemd for its signal %s", member);
        return true;
}

sd_bus_message *unit_bus_message_at(UnitBus *bus, const char *path, const char *interface, const char *member,
                                    GError **error) {
        sd_bus_message *message = NULL;
        int r = sd_bus_message_new_method_call(bus->bus, &message, bus->broker ? SYSTEMD_SERVICE : NULL, path,
                                               interface, member);

        if (r < 0)
                fail_errno(error, r, "cannot make the call %s to systemd", member);
        return message;
}

sd_bus_message *unit_bus_message(UnitBus *bus, const char *member, GError **error) {
        return unit_bus_message_at(bus, SYSTEMD_PATH, SYSTEMD_MANAGER, member, error);
}

char *unit_object_path(const char *name) {
        char *encoded = NULL, *path;

        if (sd_bus_path_encode(SYSTEMD_UNIT_PATH, name, &encoded) < 0)
                g_error("out of memory");
        path = g_strdup(encoded);
        free(encoded);
        return path;
}

typedef struct PendingCall {
        sd_bus_message *reply;
} PendingCall;

static int on_reply(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        PendingCall *call = userdata;

        call->reply = sd_bus_message_ref(reply);
        return 1;
}

/* Not sd_bus_call(): that would leave the jobs' signals unprocessed, and knows no limit for connecting. */
sd_bus_message *unit_bus_call(UnitBus *bus, sd_bus_message *message, GError **error) {
        PendingCall call = {NULL};
        sd_bus_slot *slot = NULL;
        int r = sd_bus_call_async(bus->bus, &slot, message, on_reply, &call, CALL_TIMEOUT_USEC);

        if (r < 0) {
                fail_errno(error, r, "cannot call systemd");
                return NULL;
        }
        while (!call.reply) {
                if (!unit_bus_process(bus, error))
                        break;
                if (!call.reply && !unit_bus_wait(bus, UINT64_MAX, error))
                        break;
        }
        sd_bus_slot_unref(slot);
        if (call.reply && sd_bus_message_is_method_error(call.reply, NULL)) {
                unit_bus_fail(sd_bus_message_get_error(call.reply), error);
                sd_bus_message_unref(call.reply);
                return NULL;
        }
        return call.reply;
}

bool unit_bus_fail(const sd_bus_error *bus_error, GError **error) {
        static const struct {
                const char *name;
                UnitrunError code;
        } codes[] = {
                {SYSTEMD_NO_SUCH_UNIT,                          UNITRUN_ERROR_NOT_FOUND  },
                {SYSTEMD_UNIT_EXISTS,                           UNITRUN_ERROR_EXISTS     },
                {"org.freedesktop.DBus.Error.PropertyReadOnly", UNITRUN_ERROR_UNSUPPORTED},
                {"org.freedesktop.DBus.Error.UnknownMethod",    UNITRUN_ERROR_UNSUPPORTED},
                {"org.freedesktop.DBus.Error.UnknownProperty",  UNITRUN_ERROR_UNSUPPORTED},
        };
        UnitrunError code = UNITRUN_ERROR_FAILED;
        const char *text = bus_error && bus_error->message ? bus_error->message : "unknown error";

        for (size_t i = 0; bus_error && bus_error->name && i < G_N_ELEMENTS(codes); i++)
                if (strcmp(bus_error->name, codes[i].name) == 0)
                        code = codes[i].code;
        return fail_code(error, code, "%s", text);
}
