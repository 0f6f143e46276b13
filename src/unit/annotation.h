/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "unit/properties.h"

/* A property of a unit that somebody else asks for in text: name and GVariant text in, property out. Only
 * what neither runs code on the host nor changes whose code runs is let through: a table of allowed
 * properties with their D-Bus types. Compare CVE-2024-3154. */

/**
 * annotation_apply:
 * @name: of a property on D-Bus ("TimeoutStopUSec"), or with "Sec" for "USec" and a value in seconds
 * ("RuntimeMaxSec")
 * @text: the value as GVariant text: 'text', "text", true, 5, uint64 5, ['a', 'b'], …; a bare number is of
 * the type the property needs; seconds may be a number with a fraction, may be quoted, and may be 'infinity'
 * @error: one line that starts with what is wrong, quotes name or value, and says which type is expected or
 * why the property is refused; the caller puts where it came from before it
 *
 * Puts the property into @set; lists that add up in systemd (After, Documentation, LogExtraFields, …) are
 * appended to what is there.
 */
bool annotation_apply(PropertySet *set, const char *name, const char *text, GError **error);
