/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* A JSON text (RFC 8259) as a tree. Numbers stay as they were written, for the decoder to judge. */

#define DOCUMENT_DEPTH_MAX  64      /* a config has 7 levels; the rest is left to properties that we ignore */
#define DOCUMENT_VALUES_MAX 1000000 /* bounds the memory that a 16 MiB text of "0,0,0,…" could take */

typedef enum DocumentKind {
        DOCUMENT_OBJECT,
        DOCUMENT_ARRAY,
        DOCUMENT_STRING,
        DOCUMENT_NUMBER,
        DOCUMENT_TRUE,
        DOCUMENT_FALSE,
        DOCUMENT_NULL,
} DocumentKind;

typedef struct DocumentNode DocumentNode;

struct DocumentNode {
        DocumentKind kind;
        const char *key; /* of a member of an object; NULL for all else */
        const char
                *text; /* of a string: unescaped, UTF-8, without NUL inside; of a number: its first digit */
        size_t size;   /* of the text in bytes (a number's text is not terminated) */
        DocumentNode *first; /* of an object or array: what is in it, in the text's order */
        DocumentNode *next;
        size_t n; /* how many these are */
};

typedef struct Document Document;

void document_free(Document *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

/**
 * document_parse:
 * @text: need not be terminated; not kept
 * @error: starts with "line 3, column 7: "
 *
 * Takes RFC 8259 and nothing else: no comments, no byte order mark, nothing behind the value. Refused as
 * well: the same key twice in an object (parsers disagree which one counts), a NUL character in a string (C
 * strings would end there), more than DOCUMENT_DEPTH_MAX levels and DOCUMENT_VALUES_MAX values.
 */
Document *document_parse(const char *text, size_t size, GError **error);

/**
 * document_root:
 * Returns (transfer none): the outermost value.
 */
const DocumentNode *document_root(const Document *document);

/**
 * document_kind_name:
 * Returns "an object", "a string", …, for messages.
 */
const char *document_kind_name(DocumentKind kind);
