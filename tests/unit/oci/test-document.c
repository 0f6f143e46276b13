/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which texts are JSON: a table of texts with the error, or without one, and what strings turn into. */

#include "oci/document.h"

#include <string.h>

static const struct {
        const char *text;
        const char *error; /* NULL: it is JSON */
} texts[] = {
        {"{}",                                                         NULL                                                                                  },
        {" \t\r\n[ ] ",                                                NULL                                                                                  },
        {"null",                                                       NULL                                                                                  },
        {"17",                                                         NULL                                                                                  },
        {"[true,false,null]",                                          NULL                                                                                  },
        {"{\"a\":{\"b\":[{}]}}",                                       NULL                                                                                  },
        {"[0,-0,1.5,1e3,1E+2,-1.0e-5,123456789012345678901234567890]", NULL                                                                                  },
        {"[\"\\u00e9\\ud83d\\ude00\\/\\b\"]",                          NULL                                                                                  },
        {"\"\xf4\x8f\xbf\xbf\"",                                       NULL                                                                                  },
        {"{\"a\":1,\"A\":1}",                                          NULL                                                                                  },
        {"",                                                           "line 1, column 1: the text is empty"                                                 },
        {" \n ",                                                       "line 2, column 2: the text ends where a value is expected"                           },
        {"{",                                                          "line 1, column 2: the text ends where a property's name in double quotes is expected"},
        {"[",                                                          "line 1, column 2: the text ends where a value is expected"                           },
        {"[1",                                                         "line 1, column 3: the text ends where ',' or ']' is expected"                        },
        {"[1}",                                                        "line 1, column 3: '}' where ',' or ']' is expected"                                  },
        {"{]",                                                         "line 1, column 2: ']' where a property's name in double quotes is expected"          },
        {"{\"a\"}",                                                    "line 1, column 5: '}' where ':' is expected"                                         },
        {"{\"a\":}",                                                   "line 1, column 6: '}' where a value is expected"                                     },
        {"{\"a\":1,}",                                                 "line 1, column 8: '}' where a property's name in double quotes is expected"          },
        {"{\"a\":1 \"b\":2}",                                          "line 1, column 8: '\"' where ',' or '}' is expected"                                 },
        {"{a:1}",                                                      "line 1, column 2: 'a' where a property's name in double quotes is expected"          },
        {"[1,]",                                                       "line 1, column 4: ']' where a value is expected"                                     },
        {"[,1]",                                                       "line 1, column 2: ',' where a value is expected"                                     },
        {"{} x",                                                       "line 1, column 4: 'x' where the end of the text is expected"                         },
        {"{}{}",                                                       "line 1, column 3: '{' where the end of the text is expected"                         },
        {"{\"a\":1,\"b\":2,\"a\":3}",                                  "line 1, column 14: the property 'a' stands here a second time"                       },
        {"{\"a\":1,\"\\u0061\":2}",                                    "line 1, column 8: the property 'a' stands here a second time"                        },
        {"['a']",                                                      "line 1, column 2: ''' where a value is expected"                                     },
        {"/* c */ {}",                                                 "line 1, column 1: '/' where a value is expected"                                     },
        {"var x = 1",                                                  "line 1, column 1: 'v' where a value is expected"                                     },
        {"[tru]",                                                      "line 1, column 2: 't' where a value is expected"                                     },
        {"[TRUE]",                                                     "line 1, column 2: 'T' where a value is expected"                                     },
        {"[truex]",                                                    "line 1, column 6: 'x' where ',' or ']' is expected"                                  },
        {"[NaN]",                                                      "line 1, column 2: 'N' where a value is expected"                                     },
        {"[01]",                                                       "line 1, column 2: not a JSON number"                                                 },
        {"[-]",                                                        "line 1, column 2: not a JSON number"                                                 },
        {"[1.]",                                                       "line 1, column 2: not a JSON number"                                                 },
        {"[1e]",                                                       "line 1, column 2: not a JSON number"                                                 },
        {"[1e+]",                                                      "line 1, column 2: not a JSON number"                                                 },
        {"1e",                                                         "line 1, column 1: not a JSON number"                                                 },
        {"[.5]",                                                       "line 1, column 2: '.' where a value is expected"                                     },
        {"[+1]",                                                       "line 1, column 2: '+' where a value is expected"                                     },
        {"[0x10]",                                                     "line 1, column 3: 'x' where ',' or ']' is expected"                                  },
        {"[1 2]",                                                      "line 1, column 4: '2' where ',' or ']' is expected"                                  },
        {"\"a",                                                        "line 1, column 1: a string without an end"                                           },
        {"\"a\\",                                                      "line 1, column 4: a string without an end"                                           },
        {"\"a\\\"",                                                    "line 1, column 1: a string without an end"                                           },
        {"\"a\nb\"",                                                   "line 1, column 3: a control character in a string"                                   },
        {"\"a\tb\"",                                                   "line 1, column 3: a control character in a string"                                   },
        {"\"\\x\"",                                                    "line 1, column 2: an unknown escape sequence"                                        },
        {"\"\\u12\"",                                                  "line 1, column 4: \\u needs four hexadecimal digits"                                 },
        {"\"\\u12g4\"",                                                "line 1, column 4: \\u needs four hexadecimal digits"                                 },
        {"\"\\u",                                                      "line 1, column 4: \\u needs four hexadecimal digits"                                 },
        {"\"a\\u0000b\"",                                              "line 1, column 5: a NUL character (\\u0000) in a string"                             },
        {"\"\\ud800\"",                                                "line 1, column 4: half of a surrogate pair"                                          },
        {"\"\\ud800\\u0041\"",                                         "line 1, column 4: half of a surrogate pair"                                          },
        {"\"\\udc00\\ud800\"",                                         "line 1, column 4: half of a surrogate pair"                                          },
        {"\"\\ud800\\u",                                               "line 1, column 4: half of a surrogate pair"                                          },
        {"\xef\xbb\xbf{}",                                             "line 1, column 1: a byte order mark, which JSON does not have"                       },
        {"[\n\"\xff\"]",                                               "line 2, column 2: not valid UTF-8"                                                   },
        {"\"\xc0\x80\"",                                               "line 1, column 2: not valid UTF-8"                                                   },
        {"\"\xed\xa0\x80\"",                                           "line 1, column 2: not valid UTF-8"                                                   },
        {"[\"é\", x]",                                                "line 1, column 7: 'x' where a value is expected"                                     },
        {"[\x7f]",                                                     "line 1, column 2: a value expected"                                                  },
};

