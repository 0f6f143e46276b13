/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of units and slices: made, split, checked. Pure text. */

#include "unit/name.h"

#include <string.h>

#include "base-glib/error.h"

#define SERVICE_SUFFIX ".service"
#define SLICE_SUFFIX   ".slice"
#define NAME_MAX_BYTES 255 /* UNIT_NAME_MAX of systemd counts the NUL byte: 256 */

static bool stands_as_is(char c) {
        return g_ascii_isalnum(c) || strchr(":-_.", c);
}

static void append_escaped(GString *unit, const char *text) {
        for (const char *c = text; *c; c++) {
                if (stands_as_is(*c))
                        g_string_append_c(unit, *c);
                else
                        g_string_append_printf(unit, "\\x%02x", (unsigned char) *c);
        }
}

char *unit_name_service(const char *prefix, const char *name, GError **error) {
        g_autoptr(GString) unit = g_string_new(NULL);

        if (*name == '\0') {
                fail(error, "the unit's name is empty");
                return NULL;
        }
        if (g_str_has_suffix(name, SLICE_SUFFIX)) {
                fail(error, "'%s' names a slice: a container is a service", name);
                return NULL;
        }
        if (prefix && *prefix) {
                append_escaped(unit, prefix);
                g_string_append_c(unit, '-');
        }
        append_escaped(unit, name);
        g_string_append(unit, SERVICE_SUFFIX);
        if (unit->len > NAME_MAX_BYTES) {
                fail(error, "the unit name '%.40s…' would have %zu bytes; %d are the most", unit->str,
                     unit->len, NAME_MAX_BYTES);
                return NULL;
        }
        return g_string_free(g_steal_pointer(&unit), FALSE);
}

/* What stands before ".slice": components that are not empty, with single dashes between. */
static const char *slice_fault(const char *text, size_t length) {
        char before = '-';

        if (length == 0)
                return "nothing stands before .slice";
        for (size_t i = 0; i < length; i++) {
                if (text[i] == '/')
                        return "a slice is named without its path: '-' stands for the hierarchy";
                if (!stands_as_is(text[i]) && text[i] != '\\')
                        return "a character that may not stand in a unit name";
                if (text[i] == '-' && before == '-')
                        return "an empty part in the dash hierarchy";
                before = text[i];
        }
        return before == '-' ? "an empty part in the dash hierarchy" : NULL;
}

bool unit_name_slice(const char *text, char **ret_slice, GError **error) {
        size_t length = strlen(text);
        const char *fault;

        if (length == 0) {
                *ret_slice = NULL;
                return true;
        }
        if (strcmp(text, "-") == 0 || strcmp(text, "-" SLICE_SUFFIX) == 0) {
                *ret_slice = g_strdup("-" SLICE_SUFFIX);
                return true;
        }
        if (strchr(text, '/'))
                return fail(error, "'%s' is not the name of a slice: %s", text, slice_fault("/", 1));
        if (!g_str_has_suffix(text, SLICE_SUFFIX))
                return fail(error, "'%s' is not the name of a slice: it does not end in .slice", text);
        fault = slice_fault(text, length - strlen(SLICE_SUFFIX));
        if (fault)
                return fail(error, "'%s' is not the name of a slice: %s", text, fault);
        if (length > NAME_MAX_BYTES)
                return fail(error, "the slice name '%.40s…' has %zu bytes; %d are the most", text, length,
                            NAME_MAX_BYTES);
        *ret_slice = g_strdup(text);
        return true;
}

bool unit_name_from_triple(const char *triple, char **ret_unit, char **ret_slice, GError **error) {
        g_auto(GStrv) parts = g_strsplit(triple, ":", -1);
        g_autofree char *unit = NULL;

        if (g_strv_length(parts) != 3)
                return fail(error, "'%s' is not of the form slice:prefix:name", triple);
        unit = unit_name_service(parts[1], parts[2], error);
        if (!unit || !unit_name_slice(parts[0], ret_slice, error))
                return fail_prefix(error, "'%s'", triple);
        *ret_unit = g_steal_pointer(&unit);
        return true;
}
