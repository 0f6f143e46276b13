/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The decoder's loops: one function per kind of property and one that goes through an object. The tables are
 * in config*.c. A struct that was filled in halfway can be cleared, since all memory starts as zeroes and
 * counts are set together with their arrays. */

#include "oci/decode.h"

#include <string.h>

#include "base-glib/error.h"
#include "base-glib/one-line.h"
#include "oci/config.h"

#define SHOWN_MAX 100 /* bytes of a value that a message quotes */

/* Where the value of @field is in @object, as a pointer to @type. */
#define SLOT(type)  ((type *) (void *) ((char *) object + field->offset))
#define COUNT(type) ((type *) (void *) ((char *) object + field->count_offset))

char *decode_shown(const char *text) {
        return one_line(text, SHOWN_MAX);
}

static size_t push_key(Decoder *decoder, const char *key) {
        size_t length = decoder->path->len;

        if (*key && strspn(key, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-") == strlen(key) &&
            strlen(key) < SHOWN_MAX)
                g_string_append_printf(decoder->path, "%s%s", length > 0 ? "." : "", key);
        else {
                g_autofree char *shown = decode_shown(key);

                g_string_append_printf(decoder->path, "[\"%s\"]", shown);
        }
        return length;
}

static size_t push_index(Decoder *decoder, size_t index) {
        size_t length = decoder->path->len;

        g_string_append_printf(decoder->path, "[%zu]", index);
        return length;
}

static void pop(Decoder *decoder, size_t length) {
        g_string_truncate(decoder->path, length);
}

bool decode_fail(const Decoder *decoder, const char *key, size_t index, GError **error, const char *format,
                 ...) {
        Decoder place = {.path = g_string_new(decoder->path->str)};
        g_autofree char *reason = NULL;
        va_list arguments;

        va_start(arguments, format);
        reason = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        if (key)
                push_key(&place, key);
        if (index != DECODE_NO_INDEX)
                push_index(&place, index);
        fail(error, "%s: %s%s%s", decoder->name, place.path->str, place.path->len > 0 ? ": " : "", reason);
        g_string_free(place.path, TRUE);
        return false;
}

static bool fail_here(const Decoder *decoder, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail_here(const Decoder *decoder, GError **error, const char *format, ...) {
        g_autofree char *reason = NULL;
        va_list arguments;

        va_start(arguments, format);
        reason = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        return decode_fail(decoder, NULL, DECODE_NO_INDEX, error, "%s", reason);
}

bool decode_expect(Decoder *decoder, const DocumentNode *node, DocumentKind kind, GError **error) {
        if (node->kind == kind)
                return true;
        return fail_here(decoder, error, "%s is expected, not %s%s", document_kind_name(kind),
                         document_kind_name(node->kind),
                         node->kind == DOCUMENT_NULL && decoder->path->len > 0 ? " (leave the property out)"
                                                                               : "");
}

/* An array or an object of not too many items. */
static bool expect_items(Decoder *decoder, const Field *field, const DocumentNode *node, DocumentKind kind,
                         GError **error) {
        size_t max = field->max_n > 0 ? field->max_n : DECODE_ITEMS_MAX;

        if (!decode_expect(decoder, node, kind, error))
                return false;
        return node->n <= max || fail_here(decoder, error, "more than %zu items", max);
}

static bool take_word(Decoder *decoder, const Words *words, const char *text, int *ret_value,
                      GError **error) {
        const Word *word = words_find(words, text);
        g_autofree char *shown = NULL;
        const char *nearest;

        if (word) {
                *ret_value = word->value;
                return true;
        }
        shown = decode_shown(text);
        nearest = words_nearest(words, text);
        if (nearest)
                return fail_here(decoder, error, "'%s' is not %s (did you mean '%s'?)", shown, words->noun,
                                 nearest);
        return fail_here(decoder, error, "'%s' is not %s", shown, words->noun);
}

static bool check_text(Decoder *decoder, TextCheck *check, const char *text, GError **error) {
        const char *reason = check ? check(text) : NULL;
        g_autofree char *shown = NULL;

        if (!reason)
                return true;
        shown = decode_shown(text);
        return fail_here(decoder, error, "'%s' %s", shown, reason);
}

/* A string that the field's words and check allow. */
static bool take_text(Decoder *decoder, const Field *field, const DocumentNode *node, int *ret_value,
                      GError **error) {
        *ret_value = 0;
        if (!decode_expect(decoder, node, DOCUMENT_STRING, error))
                return false;
        if (field->words && !take_word(decoder, field->words, node->text, ret_value, error))
                return false;
        return check_text(decoder, field->check, node->text, error);
}

static bool is_empty_text(const Field *field, const DocumentNode *node) {
        return field->empty_is_absent && node->kind == DOCUMENT_STRING && node->size == 0;
}

static bool decode_string(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                          GError **error) {
        int value;

        if (is_empty_text(field, node))
                return true;
        if (!take_text(decoder, field, node, &value, error))
                return false;
        *SLOT(char *) = g_strdup(node->text);
        return true;
}

static void clear_string(const Field *field, void *object) {
        g_clear_pointer(SLOT(char *), g_free);
}

static bool decode_word(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                        GError **error) {
        return is_empty_text(field, node) || take_text(decoder, field, node, SLOT(int), error);
}

static bool decode_letter(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                          GError **error) {
        int value;

        if (is_empty_text(field, node))
                return true;
        if (!take_text(decoder, field, node, &value, error))
                return false;
        *SLOT(char) = (char) value;
        return true;
}

static bool decode_strings(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                           GError **error) {
        char **strings;
        size_t i = 0;
        int value;

        if (!expect_items(decoder, field, node, DOCUMENT_ARRAY, error))
                return false;
        strings = g_new0(char *, node->n + 1);
        g_strfreev(*SLOT(char **)); /* a default */
        *SLOT(char **) = strings;
        for (const DocumentNode *item = node->first; item; item = item->next, i++) {
                size_t length = push_index(decoder, i);

                if (!take_text(decoder, field, item, &value, error))
                        return false;
                strings[i] = g_strdup(item->text);
                pop(decoder, length);
        }
        return true;
}

static void clear_strings(const Field *field, void *object) {
        g_clear_pointer(SLOT(char **), g_strfreev);
}

static bool take_bool(Decoder *decoder, const DocumentNode *node, bool *ret, GError **error) {
        if (node->kind != DOCUMENT_TRUE && node->kind != DOCUMENT_FALSE)
                return fail_here(decoder, error, "true or false is expected, not %s",
                                 document_kind_name(node->kind));
        *ret = node->kind == DOCUMENT_TRUE;
        return true;
}

static bool decode_bool(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                        GError **error) {
        return take_bool(decoder, node, SLOT(bool), error);
}

static bool decode_maybe_bool(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                              GError **error) {
        return SLOT(MaybeBool)->set = take_bool(decoder, node, &SLOT(MaybeBool)->value, error);
}

bool decode_integer(Decoder *decoder, const DocumentNode *node, int64_t min, uint64_t max,
                    uint64_t *ret_value, GError **error) {
        bool negative, overflow = false;
        uint64_t value = 0;

        if (!decode_expect(decoder, node, DOCUMENT_NUMBER, error))
                return false;
        negative = node->text[0] == '-';
        for (size_t i = negative; i < node->size; i++) {
                if (!g_ascii_isdigit(node->text[i]))
                        return fail_here(decoder, error, "%.*s is not written as an integer",
                                         (int) MIN(node->size, SHOWN_MAX), node->text);
                overflow = overflow || __builtin_mul_overflow(value, 10, &value) ||
                           __builtin_add_overflow(value, (uint64_t) (node->text[i] - '0'), &value);
        }
        if (negative && value == 0)
                negative = false;
        if (overflow || (negative ? min >= 0 || value > -(uint64_t) min : value > max) ||
            (!negative && min > 0 && value < (uint64_t) min))
                return fail_here(decoder, error,
                                 "%.*s is out of range (%" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT ")",
                                 (int) MIN(node->size, SHOWN_MAX), node->text, min, max);
        *ret_value = negative ? -value : value;
        return true;
}

/* The field's own range, or else that of its type. */
static bool take_number(Decoder *decoder, const Field *field, const DocumentNode *node, int64_t type_min,
                        uint64_t type_max, uint64_t *ret_value, GError **error) {
        bool ranged = field->min != 0 || field->max != 0;

        return decode_integer(decoder, node, ranged ? field->min : type_min, ranged ? field->max : type_max,
                              ret_value, error);
}

static bool decode_uint32(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                          GError **error) {
        uint64_t value;

        if (!take_number(decoder, field, node, 0, UINT32_MAX, &value, error))
                return false;
        *SLOT(uint32_t) = (uint32_t) value;
        return true;
}

static bool decode_uint64(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                          GError **error) {
        return take_number(decoder, field, node, 0, UINT64_MAX, SLOT(uint64_t), error);
}

static bool decode_int64(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                         GError **error) {
        return take_number(decoder, field, node, INT64_MIN, INT64_MAX, (uint64_t *) SLOT(int64_t), error);
}

static bool decode_maybe_uint(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                              GError **error) {
        return SLOT(MaybeUint)->set =
                       take_number(decoder, field, node, 0, UINT64_MAX, &SLOT(MaybeUint)->value, error);
}

static bool decode_maybe_int(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                             GError **error) {
        return SLOT(MaybeInt)->set = take_number(decoder, field, node, INT64_MIN, INT64_MAX,
                                                 (uint64_t *) &SLOT(MaybeInt)->value, error);
}

static bool decode_uint32s(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                           GError **error) {
        uint32_t *numbers;
        uint64_t value;
        size_t i = 0;

        if (!expect_items(decoder, field, node, DOCUMENT_ARRAY, error))
                return false;
        numbers = *SLOT(uint32_t *) = g_new0(uint32_t, node->n);
        *COUNT(size_t) = node->n;
        for (const DocumentNode *item = node->first; item; item = item->next, i++) {
                size_t length = push_index(decoder, i);

                if (!take_number(decoder, field, item, 0, UINT32_MAX, &value, error))
                        return false;
                numbers[i] = (uint32_t) value;
                pop(decoder, length);
        }
        return true;
}

static void clear_memory(const Field *field, void *object) {
        g_clear_pointer(SLOT(void *), g_free);
}

static bool decode_pairs(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                         GError **error) {
        OciPairs *pairs = SLOT(OciPairs);
        size_t i = 0;
        int value;

        if (!expect_items(decoder, field, node, DOCUMENT_OBJECT, error))
                return false;
        pairs->items = g_new0(OciPair, node->n);
        pairs->n = node->n;
        for (const DocumentNode *member = node->first; member; member = member->next, i++) {
                size_t length = push_key(decoder, member->key);

                if (!check_text(decoder, field->check_key, member->key, error) ||
                    !take_text(decoder, field, member, &value, error))
                        return false;
                pairs->items[i].key = g_strdup(member->key);
                pairs->items[i].value = g_strdup(member->text);
                pop(decoder, length);
        }
        return true;
}

static void clear_pairs(const Field *field, void *object) {
        OciPairs *pairs = SLOT(OciPairs);

        for (size_t i = 0; i < pairs->n; i++) {
                g_free(pairs->items[i].key);
                g_free(pairs->items[i].value);
        }
        g_clear_pointer(&pairs->items, g_free);
        pairs->n = 0;
}

static bool decode_section(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                           GError **error) {
        if (field->count_offset > 0)
                *COUNT(bool) = true;
        return decode_object(decoder, field->shape, node, object, error);
}

static void clear_section(const Field *field, void *object) {
        shape_clear(field->shape, object);
}

static bool decode_struct(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                          GError **error) {
        return decode_object(decoder, field->shape, node, SLOT(char), error);
}

static void clear_struct(const Field *field, void *object) {
        shape_clear(field->shape, SLOT(char));
}

static bool decode_pointer(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                           GError **error) {
        *SLOT(void *) = g_malloc0(field->shape->size);
        return decode_object(decoder, field->shape, node, *SLOT(void *), error);
}

static void clear_pointer(const Field *field, void *object) {
        if (!*SLOT(void *))
                return;
        shape_clear(field->shape, *SLOT(void *));
        g_clear_pointer(SLOT(void *), g_free);
}

static bool decode_structs(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                           GError **error) {
        char *item;
        size_t i = 0;

        if (!expect_items(decoder, field, node, DOCUMENT_ARRAY, error))
                return false;
        item = *SLOT(void *) = g_malloc0_n(node->n, field->shape->size);
        *COUNT(size_t) = node->n;
        for (const DocumentNode *child = node->first; child;
             child = child->next, item += field->shape->size) {
                size_t length = push_index(decoder, i++);

                if (!decode_object(decoder, field->shape, child, item, error))
                        return false;
                pop(decoder, length);
        }
        return true;
}

static bool decode_map(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                       GError **error) {
        char *item;

        if (!expect_items(decoder, field, node, DOCUMENT_OBJECT, error))
                return false;
        item = *SLOT(void *) = g_malloc0_n(node->n, field->shape->size);
        *COUNT(size_t) = node->n;
        for (const DocumentNode *member = node->first; member;
             member = member->next, item += field->shape->size) {
                size_t length = push_key(decoder, member->key);

                *(char **) (void *) item = g_strdup(member->key);
                if (!check_text(decoder, field->check_key, member->key, error) ||
                    !decode_object(decoder, field->shape, member, item, error))
                        return false;
                pop(decoder, length);
        }
        return true;
}

static void clear_structs(const Field *field, void *object) {
        char *item = *SLOT(char *);

        for (size_t i = 0; i < *COUNT(size_t); i++, item += field->shape->size)
                shape_clear(field->shape, item);
        g_clear_pointer(SLOT(void *), g_free);
        *COUNT(size_t) = 0;
}

static void clear_map(const Field *field, void *object) {
        char *item = *SLOT(char *);

        for (size_t i = 0; i < *COUNT(size_t); i++, item += field->shape->size)
                g_free(*(char **) (void *) item);
        clear_structs(field, object);
}

const FieldKind field_boolean = {decode_bool};
const FieldKind field_maybe_bool = {decode_maybe_bool};
const FieldKind field_uint32 = {decode_uint32};
const FieldKind field_uint64 = {decode_uint64};
const FieldKind field_int64 = {decode_int64};
const FieldKind field_maybe_uint = {decode_maybe_uint};
const FieldKind field_maybe_int = {decode_maybe_int};
const FieldKind field_uint32s = {decode_uint32s, clear_memory};
const FieldKind field_string = {decode_string, clear_string};
const FieldKind field_word = {decode_word};
const FieldKind field_letter = {decode_letter};
const FieldKind field_strings = {decode_strings, clear_strings};
const FieldKind field_pairs = {decode_pairs, clear_pairs};
const FieldKind field_section = {decode_section, clear_section};
const FieldKind field_struct = {decode_struct, clear_struct};
const FieldKind field_pointer = {decode_pointer, clear_pointer};
const FieldKind field_structs = {decode_structs, clear_structs};
const FieldKind field_map = {decode_map, clear_map};

static const Field *find_field(const Shape *shape, const char *key, size_t *ret_index) {
        for (size_t i = 0; i < shape->n_fields; i++)
                if (strcmp(shape->fields[i].key, key) == 0) {
                        *ret_index = i;
                        return &shape->fields[i];
                }
        return NULL;
}

bool decode_object(Decoder *decoder, const Shape *shape, const DocumentNode *node, void *object,
                   GError **error) {
        uint64_t seen = 0; /* one bit per field */
        size_t index;

        g_assert(shape->n_fields <= 64);
        if (!decode_expect(decoder, node, DOCUMENT_OBJECT, error))
                return false;
        if (shape->init)
                shape->init(object);
        for (const DocumentNode *member = node->first; member; member = member->next) {
                const Field *field = find_field(shape, member->key, &index);
                size_t length;

                if (!field)
                        continue;
                length = push_key(decoder, member->key);
                if (!field->kind->decode(decoder, field, member, object, error))
                        return false;
                pop(decoder, length);
                seen |= UINT64_C(1) << index;
        }
        for (size_t i = 0; i < shape->n_fields; i++)
                if (shape->fields[i].required && !(seen >> i & 1))
                        return decode_fail(decoder, shape->fields[i].key, DECODE_NO_INDEX, error,
                                           "required, but missing");
        return !shape->check || shape->check(decoder, object, error);
}

void shape_clear(const Shape *shape, void *object) {
        for (size_t i = 0; i < shape->n_fields; i++)
                if (shape->fields[i].kind->clear)
                        shape->fields[i].kind->clear(&shape->fields[i], object);
}