static void test_texts(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
                /* No byte behind the text that a careless reader could take for an end: the sanitizer sees
                 * it. */
                size_t size = strlen(texts[i].text);
                g_autofree char *copy = g_memdup2(texts[i].text, size);
                g_autoptr(GError) error = NULL;
                g_autoptr(Document) document = document_parse(copy, size, &error);

                g_assert_cmpstr(error ? error->message : NULL, ==, texts[i].error);
                g_assert_true((document != NULL) == (texts[i].error == NULL));
        }
}

static void test_nul_byte(void) {
        g_autoptr(GError) error = NULL;

        g_assert_null(document_parse("{}\0{}", 5, &error));
        g_assert_cmpstr(error->message, ==, "line 1, column 3: not valid UTF-8");
}

static void test_tree(void) {
        static const char text[] =
                "{\"k\\ney\": [\"a\\u00e9\\ud83d\\ude00\\\"z\", -12.5e1, {}], \"b\": true}";
        g_autoptr(Document) document = document_parse(text, strlen(text), NULL);
        const DocumentNode *root = document_root(document), *array = root->first, *item = array->first;

        g_assert_cmpint(root->kind, ==, DOCUMENT_OBJECT);
        g_assert_cmpuint(root->n, ==, 2);
        g_assert_cmpstr(array->key, ==, "k\ney");
        g_assert_cmpuint(array->n, ==, 3);
        g_assert_cmpstr(item->text, ==, "aé😀\"z");
        g_assert_cmpuint(item->size, ==, strlen("aé😀\"z"));
        g_assert_cmpint(item->next->kind, ==, DOCUMENT_NUMBER);
        g_assert_cmpint(strncmp(item->next->text, "-12.5e1", item->next->size), ==, 0);
        g_assert_cmpuint(item->next->size, ==, 7);
        g_assert_cmpint(item->next->next->kind, ==, DOCUMENT_OBJECT);
        g_assert_null(item->next->next->next);
        g_assert_cmpint(array->next->kind, ==, DOCUMENT_TRUE);
}

/* More keys than are compared one by one. */
static void test_many_keys(void) {
        g_autoptr(GString) text = g_string_new("{");
        g_autoptr(Document) document = NULL;
        g_autoptr(GError) error = NULL;

        for (int i = 0; i < 1000; i++)
                g_string_append_printf(text, "%s\"key%d\":%d", i > 0 ? "," : "", i, i);
        g_string_append_c(text, '}');
        document = document_parse(text->str, text->len, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(document_root(document)->n, ==, 1000);

        g_string_truncate(text, text->len - 1);
        g_string_append(text, ",\"key3\":0}");
        g_assert_null(document_parse(text->str, text->len, &error));
        g_assert_true(g_str_has_suffix(error->message, "the property 'key3' stands here a second time"));
}

static void test_depth(void) {
        static const struct {
                int depth;
                bool taken;
        } rows[] = {
                {1,      true },
                {64,     true },
                {65,     false},
                {100000, false},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GString) text = g_string_new(NULL);
                g_autoptr(Document) document = NULL;

                for (int k = 0; k < rows[i].depth; k++)
                        g_string_append_c(text, '[');
                for (int k = 0; k < rows[i].depth; k++)
                        g_string_append_c(text, ']');
                document = document_parse(text->str, text->len, NULL);
                g_assert_true((document != NULL) == rows[i].taken);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/document/texts", test_texts);
        g_test_add_func("/document/nul-byte", test_nul_byte);
        g_test_add_func("/document/tree", test_tree);
        g_test_add_func("/document/many-keys", test_many_keys);
        g_test_add_func("/document/depth", test_depth);
        return g_test_run();
}
