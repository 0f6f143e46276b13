/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/words.h"

#include <string.h>

#include "base-glib/error.h"

#define BLANKS " \t\n\r"

/* Up to @max digits of @base at @at. Returns how many there were. */
static int read_digits(const char *at, int max, int base, guint *ret_value) {
        int n = 0;

        *ret_value = 0;
        for (; n < max; n++) {
                int digit = g_ascii_xdigit_value(at[n]);

                if (digit < 0 || digit >= base)
                        break;
                *ret_value = *ret_value * (guint) base + (guint) digit;
        }
        return n;
}

/* A number: \xHH, \OOO, \uHHHH, \UHHHHHHHH. Returns the length, 0 for what is none. */
static size_t unescape_number(const char *at, GString *word) {
        static const struct {
                char letter;
                int digits, base;
        } kinds[] = {
                {'x',  2, 16},
                {'u',  4, 16},
                {'U',  8, 16},
                {'\0', 3, 8 }
        };
        guint value;

        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
                size_t prefix = kinds[i].letter != '\0';

                if (prefix && *at != kinds[i].letter)
                        continue;
                if (read_digits(at + prefix, kinds[i].digits, kinds[i].base, &value) != kinds[i].digits ||
                    value == 0)
                        return 0;
                if (kinds[i].letter == 'u' || kinds[i].letter == 'U') {
                        if (!g_unichar_validate(value))
                                return 0;
                        g_string_append_unichar(word, value);
                } else if (value <= 0xff) {
                        g_string_append_c(word, (char) value);
                } else {
                        return 0;
                }
                return prefix + (size_t) kinds[i].digits;
        }
        return 0;
}

/* @at: behind the backslash. Returns the length, 0 for an unknown escape. */
static size_t unescape(const char *at, GString *word) {
        static const char letters[] = "abfnrtv\\\"'s", meanings[] = "\a\b\f\n\r\t\v\\\"' ";
        const char *letter = *at ? strchr(letters, *at) : NULL;

        if (!letter)
                return unescape_number(at, word);
        g_string_append_c(word, meanings[letter - letters]);
        return 1;
}

/* One word at *@at. Returns false with @error. */
static bool read_word(const char **at, GString *word, GError **error) {
        char quote = '\0';

        for (; **at && (quote || !strchr(BLANKS, **at)); (*at)++) {
                if (quote ? **at == quote : **at == '"' || **at == '\'') {
                        quote = quote ? '\0' : **at;
                } else if (**at == '\\') {
                        size_t n = unescape(*at + 1, word);

                        if (n == 0)
                                return fail(error, "unknown escape sequence '%.2s'", *at);
                        *at += n;
                } else {
                        g_string_append_c(word, **at);
                }
        }
        return !quote || fail(error, "a quote (%c) is not closed", quote);
}

char **words_split(const char *value, GError **error) {
        g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

        while (*(value += strspn(value, BLANKS)) != '\0') {
                g_autoptr(GString) word = g_string_new(NULL);

                if (!read_word(&value, word, error))
                        return NULL;
                g_ptr_array_add(words, g_strdup(word->str));
        }
        g_ptr_array_add(words, NULL);
        return (char **) g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static bool is_plain(const char *word) {
        static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z "0123456789_-+=.,:/@%^~";

        return *word && strspn(word, plain) == strlen(word);
}

char *words_quote(const char *word) {
        GString *text;
        bool bytes; /* unit files are in UTF-8, arguments need not be */

        if (is_plain(word))
                return g_strdup(word);
        bytes = !g_utf8_validate(word, -1, NULL);
        text = g_string_new("\"");
        for (; *word; word++) {
                if (*word == '"' || *word == '\\')
                        g_string_append_c(text, '\\');
                if ((unsigned char) *word < ' ' || *word == '\x7f' ||
                    (bytes && (unsigned char) *word > '\x7f'))
                        g_string_append_printf(text, "\\x%02x", (unsigned char) *word);
                else
                        g_string_append_c(text, *word);
        }
        g_string_append_c(text, '"');
        return g_string_free(text, FALSE);
}
