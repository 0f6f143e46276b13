/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Names of units and slices. See systemd.unit(5), "Description" and "String escaping", systemd.slice(5). */

/**
 * unit_name_service:
 * @prefix: (nullable): goes before @name with a dash; "" is the same as NULL
 * @name: any text that is not empty
 *
 * Makes "PREFIX-NAME.service". What may not stand in a unit name is written \xNN as systemd-escape does, also
 * '\\' (so that different names stay different) and '@' (so that no name becomes an instance of a template);
 * '-' and ':' stay. Fails when @name is empty, ends in ".slice" (runc would make a slice of it: a container
 * is a service), or when the result has more than 255 bytes.
 */
char *unit_name_service(const char *prefix, const char *name, GError **error);

/**
 * unit_name_slice:
 * @text: "" is the manager's default slice, "-" and "-.slice" the root slice
 * @ret_slice: (transfer full) (nullable): the slice's name, NULL for the default
 *
 * Checks a slice's name: "a-b.slice" is fine, "foo", "a.scope", "a--b.slice", "-a.slice", "..", and
 * everything with a '/' is refused.
 */
bool unit_name_slice(const char *text, char **ret_slice, GError **error);

/**
 * unit_name_from_triple:
 * @triple: "SLICE:PREFIX:NAME"
 *
 * Splits at the colons (there must be two) and gives the parts to the functions above. Messages quote the
 * part that is wrong.
 */
bool unit_name_from_triple(const char *triple, char **ret_unit, char **ret_slice, GError **error);
