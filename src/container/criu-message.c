/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Protocol Buffers, as far as CRIU uses them: varints and length-delimited fields. protobuf-c and libcriu
 * would do the same for two more libraries in every process. */

#include "container/criu-message.h"

#include <string.h>

typedef enum WireType { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_BYTES = 2, WIRE_32_BIT = 5 } WireType;

static void put_varint(GByteArray *message, uint64_t value) {
        do {
                uint8_t byte = (uint8_t) (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

                g_byte_array_append(message, &byte, 1);
                value >>= 7;
        } while (value > 0);
}

static void put_tag(GByteArray *message, unsigned field, WireType type) {
        put_varint(message, (uint64_t) field << 3 | type);
}

static void put_bytes(GByteArray *message, unsigned field, const void *data, size_t size) {
        put_tag(message, field, WIRE_BYTES);
        put_varint(message, size);
        g_byte_array_append(message, data, (guint) size);
}

void criu_put_number(GByteArray *message, unsigned field, uint64_t value) {
        put_tag(message, field, WIRE_VARINT);
        put_varint(message, value);
}

void criu_put_text(GByteArray *message, unsigned field, const char *text) {
        if (text)
                put_bytes(message, field, text, strlen(text));
}

static void put_message(GByteArray *message, unsigned field, const GByteArray *inner) {
        put_bytes(message, field, inner->data, inner->len);
}

void criu_put_pair(GByteArray *message, unsigned field, const char *first, const char *second) {
        g_autoptr(GByteArray) inner = g_byte_array_new();

        criu_put_text(inner, 1, first);
        criu_put_text(inner, 2, second);
        put_message(message, field, inner);
}

void criu_put_pair_number(GByteArray *message, unsigned field, const char *first, uint64_t second) {
        g_autoptr(GByteArray) inner = g_byte_array_new();

        criu_put_text(inner, 1, first);
        criu_put_number(inner, 2, second);
        put_message(message, field, inner);
}

/* Fields of criu_req. */
enum { REQUEST_TYPE = 1, REQUEST_OPTIONS = 2, REQUEST_NOTIFY_SUCCESS = 3, REQUEST_FEATURES = 5 };

GByteArray *criu_request(CriuType type, const GByteArray *options) {
        GByteArray *request = g_byte_array_new();

        criu_put_number(request, REQUEST_TYPE, type);
        if (options)
                put_message(request, REQUEST_OPTIONS, options);
        return request;
}

GByteArray *criu_request_features(void) {
        GByteArray *request = criu_request(CRIU_FEATURE_CHECK, NULL);
        g_autoptr(GByteArray) features = g_byte_array_new();

        criu_put_number(features, 1, true);
        criu_put_number(features, 2, true);
        put_message(request, REQUEST_FEATURES, features);
        return request;
}

GByteArray *criu_acknowledge(bool success) {
        GByteArray *request = criu_request(CRIU_NOTIFY, NULL);

        criu_put_number(request, REQUEST_NOTIFY_SUCCESS, success);
        return request;
}

void criu_response_clear(CriuResponse *response) {
        g_clear_pointer(&response->script, g_free);
        g_clear_pointer(&response->message, g_free);
}

typedef struct Cursor {
        const uint8_t *at;
        const uint8_t *end;
} Cursor;

typedef struct Field {
        unsigned number;
        uint64_t value; /* of a varint */
        Cursor bytes;   /* of a length-delimited one, else at is NULL */
} Field;

static bool get_varint(Cursor *cursor, uint64_t *ret) {
        *ret = 0;
        for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
                uint8_t byte = *cursor->at++;

                *ret |= (uint64_t) (byte & 0x7f) << shift;
                if (!(byte & 0x80))
                        return true;
        }
        return false;
}

static bool skip(Cursor *cursor, uint64_t size) {
        if (size > (uint64_t) (cursor->end - cursor->at))
                return false;
        cursor->at += size;
        return true;
}

static bool get_field(Cursor *cursor, Field *ret) {
        uint64_t tag, size;

        *ret = (Field){0};
        if (!get_varint(cursor, &tag))
                return false;
        ret->number = (unsigned) (tag >> 3);
        switch (tag & 7) {
        case WIRE_VARINT:
                return get_varint(cursor, &ret->value);
        case WIRE_64_BIT:
                return skip(cursor, 8);
        case WIRE_32_BIT:
                return skip(cursor, 4);
        case WIRE_BYTES:
                if (!get_varint(cursor, &size))
                        return false;
                ret->bytes.at = cursor->at;
                if (!skip(cursor, size))
                        return false;
                ret->bytes.end = cursor->at;
                return true;
        default:
                return false;
        }
}

static char *get_text(const Field *field) {
        return field->bytes.at ? g_strndup((const char *) field->bytes.at,
                                           (gsize) (field->bytes.end - field->bytes.at))
                               : NULL;
}

typedef void (*TakeField)(const Field *field, CriuResponse *response);

static bool parse(Cursor cursor, TakeField take, CriuResponse *response) {
        Field field;

        while (cursor.at < cursor.end) {
                if (!get_field(&cursor, &field))
                        return false;
                take(&field, response);
        }
        return true;
}

static void take_notification(const Field *field, CriuResponse *response) {
        if (field->number == 1 && !response->script)
                response->script = get_text(field);
        else if (field->number == 2)
                response->pid = (int32_t) field->value;
}

static void take_restored(const Field *field, CriuResponse *response) {
        if (field->number == 1)
                response->pid = (int32_t) field->value;
}

static void take_features(const Field *field, CriuResponse *response) {
        if (field->number == 1)
                response->track_memory = field->value != 0;
        else if (field->number == 2)
                response->lazy_pages = field->value != 0;
}

/* major, minor and sublevel */
static void take_version(const Field *field, CriuResponse *response) {
        static const unsigned weights[] = {[1] = 10000, [2] = 100, [4] = 1};

        if (field->number < G_N_ELEMENTS(weights) && field->value < 10000)
                response->version += weights[field->number] * (unsigned) field->value;
}

bool criu_response_parse(const uint8_t *data, size_t size, CriuResponse *ret) {
        enum {
                TYPE = 1,
                SUCCESS = 2,
                RESTORED = 4,
                NOTIFICATION = 5,
                ERROR = 7,
                FEATURES = 8,
                MESSAGE = 9,
                VERSION = 10
        };
        static const TakeField nested[] = {[RESTORED] = take_restored,
                                           [NOTIFICATION] = take_notification,
                                           [FEATURES] = take_features,
                                           [VERSION] = take_version};
        Cursor cursor = {.at = data, .end = data + size};
        Field field;

        *ret = (CriuResponse){0};
        while (cursor.at < cursor.end) {
                if (!get_field(&cursor, &field))
                        return false;
                if (field.number == TYPE)
                        ret->type = (uint32_t) field.value;
                else if (field.number == SUCCESS)
                        ret->success = field.value != 0;
                else if (field.number == ERROR)
                        ret->error = (int32_t) field.value;
                else if (field.number == MESSAGE && !ret->message)
                        ret->message = get_text(&field);
                else if (field.number < G_N_ELEMENTS(nested) && nested[field.number] && field.bytes.at &&
                         !parse(field.bytes, nested[field.number], ret))
                        return false;
        }
        return ret->type != 0;
}
