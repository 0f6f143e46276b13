/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The syntax of unit files, words of command lines, and limits as lines. */

#include <string.h>

#include "generator/property-line.h"
#include "generator/unit-file.h"
#include "generator/words.h"

static char *describe(const char *text, GError **error) {
        g_autoptr(UnitFile) file = unit_file_new();
        GString *lines;

        if (!unit_file_parse(file, text, strlen(text), "f", error))
                return NULL;
        lines = g_string_new(NULL);
        for (guint i = 0; i < file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(file->lines, i);

                g_string_append_printf(lines, "%s %s/%s=%s|", line->place, line->section, line->key,
                                       line->value);
        }
        return g_string_free(lines, FALSE);
}

static void test_syntax(void) {
        static const struct {
                const char *text, *lines;
        } rows[] = {
                {"",                                               ""                           },
                {"# c\n; c\n\n[A]\nb=c\n",                         "f:5 A/b=c|"                 },
                {"[A]\n  b =  c d  \nb=",                          "f:2 A/b=c d|f:3 A/b=|"      },
                {"[A]\r\nb=c\r\n",                                 "f:2 A/b=c|"                 },
                {"[A]\nb=c \\\n  d\\\n# left out\n;too\ne\nf=g\n", "f:2 A/b=c    d e|f:7 A/f=g|"},
                {"[A]\nb=c\\\\\nd=e",                              "f:2 A/b=c\\\\|f:3 A/d=e|"   },
                {"[A]\nb=c\\\\\\\n\nd=e",                          "f:2 A/b=c\\\\|f:4 A/d=e|"   },
                {"[A]\nb=c\\",                                     "f:2 A/b=c|"                 },
                {"[A]\nb=c=d\n[X-B C]\nb==",                       "f:2 A/b=c=d|f:4 X-B C/b==|" },
                {"[A]\nä=ö\n",                                   "f:2 A/ä=ö|"               },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;
                g_autofree char *lines = describe(rows[i].text, &error);

                g_assert_no_error(error);
                g_assert_cmpstr(lines, ==, rows[i].lines);
        }
}

static void test_syntax_errors(void) {
        static const struct {
                const char *text, *message;
        } rows[] = {
                {"a=b",         "f:1: 'a=b' stands before the first section"  },
                {"[A]\nb",      "f:2: 'b' is not an assignment, 'Key=value'"  },
                {"[A]\n\n=b",   "f:3: '=b' is not an assignment, 'Key=value'" },
                {"[A\n",        "f:1: '[A' is not a section, '[Name]'"        },
                {"[]\n",        "f:1: '[]' is not a section, '[Name]'"        },
                {"[A]]\n",      "f:1: '[A]]' is not a section, '[Name]'"      },
                {"[A]\nb\\\nc", "f:2: 'b c' is not an assignment, 'Key=value'"},
                {"[A]\nb=\xff", "f: byte 6 is not UTF-8"                      },
        };
        g_autoptr(UnitFile) file = unit_file_new();
        g_autoptr(GError) nul_error = NULL;

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(describe(rows[i].text, &error));
                g_assert_cmpstr(error->message, ==, rows[i].message);
        }
        g_assert_false(unit_file_parse(file, "[A]\nb=\0c", 8, "f", &nul_error));
        g_assert_cmpstr(nul_error->message, ==, "f: there is a NUL byte in it");
}

