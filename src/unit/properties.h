/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

/* Properties of a unit in the making: an ordered list of names and values, to be compared as text in a test,
 * or sent as the a(sv) of StartTransientUnit and SetUnitProperties. */

typedef struct PropertySet PropertySet;

PropertySet *property_set_new(void);
void property_set_free(PropertySet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PropertySet, property_set_free)

/**
 * property_set_put:
 * @value: a floating reference is taken
 *
 * Sets @name; a value that stands there already is replaced, in its place.
 */
void property_set_put(PropertySet *set, const char *name, GVariant *value);
void property_set_put_string(PropertySet *set, const char *name, const char *value);
void property_set_put_strings(PropertySet *set, const char *name, const char *const *values);
void property_set_put_bool(PropertySet *set, const char *name, bool value);
void property_set_put_int32(PropertySet *set, const char *name, int32_t value);
void property_set_put_uint64(PropertySet *set, const char *name, uint64_t value);

/**
 * property_set_append:
 * @array: an array (floating references are taken), whose elements go behind those that @name has already
 */
void property_set_append(PropertySet *set, const char *name, GVariant *array);

/**
 * property_set_append_command:
 * @name: "ExecStart", "ExecStartPost", …
 * @argv: the first is the path of the program
 *
 * Adds a command line, to be run as it is: '$' is doubled, since systemd expands variables in it. (Not in the
 * form "ExecStartEx", which has a flag against that: systemd 252 writes it by that name into the transient
 * unit's file, and daemon-reload finds a broken unit. 257 does not.)
 */
void property_set_append_command(PropertySet *set, const char *name, const char *const *argv);

/**
 * property_set_put_all:
 * Puts every property of @other into @set.
 */
void property_set_put_all(PropertySet *set, const PropertySet *other);

/**
 * property_set_find:
 * Returns (nullable) (transfer none): the value.
 */
GVariant *property_set_find(const PropertySet *set, const char *name);

/**
 * property_set_remove:
 * Takes @name out, if it is there.
 */
void property_set_remove(PropertySet *set, const char *name);

size_t property_set_get_n(const PropertySet *set);

/**
 * property_set_foreach:
 * Calls @call for each property, in order.
 */
void property_set_foreach(const PropertySet *set, void (*call)(const char *name, GVariant *value, void *data),
                          void *data);

/**
 * property_set_print:
 * Returns (transfer full): "NAME=VALUE\n" for each, values as GVariant text with types, for tests and
 * --debug.
 */
char *property_set_print(const PropertySet *set);

/**
 * property_set_append_message:
 * Appends the set to @message as a(sv). Returns 0 or a negative errno.
 */
int property_set_append_message(const PropertySet *set, sd_bus_message *message);

/**
 * variant_append_message:
 * Appends any value without fds ('h') and without maybe types to @message, as its own type. Returns 0 or a
 * negative errno.
 */
int variant_append_message(GVariant *value, sd_bus_message *message);

/**
 * variant_read_message:
 * @message: about to be read: a basic value, or a container to be entered
 *
 * The way back: takes the next value out of @message. Returns (transfer full), or NULL when there is none or
 * it has an fd in it.
 */
GVariant *variant_read_message(sd_bus_message *message);
