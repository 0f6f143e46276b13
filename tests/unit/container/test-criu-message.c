/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/criu-message.h"

#include <string.h>

static char *hex(const GByteArray *message) {
        GString *text = g_string_new(NULL);

        for (guint i = 0; i < message->len; i++)
                g_string_append_printf(text, "%02x", message->data[i]);
        return g_string_free(text, FALSE);
}

static void assert_bytes(GByteArray *message, const char *expected) {
        g_autofree char *text = hex(message);

        g_assert_cmpstr(text, ==, expected);
        g_byte_array_unref(message);
}

/* As protoc --encode writes them. */
static void test_requests(void) {
        GByteArray *options = g_byte_array_new();

        assert_bytes(criu_request(CRIU_VERSION, NULL), "080a");
        assert_bytes(criu_request_features(), "08092a0408011001");
        assert_bytes(criu_acknowledge(true), "08061801");
        criu_put_number(options, CRIU_IMAGES_DIR_FD, 300);
        criu_put_text(options, CRIU_LOG_FILE, "a.log");
        criu_put_text(options, CRIU_ROOT, NULL);
        criu_put_pair(options, CRIU_EXT_MNT, "/a", "/b");
        criu_put_pair(options, CRIU_CG_ROOT, NULL, "/c");
        criu_put_pair_number(options, CRIU_INHERIT_FD, "pipe:[1]", 1);
        assert_bytes(criu_request(CRIU_DUMP, options), "0801122b08ac025205612e6c6f67ba01080a022f6112022f62ca0"
                                                       "10412022f63da010c0a08706970653a5b315d1001");
        g_byte_array_unref(options);
}

static void test_responses(void) {
        static const uint8_t notification[] = {0x08, 0x06, 0x10, 0x01, 0x2a, 0x09, 0x0a, 0x04,
                                               'p',  'o',  's',  't',  0x10, 0xb9, 0x60};
        static const uint8_t version[] = {0x08, 0x0a, 0x10, 0x01, 0x52, 0x06,
                                          0x08, 0x03, 0x10, 0x11, 0x20, 0x01};
        static const uint8_t failure[] = {0x08, 0x01, 0x10, 0x00, 0x38, 0x02, 0x4a, 0x02, 'n', 'o'};
        g_auto(CriuResponse) response = {0};

        g_assert_true(criu_response_parse(notification, sizeof(notification), &response));
        g_assert_cmpuint(response.type, ==, CRIU_NOTIFY);
        g_assert_cmpstr(response.script, ==, "post");
        g_assert_cmpint(response.pid, ==, 12345);
        criu_response_clear(&response);
        g_assert_true(criu_response_parse(version, sizeof(version), &response));
        g_assert_cmpuint(response.version, ==, 31701);
        g_assert_true(criu_response_parse(failure, sizeof(failure), &response));
        g_assert_false(response.success);
        g_assert_cmpint(response.error, ==, 2);
        g_assert_cmpstr(response.message, ==, "no");
}

/* Whatever is cut off or changed, nothing beyond the end is read (with the sanitizers). */
static void test_damaged_responses(void) {
        static const uint8_t whole[] = {0x08, 0x06, 0x10, 0x01, 0x2a, 0x09, 0x0a, 0x04, 'p',  'o',  's', 't',
                                        0x10, 0xb9, 0x60, 0x4a, 0x02, 'n',  'o',  0x52, 0x02, 0x08, 0x03};

        for (size_t size = 0; size < sizeof(whole); size++) {
                for (unsigned change = 0; change < 256; change++) {
                        g_autofree uint8_t *data = g_malloc(size + 1);
                        g_auto(CriuResponse) response = {0};

                        memcpy(data, whole, size);
                        data[size] = (uint8_t) change;
                        criu_response_parse(data, size + 1, &response);
                }
        }
        g_auto(CriuResponse) response = {0};
        g_assert_false(criu_response_parse(whole, 5, &response));
        g_assert_false(criu_response_parse((const uint8_t *) "", 0, &response));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container/criu-message/requests", test_requests);
        g_test_add_func("/container/criu-message/responses", test_responses);
        g_test_add_func("/container/criu-message/damaged", test_damaged_responses);
        return g_test_run();
}
