/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state as JSON, compared as text. The pretty form is compared by reading it back with our own reader:
 * the generator's spaces are its own business. */

#include "oci/state.h"

#include <string.h>

#include "oci/document.h"

static const struct {
        const char *name;
        OciState state;
        const char *expected;
} hook_rows[] = {
        {"running",
         {.id = "web", .status = "running", .pid = 42, .bundle = "/b/web"},
         "{\"ociVersion\":\"1.3.0\",\"id\":\"web\",\"status\":\"running\",\"pid\":42,\"bundle\":\"/b/web\"}"},
        {"stopped",
         {.id = "web", .status = "stopped", .bundle = "/b/web", .rootfs = "/r", .owner = "root", .unit = "u"},
         "{\"ociVersion\":\"1.3.0\",\"id\":\"web\",\"status\":\"stopped\",\"bundle\":\"/b/web\"}"           },
        {"escapes",
         {.id = "web", .status = "stopped", .bundle = "/b \"q\" \\ \n \xc3\xa9"},
         "{\"ociVersion\":\"1.3.0\",\"id\":\"web\",\"status\":\"stopped\",\"bundle\":\"/b \\\"q\\\" \\\\ \\n "
         "\xc3\xa9\"}"                                                                                      },
};

static void test_hook(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(hook_rows); i++) {
                g_autofree char *text = oci_state_for_hook(&hook_rows[i].state);

                g_test_message("%s", hook_rows[i].name);
                g_assert_cmpstr(text, ==, hook_rows[i].expected);
        }
}

static void test_hook_annotations(void) {
        OciPair items[] = {
                {(char *) "io.z/a", (char *) "https://x/y"},
                {(char *) "b",      (char *) ""           },
        };
        const OciPairs annotations = {.items = items, .n = G_N_ELEMENTS(items)};
        const OciState state = {
                .id = "a", .status = "created", .pid = 1, .bundle = "/", .annotations = &annotations};
        g_autofree char *text = oci_state_for_hook(&state);

        g_assert_cmpstr(
                text, ==,
                "{\"ociVersion\":\"1.3.0\",\"id\":\"a\",\"status\":\"created\",\"pid\":1,\"bundle\":\"/\","
                "\"annotations\":{\"io.z/a\":\"https://x/y\",\"b\":\"\"}}");
}

static void test_pretty(void) {
        static const struct {
                const char *key, *value;
        } expected[] = {
                {"ociVersion",  "1.3.0"                         },
                {"id",          "web"                           },
                {"pid",         "0"                             },
                {"status",      "stopped"                       },
                {"bundle",      "/b"                            },
                {"rootfs",      "/b/r\xef\xbf\xbd"              },
                {"created",     "2026-01-02T03:04:05.000000006Z"},
                {"owner",       ""                              },
                {"systemdUnit", "web.service"                   },
        };
        const OciState state = {.id = "web",
                                .status = "stopped",
                                .bundle = "/b",
                                .rootfs = "/b/r\xff",
                                .created = "2026-01-02T03:04:05.000000006Z",
                                .owner = "",
                                .unit = "web.service"};
        g_autofree char *text = oci_state_to_json(&state);
        g_autoptr(GError) error = NULL;
        g_autoptr(Document) document = document_parse(text, strlen(text), &error);
        const DocumentNode *member;
        size_t i = 0;

        g_assert_no_error(error);
        g_assert_nonnull(strchr(text, '\n'));
        for (member = document_root(document)->first; member; member = member->next, i++) {
                g_autofree char *value = g_strndup(member->text, member->size);

                g_assert_cmpuint(i, <, G_N_ELEMENTS(expected));
                g_assert_cmpstr(member->key, ==, expected[i].key);
                g_assert_cmpstr(value, ==, expected[i].value);
        }
        g_assert_cmpuint(i, ==, G_N_ELEMENTS(expected));
}

static void test_states(void) {
        const OciState a = {
                .id = "a", .status = "running", .pid = 7, .bundle = "/b", .rootfs = "/r", .created = "T"};
        const OciState b = {.id = "b", .status = "stopped", .bundle = "/b", .rootfs = "/r", .created = "T"};
        const OciState *const states[] = {&a, &b};
        g_autofree char *none = oci_states_to_json(NULL, 0), *two = oci_states_to_json(states, 2);

        g_assert_cmpstr(none, ==, "[]");
        g_assert_cmpstr(
                two, ==,
                "[{\"ociVersion\":\"" OCI_VERSION
                "\",\"id\":\"a\",\"pid\":7,\"status\":\"running\",\"bundle\":\"/b\","
                "\"rootfs\":\"/r\",\"created\":\"T\",\"owner\":\"\"},{\"ociVersion\":\"" OCI_VERSION
                "\",\"id\":\"b\",\"pid\":0,\"status\":\"stopped\",\"bundle\":\"/b\",\"rootfs\":\"/r\","
                "\"created\":\"T\",\"owner\":\"\"}]");
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/state/hook", test_hook);
        g_test_add_func("/state/hook-annotations", test_hook_annotations);
        g_test_add_func("/state/pretty", test_pretty);
        g_test_add_func("/state/several", test_states);
        return g_test_run();
}
