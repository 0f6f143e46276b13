/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oci/document.h"
#include "oci/word.h"

/* From a JSON tree to C structs by tables: a Shape describes a JSON object and the struct it fills, a Field
 * one of its properties. The loops are here, once: over properties, arrays and maps; what a table says holds
 * for decoding and for freeing. Properties that no table names are ignored, as the spec wants it. */

/* Far more than any container needs, and few enough for whoever has to go through them, in PID 1 too, not to
 * take minutes. Fields for which that is too many have their own .max_n. */
#define DECODE_ITEMS_MAX 65536

typedef struct Decoder {  /* where we are, for messages */
        const char *name; /* of the file */
        GString *path;    /* "linux.namespaces[2]" */
} Decoder;

typedef struct Field Field;
typedef struct Shape Shape;

/* One kind of property. @object is the struct that the field lies in. */
typedef struct FieldKind {
        bool (*decode)(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                       GError **error);
        void (*clear)(const Field *field, void *object); /* NULL: nothing to free */
} FieldKind;

/* Returns NULL when @text will do, else why not, to be put behind the quoted text: "is not an absolute path".
 */
typedef const char *TextCheck(const char *text);

struct Field {
        const char *key;
        const FieldKind *kind;
        size_t offset;       /* of what is filled in, in the struct */
        size_t count_offset; /* arrays and maps: of the size_t that counts; field_section: of its bool */
        bool required;
        bool empty_is_absent; /* strings: Go programs can't tell "" from absent, so it is no value */
        size_t max_n;         /* arrays and maps: how many items; 0: DECODE_ITEMS_MAX */
        int64_t min;          /* numbers: the range; all 0: what the type holds */
        uint64_t max;
        const Shape *shape;   /* objects, arrays and maps of them */
        const Words *words;   /* strings: the allowed ones */
        TextCheck *check;     /* strings, each string of a list, the keys of a map */
        TextCheck *check_key; /* the keys of a map */
};

struct Shape {
        size_t size; /* of the struct */
        const Field *fields;
        size_t n_fields;
        void (*init)(void *object); /* defaults other than zero bytes; may be NULL */
        /* What one property alone can't tell; called when all are filled in. May be NULL. */
        bool (*check)(Decoder *decoder, void *object, GError **error);
};

#define SHAPE(type, table) .size = sizeof(type), .fields = (table), .n_fields = G_N_ELEMENTS(table)
/* Kind                              JSON              C, at .offset */
extern const FieldKind field_boolean;    /* true, false       bool */
extern const FieldKind field_maybe_bool; /* true, false       MaybeBool */
extern const FieldKind field_uint32;     /* number            uint32_t */
extern const FieldKind field_uint64;     /* number            uint64_t */
extern const FieldKind field_int64;      /* number            int64_t */
extern const FieldKind field_maybe_uint; /* number            MaybeUint (.max gives narrower types) */
extern const FieldKind field_maybe_int;  /* number            MaybeInt */
extern const FieldKind field_uint32s;    /* [number]          uint32_t *, size_t */
extern const FieldKind field_string;     /* string            char * */
extern const FieldKind field_word;       /* string            int, the value of the word */
extern const FieldKind field_letter;     /* string            char, the value of the word */
extern const FieldKind field_strings;    /* [string]          char **, NULL-terminated */
extern const FieldKind field_pairs;      /* {key: string}     OciPairs */
extern const FieldKind field_section;    /* {…}               nothing: .shape is about the same struct;
                                          *                   .count_offset, if not 0, a bool: it is there */
extern const FieldKind field_struct;     /* {…}               the struct of .shape, in place */
extern const FieldKind field_pointer;    /* {…}               the struct of .shape, allocated */
extern const FieldKind field_structs;    /* [{…}]             array of .shape's struct, size_t */
extern const FieldKind field_map; /* {key: {…}}        the same; the struct starts with a char *key */

/**
 * decode_object:
 * @object: zeroed memory of @shape's size
 *
 * Fills in @object from a JSON object. What was filled in before a failure is freed by shape_clear().
 */
bool decode_object(Decoder *decoder, const Shape *shape, const DocumentNode *node, void *object,
                   GError **error);

/**
 * shape_clear:
 * Frees what the fields of @object own, not @object itself.
 */
void shape_clear(const Shape *shape, void *object);

/**
 * decode_integer:
 * Takes a number that is written as an integer (like Go's decoder not 1.0 or 1e3, which the schema does not
 * call integers either) and lies between @min and @max. @ret_value: of a negative number its two's
 * complement.
 */
bool decode_integer(Decoder *decoder, const DocumentNode *node, int64_t min, uint64_t max,
                    uint64_t *ret_value, GError **error);

/**
 * decode_expect:
 * Fails unless @node is of @kind: "a string is expected, not a number".
 */
bool decode_expect(Decoder *decoder, const DocumentNode *node, DocumentKind kind, GError **error);

/**
 * decode_fail:
 * @key: (nullable): the property of the present object that is wrong
 * @index: of the item if it is an array, or DECODE_NO_INDEX
 *
 * Sets @error to "FILE: PATH: TEXT" and returns false.
 */
#define DECODE_NO_INDEX SIZE_MAX
bool decode_fail(const Decoder *decoder, const char *key, size_t index, GError **error, const char *format,
                 ...) G_GNUC_PRINTF(5, 6);

/**
 * decode_shown:
 * Returns (transfer full): @text fit for a message: on one line, not longer than about 100 characters.
 */
char *decode_shown(const char *text);
