/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every value of every-property.json, replaced by one of each other type, and every number by numbers that no
 * property takes: each time the error names the very place. So whatever property a config has wrong, its path
 * is told. */

#include "oci/config.h"

#include <string.h>

typedef struct Place { /* one value in the text */
        char *path;    /* as messages have it */
        char kind;     /* the first character: { [ " t (also false) 0 (a number) */
        size_t start;
        size_t end;
        bool ignored;
} Place;

typedef struct Walk {
        const char *text;
        const char *at;
        GPtrArray *places;
} Walk;

static void walk_value(Walk *walk, const char *path, bool ignored);

static void place_free(gpointer data) {
        Place *place = data;

        g_free(place->path);
        g_free(place);
}

static void walk_space(Walk *walk) {
        walk->at += strspn(walk->at, " \t\r\n");
}

/* At a quote. Returns the text as it stands there, escapes and all: no key has any. */
static char *walk_string(Walk *walk) {
        const char *start = ++walk->at;

        while (*walk->at != '"')
                walk->at += *walk->at == '\\' ? 2 : 1;
        return g_strndup(start, (gsize) (walk->at++ - start));
}

static char *path_of_key(const char *path, const char *key) {
        if (strspn(key, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-") != strlen(key))
                return g_strdup_printf("%s[\"%s\"]", path, key);
        return g_strdup_printf("%s%s%s", path, *path ? "." : "", key);
}

/* Behind the opening bracket. */
static void walk_children(Walk *walk, char kind, const char *path, bool ignored) {
        for (size_t i = 0;; i++) {
                g_autofree char *key = NULL, *child = NULL;

                walk_space(walk);
                if (strchr("]}", *walk->at))
                        break;
                if (kind == '{') {
                        key = walk_string(walk);
                        walk_space(walk);
                        g_assert_cmpint(*walk->at++, ==, ':');
                }
                child = key ? path_of_key(path, key) : g_strdup_printf("%s[%zu]", path, i);
                walk_value(walk, child, ignored || g_str_equal(child, "unknown"));
                walk_space(walk);
                if (*walk->at == ',')
                        walk->at++;
        }
        walk->at++;
}

static void walk_value(Walk *walk, const char *path, bool ignored) {
        Place *place = g_new0(Place, 1);
        g_autofree char *string = NULL;

        walk_space(walk);
        *place = (Place){.path = g_strdup(path),
                         .kind = *walk->at,
                         .start = (size_t) (walk->at - walk->text),
                         .ignored = ignored};
        g_ptr_array_add(walk->places, place);
        if (place->kind == '{' || place->kind == '[') {
                walk->at++;
                walk_children(walk, place->kind, path, ignored);
        } else if (place->kind == '"')
                string = walk_string(walk);
        else {
                walk->at += strcspn(walk->at, ",]} \n");
                place->kind = strchr("tf", place->kind) ? 't' : place->kind == 'n' ? 'n' : '0';
        }
        place->end = (size_t) (walk->at - walk->text);
}

static void assert_replaced(const char *text, const Place *place, const char *value) {
        g_autofree char *start = g_strndup(text, place->start);
        g_autofree char *replaced = g_strconcat(start, value, text + place->end, NULL);
        g_autofree char *expected =
                g_strdup_printf("config.json: %s%s", place->path, *place->path ? ": " : "");
        g_autoptr(GError) error = NULL;
        g_autoptr(OciConfig) config = oci_config_parse(replaced, strlen(replaced), "config.json", &error);

        g_test_message("%s: %s", place->path, value);
        if (place->ignored) {
                g_assert_no_error(error);
                return;
        }
        g_assert_null(config);
        if (!g_str_has_prefix(error->message, expected))
                g_error("'%s' does not name %s", error->message, place->path);
        g_assert_null(strchr(error->message, '\n'));
}

static void test_types(void) {
        static const struct {
                char kind;
                const char *value;
        } others[] = {
                {'{', "{}"               },
                {'[', "[]"               },
                {'"', "\"x\""            },
                {'t', "true"             },
                {'t', "false"            },
                {'n', "null"             },
                {'0', "3"                },
                {0,   "[[[[[[{}]]]]]]"   },
                {0,   "{\"x\":{\"x\":1}}"},
        };
        static const char *const numbers[] = {
                "1e400",
                "-1e-400",
                "0.5",
                "-9223372036854775809",
                "18446744073709551616",
                "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
        };
        g_autofree char *path = g_test_build_filename(G_TEST_DIST, "every-property.json", NULL);
        g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(place_free);
        g_autofree char *text = NULL;
        Walk walk = {.places = places};

        g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
        walk.text = walk.at = text;
        walk_value(&walk, "", false);
        g_assert_cmpuint(places->len, >, 250);
        for (guint i = 0; i < places->len; i++) {
                const Place *place = g_ptr_array_index(places, i);

                for (size_t k = 0; k < G_N_ELEMENTS(others); k++)
                        if (place->kind != (others[k].kind ? others[k].kind : others[k].value[0]))
                                assert_replaced(text, place, others[k].value);
                for (size_t k = 0; k < G_N_ELEMENTS(numbers) && place->kind == '0'; k++)
                        assert_replaced(text, place, numbers[k]);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/config-types/every-property", test_types);
        return g_test_run();
}
