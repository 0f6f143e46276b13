/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Texts that come from a config, a hook or a program, for messages: they must not make lines of their own
 * there, nor talk to the terminal. */

#include "base-glib/one-line.h"

#include <string.h>

char *one_line(const char *text, size_t max_bytes) {
        g_autofree char *valid = g_utf8_make_valid(text, (gssize) strnlen(text, max_bytes + 6));
        GString *line = g_string_new(NULL);
        const char *at = valid;

        for (; *at && line->len < max_bytes; at = g_utf8_next_char(at)) {
                gunichar character = g_utf8_get_char(at);

                if (g_unichar_iscntrl(character))
                        g_string_append_printf(line, "\\u%04x", character);
                else
                        g_string_append_unichar(line, character);
        }
        if (*at)
                g_string_append(line, "…");
        return g_string_free(line, FALSE);
}
