/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* Strings of which the spec allows only some, and what was probably meant by another. */

typedef struct Word { /* one of the values that a string may have */
        const char *name;
        int value;
} Word;

typedef struct Words {
        const char *noun; /* "a namespace type" */
        const Word *items;
        size_t n;
} Words;

#define WORDS(a_noun, table)                                                                                 \
        { .noun = (a_noun), .items = (table), .n = G_N_ELEMENTS(table) }

/**
 * words_find:
 * Returns (nullable): the word that is @text.
 */
const Word *words_find(const Words *words, const char *text);

/**
 * words_nearest:
 * Returns (nullable): the word that @text may have been meant to be, at most 2 typing errors away.
 */
const char *words_nearest(const Words *words, const char *text);
