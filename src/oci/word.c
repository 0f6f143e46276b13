/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finding a word in a list of words, exactly or by the fewest typing errors (optimal string alignment
 * distance). */

#include "oci/word.h"

#include <glib.h>
#include <string.h>

/* The number of insertions, deletions, replacements and swaps of neighbours that make @b of @a; short words
 * only. */
#define DISTANCE_LENGTH_MAX 32
static size_t typing_errors(const char *a, size_t a_length, const char *b, size_t b_length) {
        size_t rows[DISTANCE_LENGTH_MAX + 1][DISTANCE_LENGTH_MAX + 1];

        for (size_t i = 0; i <= a_length; i++)
                for (size_t k = 0; k <= b_length; k++) {
                        if (i == 0 || k == 0) {
                                rows[i][k] = i + k;
                                continue;
                        }
                        rows[i][k] =
                                rows[i - 1][k - 1] + (g_ascii_toupper(a[i - 1]) != g_ascii_toupper(b[k - 1]));
                        rows[i][k] = MIN(rows[i][k], MIN(rows[i - 1][k], rows[i][k - 1]) + 1);
                        if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                                rows[i][k] = MIN(rows[i][k], rows[i - 2][k - 2] + 1);
                }
        return rows[a_length][b_length];
}

const Word *words_find(const Words *words, const char *text) {
        for (size_t i = 0; i < words->n; i++)
                if (strcmp(words->items[i].name, text) == 0)
                        return &words->items[i];
        return NULL;
}

const char *words_nearest(const Words *words, const char *text) {
        const char *nearest = NULL;
        size_t length = strlen(text), best = 3;

        if (length > DISTANCE_LENGTH_MAX)
                return NULL;
        for (size_t i = 0; i < words->n; i++) {
                size_t n = strlen(words->items[i].name), distance;

                if (n > DISTANCE_LENGTH_MAX)
                        continue;
                distance = typing_errors(text, length, words->items[i].name, n);
                if (distance < best && distance < n && distance < length) {
                        best = distance;
                        nearest = words->items[i].name;
                }
        }
        return nearest;
}
