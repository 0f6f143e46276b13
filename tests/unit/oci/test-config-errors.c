/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is refused, with which words: whole texts, and the table tests/data/oci/members.cases of properties
 * that are put into a small config. */

#include "oci/config.h"

#include <string.h>

/* Texts that are the whole file. */
static const struct {
        const char *text;
        const char *error;
} files[] = {
        {"",                                                    "line 1, column 1: the text is empty"                                                 },
        {"{",                                                   "line 1, column 2: the text ends where a property's name in double quotes is expected"},
        {"[]",                                                  "an object is expected, not an array"                                                 },
        {"null",                                                "an object is expected, not null"                                                     },
        {"17",                                                  "an object is expected, not a number"                                                 },
        {"{} x",                                                "line 1, column 4: 'x' where the end of the text is expected"                         },
        {"{}",                                                  "ociVersion: required, but missing"                                                   },
        {"{\"ociVersion\":\"1.0.0\"}",                          "root: required, but missing"                                                         },
        {"{\"ociVersion\":\"1.0.0\",\"root\":{}}",              "root.path: required, but missing"                                                    },
        {"{\"ociVersion\":\"1.0.0\",\"root\":{\"path\":\"\"}}", "root.path: '' is empty"                                                              },
        {"{\"ociVersion\":null}",                               "ociVersion: a string is expected, not null (leave the property out)"                 },
        {"{\"ociVersion\":17}",                                 "ociVersion: a string is expected, not a number"                                      },
        {"{\"ociVersion\":\"1\"}",                              "ociVersion: '1' is not a version (like 1.3.0, see semver.org)"                       },
        {"{\"ociVersion\":\"2.0.0\"}",                          "ociVersion: '2.0.0' is not supported (1.x is)"                                       },
};

static void assert_result(const char *text, const char *expected) {
        g_autoptr(GError) error = NULL;
        g_autoptr(OciConfig) config = oci_config_parse(text, strlen(text), "config.json", &error);
        g_autofree char *message = expected ? g_strdup_printf("config.json: %s", expected) : NULL;

        g_test_message("%.500s", text);
        g_assert_cmpstr(error ? error->message : NULL, ==, message);
        g_assert_true((config != NULL) == (expected == NULL));
}

static void test_files(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
                assert_result(files[i].text, files[i].error);
}

/* One case is a line of members and a line with the error behind a tab. */
static void test_members(void) {
        g_autofree char *path = g_test_build_filename(G_TEST_DIST, "members.cases", NULL);
        g_autofree char *content = NULL;
        g_auto(GStrv) lines = NULL;
        size_t n_cases = 0;

        g_assert_true(g_file_get_contents(path, &content, NULL, NULL));
        lines = g_strsplit(content, "\n", -1);
        for (char **line = lines; *line; line++) {
                g_autofree char *text = NULL;

                if (**line == '\0' || **line == '#')
                        continue;
                g_assert_true(line[1] && line[1][0] == '\t');
                text = g_strdup_printf("{\"ociVersion\":\"1.3.0\",\"root\":{\"path\":\"rootfs\"},%s}",
                                       line[0]);
                line++;
                assert_result(text, strcmp(*line + 1, "taken") == 0 ? NULL : *line + 1);
                n_cases++;
        }
        g_assert_cmpuint(n_cases, >, 100);
}

/* No list is so long that somebody has to work on it for minutes. */
static void test_many(void) {
        static const struct {
                const char *prefix, *item, *suffix;
                size_t max;
                const char *path;
        } rows[] = {
                {"\"process\":{\"cwd\":\"/\",\"env\":[",                           "\"A=b\"",                          "]}",  65536, "process.env"           },
                {"\"process\":{\"cwd\":\"/\",\"user\":{\"additionalGids\":[",      "1",                                "]}}", 65536,
                 "process.user.additionalGids"                                                                                                               },
                {"\"process\":{\"cwd\":\"/\",\"capabilities\":{\"bounding\":[",    "\"x\"",                            "]}}", 256,
                 "process.capabilities.bounding"                                                                                                             },
                {"\"mounts\":[",                                                   "{\"destination\":\"/x\"}",         "]",   16384, "mounts"                },
                {"\"hooks\":{\"poststart\":[",                                     "{\"path\":\"/x\"}",                "]}",  1024,  "hooks.poststart"       },
                {"\"linux\":{\"devices\":[",                                       "{\"type\":\"p\",\"path\":\"/x\"}", "]}",  4096,  "linux.devices"         },
                {"\"linux\":{\"resources\":{\"devices\":[",                        "{\"allow\":true}",                 "]}}", 4096,
                 "linux.resources.devices"                                                                                                                   },
                {"\"linux\":{\"seccomp\":{\"defaultAction\":\"A\",\"syscalls\":[",
                 "{\"names\":[\"x\"],\"action\":\"A\"}",                                                               "]}}", 8192,  "linux.seccomp.syscalls"},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GString) members = g_string_new(rows[i].prefix);
                g_autofree char *text = NULL, *longer = NULL, *error = NULL;

                for (size_t k = 0; k < rows[i].max; k++)
                        g_string_append_printf(members, "%s%s", k > 0 ? "," : "", rows[i].item);
                text = g_strdup_printf("{\"ociVersion\":\"1.3.0\",\"root\":{\"path\":\"r\"},%s%s}",
                                       members->str, rows[i].suffix);
                assert_result(text, NULL);
                longer = g_strdup_printf("{\"ociVersion\":\"1.3.0\",\"root\":{\"path\":\"r\"},%s,%s%s}",
                                         members->str, rows[i].item, rows[i].suffix);
                error = g_strdup_printf("%s: more than %zu items", rows[i].path, rows[i].max);
                assert_result(longer, error);
        }
}

/* Long values and names don't make long messages. */
static void test_long(void) {
        g_autofree char *long_text = g_strnfill(100000, 'x');
        g_autofree char *text = g_strdup_printf(
                "{\"ociVersion\":\"1.3.0\",\"root\":{\"path\":\"r\"},\"annotations\":{\"%s\":1}}", long_text);
        g_autofree char *hostname = g_strdup_printf(
                "{\"ociVersion\":\"1.3.0\",\"root\":{\"path\":\"r\"},\"hostname\":\"%s\"}", long_text);
        const char *const texts[] = {text, hostname};

        for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(oci_config_parse(texts[i], strlen(texts[i]), "config.json", &error));
                g_assert_cmpuint(strlen(error->message), <, 250);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/config-errors/files", test_files);
        g_test_add_func("/config-errors/members", test_members);
        g_test_add_func("/config-errors/many", test_many);
        g_test_add_func("/config-errors/long", test_long);
        return g_test_run();
}