static void test_words(void) {
        static const struct {
                const char *value, *words; /* separated by '|' */
        } rows[] = {
                {"",                                        ""                                 },
                {" a  b\tc ",                               "a|b|c"                            },
                {"'a b' \"c d\"",                           "a b|c d"                          },
                {"a\"b c\"d 'e'f",                          "ab cd|ef"                         },
                {"'' a",                                    "|a"                               },
                {"\"a'b\" 'c\"d'",                          "a'b|c\"d"                         },
                {"\\x41\\101\\u00e4\\U0001F600 a\\sb \\\"", "AA\303\244\360\237\230\200|a b|\""},
                {"\"a\\\\b\\n\"",                           "a\\b\n"                           },
                {"a\f\vb c",                                "a\f\vb|c"                         },
                {"$HOME %n ; a;b",                          "$HOME|%n|;|a;b"                   },
        };
        static const struct {
                const char *value, *message;
        } bad[] = {
                {"'a",       "a quote (') is not closed"    },
                {"a \"b' c", "a quote (\") is not closed"   },
                {"\\q",      "unknown escape sequence '\\q'"},
                {"\\x4",     "unknown escape sequence '\\x'"},
                {"\\x00",    "unknown escape sequence '\\x'"},
                {"\\777",    "unknown escape sequence '\\7'"},
                {"a\\",      "unknown escape sequence '\\'" },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_auto(GStrv) words = words_split(rows[i].value, NULL);
                g_autofree char *joined = words ? g_strjoinv("|", words) : NULL;

                g_assert_cmpstr(joined, ==, rows[i].words);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(words_split(bad[i].value, &error));
                g_assert_cmpstr(error->message, ==, bad[i].message);
        }
}

/* What is quoted reads back as it was. */
static void test_quotes(void) {
        static const struct {
                const char *word, *quoted;
        } rows[] = {
                {"--env=A=b", "--env=A=b"           },
                {"",          "\"\""                },
                {"a b",       "\"a b\""             },
                {";",         "\";\""               },
                {"a\"b\\c",   "\"a\\\"b\\\\c\""     },
                {"a\nb\tc",   "\"a\\x0ab\\x09c\""   },
                {"$HOME",     "\"$HOME\""           },
                {"%i",        "%i"                  },
                {"#",         "\"#\""               },
                {"a\x82ä",   "\"a\\x82\\xc3\\xa4\""},
                {"ä",        "\"ä\""              },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *quoted = words_quote(rows[i].word);
                g_auto(GStrv) words = words_split(quoted, NULL);

                g_assert_cmpstr(quoted, ==, rows[i].quoted);
                g_assert_cmpstr(words[0], ==, rows[i].word);
                g_assert_null(words[1]);
        }
}

static void test_properties(void) {
        static const struct {
                const char *name, *value, *line;
        } rows[] = {
                {"MemoryMax",          "uint64 1048576",                               "MemoryMax=1048576\n"        },
                {"MemoryMax",          "uint64 18446744073709551615",                  "MemoryMax=infinity\n"       },
                {"CPUQuotaPerSecUSec", "uint64 300000",                                "CPUQuota=30.00%\n"          },
                {"CPUQuotaPerSecUSec", "uint64 1234500",                               "CPUQuota=123.45%\n"         },
                {"CPUQuotaPerSecUSec", "uint64 18446744073709551615",                  "CPUQuota=\n"                },
                {"CPUQuotaPeriodUSec", "uint64 50000",                                 "CPUQuotaPeriodSec=50000us\n"},
                {"AllowedCPUs",        "[byte 0x0b, 0x80]",                            "AllowedCPUs=0 1 3 15\n"     },
                {"IOReadBandwidthMax", "[('/dev/sda', uint64 1000), ('/dev/sdb', 5)]",
                 "IOReadBandwidthMax=/dev/sda 1000\nIOReadBandwidthMax=/dev/sdb 5\n"                                },
                {"Delegate",           "true",                                         ""                           },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GVariant) value = g_variant_parse(NULL, rows[i].value, NULL, NULL, NULL);
                GString *text = g_string_new(NULL);

                property_line_add(text, rows[i].name, value);
                g_assert_cmpstr(text->str, ==, rows[i].line);
                g_string_free(text, TRUE);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/unit-file/syntax", test_syntax);
        g_test_add_func("/unit-file/syntax-errors", test_syntax_errors);
        g_test_add_func("/words/split", test_words);
        g_test_add_func("/words/quote", test_quotes);
        g_test_add_func("/property-line", test_properties);
        return g_test_run();
}
