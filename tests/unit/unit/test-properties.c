/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <string.h>
#include <sys/socket.h>

#include "unit/properties.h"
#include "unit/unit.h"

static void test_values_replace_in_place_and_lists_grow(void) {
        g_autoptr(PropertySet) set = property_set_new();
        g_autoptr(PropertySet) more = property_set_new();
        g_autofree char *printed = NULL;

        property_set_put_string(set, "A", "x");
        property_set_put_bool(set, "B", true);
        property_set_put_int32(set, "C", -1);
        property_set_put_string(set, "A", "y");
        property_set_append(set, "D", g_variant_new_strv((const char *const[]){"1"}, 1));
        property_set_append(set, "D", g_variant_new_strv((const char *const[]){"2"}, 1));
        property_set_put_uint64(more, "C", UINT64_MAX);
        property_set_put_string(more, "E", "é");
        property_set_put_all(set, more);
        property_set_remove(set, "B");
        property_set_remove(set, "B");
        property_set_append_command(set, "Exec", (const char *const[]){"/a$b/c", "$$", NULL});

        g_assert_null(property_set_find(set, "B"));
        g_assert_cmpint(property_set_get_n(set), ==, 5);
        printed = property_set_print(set);
        g_assert_cmpstr(printed, ==,
                        "A='y'\nC=uint64 18446744073709551615\nD=['1', '2']\nE='é'\n"
                        "Exec=[('/a$b/c', ['/a$$b/c', '$$$$'], false)]\n");
}

/* Read back as sd-bus understands it, every type that a property of systemd has. */
static void test_every_type_gets_into_a_message(void) {
        static const struct {
                const char *text, *type;
        } rows[] = {
                {"true",                                   "b"      },
                {"byte 0xff",                              "y"      },
                {"int16 -3",                               "n"      },
                {"uint16 3",                               "q"      },
                {"-5",                                     "i"      },
                {"uint32 5",                               "u"      },
                {"int64 -5",                               "x"      },
                {"uint64 5",                               "t"      },
                {"2.5",                                    "d"      },
                {"'text'",                                 "s"      },
                {"objectpath '/a'",                        "o"      },
                {"signature 'as'",                         "g"      },
                {"@as []",                                 "as"     },
                {"['a', 'b']",                             "as"     },
                {"[b'a', b'b']",                           "aay"    },
                {"[uint64 1, 2]",                          "at"     },
                {"@ay []",                                 "ay"     },
                {"[true, false]",                          "ab"     },
                {"[('/bin/x', ['x', 'y'], true)]",         "a(sasb)"},
                {"([3], @ai [])",                          "(aiai)" },
                {"@a{sv} {'a': <uint64 1>, 'b': <['x']>}", "a{sv}"  },
        };
        g_autoptr(UnitBus) bus = NULL;
        int fds[2];

        g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
        bus = unit_bus_new_for_fd(UNIT_MANAGER_SYSTEM, fds[0], NULL);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                sd_bus_message *message = unit_bus_message(bus, "X", NULL);
                g_autoptr(PropertySet) set = property_set_new();
                g_autoptr(GVariant) value = g_variant_parse(NULL, rows[i].text, NULL, NULL, NULL);
                const char *name, *contents;

                g_assert_nonnull(value);
                property_set_put(set, "N", value);
                g_assert_cmpint(property_set_append_message(set, message), >=, 0);
                g_assert_cmpint(sd_bus_message_seal(message, 1, 0), >=, 0);
                g_assert_cmpstr(sd_bus_message_get_signature(message, TRUE), ==, "a(sv)");
                g_assert_cmpint(sd_bus_message_enter_container(message, 'a', "(sv)"), >, 0);
                g_assert_cmpint(sd_bus_message_enter_container(message, 'r', "sv"), >, 0);
                g_assert_cmpint(sd_bus_message_read(message, "s", &name), >, 0);
                g_assert_cmpstr(name, ==, "N");
                g_assert_cmpint(sd_bus_message_peek_type(message, NULL, &contents), >, 0);
                g_assert_cmpstr(contents, ==, rows[i].type);
                /* and out of it */
                g_autoptr(GVariant) boxed = variant_read_message(message);
                g_assert_nonnull(boxed);
                g_autoptr(GVariant) back = g_variant_get_variant(boxed);
                g_assert_true(g_variant_equal(back, value));
                sd_bus_message_unref(message);
        }
        close(fds[1]);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/unit/properties/set", test_values_replace_in_place_and_lists_grow);
        g_test_add_func("/unit/properties/message", test_every_type_gets_into_a_message);
        return g_test_run();
}
