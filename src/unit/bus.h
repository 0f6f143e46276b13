/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <systemd/sd-bus.h>

/* The connection to the service manager: which manager, which socket, how long to wait, and how sd-bus's
 * errors become GErrors. Nothing else in the program opens a bus. */

typedef enum UnitManager {
        UNIT_MANAGER_SYSTEM, /* PID 1 */
        UNIT_MANAGER_USER,   /* systemd --user of who we are */
} UnitManager;

/**
 * unit_manager_detect:
 * The system manager for root of the host, else the user's own. In a user namespace root is whom the first
 * line of /proc/self/uid_map names (user_namespaces(7)), so that a rootless engine's runtime asks the user
 * manager although its uid looks like 0.
 */
UnitManager unit_manager_detect(void);

/**
 * unit_manager_to_string, unit_manager_from_string:
 * "system" and "user", for the state directory. The second returns false for any other text.
 */
const char *unit_manager_to_string(UnitManager manager);
bool unit_manager_from_string(const char *text, UnitManager *ret_manager);

typedef struct UnitBus UnitBus;

/**
 * unit_bus_connect:
 * @error: names the sockets tried and what to do ("loginctl enable-linger", "is systemd PID 1?")
 *
 * Connects to the manager's bus, else to its private socket (peer-to-peer: no broker, no Hello, signals
 * unasked). A bus address set in the environment (DBUS_SYSTEM_BUS_ADDRESS, DBUS_SESSION_BUS_ADDRESS) that is
 * not the ordinary one is used instead, and alone. Does not wait for authentication, which is pipelined with
 * the first call; a manager that has not answered it within 5 s fails whatever is waiting. Every call has a
 * time-out of 30 s.
 *
 * Returns (transfer full): the bus, or NULL.
 */
UnitBus *unit_bus_connect(UnitManager manager, GError **error);

/**
 * unit_bus_new_for_fd:
 * @fd: (transfer full): a connected stream socket with a peer-to-peer manager behind it, for tests
 */
UnitBus *unit_bus_new_for_fd(UnitManager manager, int fd, GError **error);

/**
 * unit_bus_free:
 * Sends what is still queued, closes. Jobs of the bus must be freed before.
 */
void unit_bus_free(UnitBus *bus);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UnitBus, unit_bus_free)

UnitManager unit_bus_get_manager(const UnitBus *bus);

/**
 * unit_bus_get_fd, unit_bus_get_events, unit_bus_get_timeout_msec:
 * For poll(2) beside other fds: the fd stays the same, events and time-out (-1: none) are to be asked before
 * each poll. When poll returns, for whatever reason, call unit_bus_process().
 */
int unit_bus_get_fd(UnitBus *bus);
short unit_bus_get_events(UnitBus *bus);
int unit_bus_get_timeout_msec(UnitBus *bus);

/**
 * unit_bus_process:
 * Handles all that has arrived and all time-outs, and sends what can be sent, without blocking. What came
 * shows in the state of the UnitJobs of the bus. Returns false when the connection is lost or never came up.
 */
bool unit_bus_process(UnitBus *bus, GError **error);

/**
 * unit_bus_wait:
 * @timeout_usec: UINT64_MAX waits for ever
 *
 * Blocks until something can be processed or the time is over. Returns false when the bus fails.
 */
bool unit_bus_wait(UnitBus *bus, uint64_t timeout_usec, GError **error);

/* For the other files of unit/: */

/**
 * unit_bus_sd:
 * Returns (transfer none): the sd-bus object.
 */
sd_bus *unit_bus_sd(UnitBus *bus);

/**
 * unit_bus_match:
 * @member: a signal of org.freedesktop.systemd1.Manager
 * @first: (nullable): only signals whose first argument is this text. The handler has to look as well: a text
 * with a backslash, which sd-bus and brokers read differently in a match, is left out of it. There is no such
 * thing for later arguments: sd-bus looks no further than the first that is no string, and JobRemoved starts
 * with a number
 * @ret_slot: (transfer full): the match lives as long as it does
 *
 * Adds a match without waiting for the broker. On the private socket that costs no message. Pipelined: a
 * request sent after it can't be answered before it.
 */
bool unit_bus_match(UnitBus *bus, const char *member, const char *first, sd_bus_message_handler_t handler,
                    void *userdata, sd_bus_slot **ret_slot, GError **error);

/**
 * unit_bus_subscribe:
 * Asks the manager, once per bus and without waiting, to send its signals. Without that it sends JobRemoved
 * to whoever asked for the job, and nothing else. On the private socket it sends them all, unasked.
 */
bool unit_bus_subscribe(UnitBus *bus, GError **error);

/**
 * unit_bus_message:
 * Makes a call to org.freedesktop.systemd1.Manager for more arguments. Returns (transfer full), or NULL.
 */
sd_bus_message *unit_bus_message(UnitBus *bus, const char *member, GError **error);

/**
 * unit_bus_message_at:
 * The same for any object and interface of systemd.
 */
sd_bus_message *unit_bus_message_at(UnitBus *bus, const char *path, const char *interface, const char *member,
                                    GError **error);

/**
 * unit_object_path:
 * Returns (transfer full): the object path of the unit @name.
 */
char *unit_object_path(const char *name);

/**
 * unit_bus_call:
 * Sends and waits. Returns (transfer full): the reply, or NULL with systemd's own text in @error and the code
 * of unit_bus_fail().
 */
sd_bus_message *unit_bus_call(UnitBus *bus, sd_bus_message *message, GError **error);

/**
 * unit_bus_fail:
 * Turns an error of the bus into "TEXT" with a code: NoSuchUnit is UNITRUN_ERROR_NOT_FOUND, UnitExists
 * UNITRUN_ERROR_EXISTS, PropertyReadOnly and unknown methods UNITRUN_ERROR_UNSUPPORTED. Returns false.
 */
bool unit_bus_fail(const sd_bus_error *bus_error, GError **error);
