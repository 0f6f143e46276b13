/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <string.h>

#include "unit/bus.h"
#include "unit/name.h"

static void test_service_names_are_escaped(void) {
        static const struct {
                const char *prefix, *name, *unit;
        } rows[] = {
                {"libpod",  "0123abcd",    "libpod-0123abcd.service"                   },
                {NULL,      "web",         "web.service"                               },
                {"",        "web",         "web.service"                               },
                {"unitrun", "a-b_c.d:e",   "unitrun-a-b_c.d:e.service"                 },
                {"unitrun", "a+b",         "unitrun-a\\x2bb.service"                   },
                {"unitrun", "a b",         "unitrun-a\\x20b.service"                   },
                {"unitrun", "a/b",         "unitrun-a\\x2fb.service"                   },
                {"unitrun", "a@b",         "unitrun-a\\x40b.service"                   },
                {"unitrun", "a\\x2bb",     "unitrun-a\\x5cx2bb.service"                },
                {"p q",     "ü",          "p\\x20q-\\xc3\\xbc.service"                },
                {"unitrun", "x.service",   "unitrun-x.service.service"                 },
                {"unitrun", "a%n$HOME'\"", "unitrun-a\\x25n\\x24HOME\\x27\\x22.service"},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;
                g_autofree char *unit = unit_name_service(rows[i].prefix, rows[i].name, &error);

                g_assert_no_error(error);
                g_assert_cmpstr(unit, ==, rows[i].unit);
        }
}

static void test_impossible_service_names_are_refused(void) {
        g_autofree char *longest = g_strnfill(255 - strlen("p-.service"), 'a');
        g_autofree char *too_long = g_strconcat(longest, "a", NULL);
        const struct {
                const char *name, *message;
        } rows[] = {
                {"",        "*empty*"           },
                {"x.slice", "*'x.slice'*service"},
                {".slice",  "*'.slice'*"        },
                {too_long,  "*255*"             },
        };
        g_autofree char *unit = unit_name_service("p", longest, NULL);

        g_assert_cmpint(strlen(unit), ==, 255);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(unit_name_service("p", rows[i].name, &error));
                if (!g_pattern_match_simple(rows[i].message, error->message))
                        g_error("%s: %s", rows[i].name, error->message);
        }
}

static void test_slices(void) {
        static const struct {
                const char *text;
                bool good;
                const char *slice;
        } rows[] = {
                {"",                        true,  NULL                },
                {"-",                       true,  "-.slice"           },
                {"-.slice",                 true,  "-.slice"           },
                {"machine.slice",           true,  "machine.slice"     },
                {"my-foo-group.slice",      true,  "my-foo-group.slice"},
                {"a\\x2db.slice",           true,  "a\\x2db.slice"     },
                {"-a.slice",                false, NULL                },
                {"a-.slice",                false, NULL                },
                {"a--b.slice",              false, NULL                },
                {"--.slice",                false, NULL                },
                {".slice",                  false, NULL                },
                {"user.slice/user-0.slice", false, NULL                },
                {"/a.slice",                false, NULL                },
                {"foo",                     false, NULL                },
                {"a.scope",                 false, NULL                },
                {"..",                      false, NULL                },
                {"a b.slice",               false, NULL                },
                {"a@b.slice",               false, NULL                },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;
                g_autofree char *slice = NULL;
                bool good = unit_name_slice(rows[i].text, &slice, &error);

                g_assert_cmpint(good, ==, rows[i].good);
                g_assert_cmpstr(slice, ==, rows[i].slice);
                if (!good)
                        g_assert_nonnull(strstr(error->message, rows[i].text));
        }
}

static void test_triples(void) {
        static const struct {
                const char *triple, *unit, *slice;
        } rows[] = {
                {"machine.slice:libpod:abc", "libpod-abc.service", "machine.slice"},
                {":pre:a",                   "pre-a.service",      NULL           },
                {"-:pre:a",                  "pre-a.service",      "-.slice"      },
                {"system.slice::a",          "a.service",          "system.slice" },
        };
        static const char *const bad[] = {"abc",        "a:b",     "a.slice:b:c:d",
                                          "a.slice:b:", "foo:p:a", "a.slice:p:x.slice"};

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *unit = NULL, *slice = NULL;

                g_assert_true(unit_name_from_triple(rows[i].triple, &unit, &slice, NULL));
                g_assert_cmpstr(unit, ==, rows[i].unit);
                g_assert_cmpstr(slice, ==, rows[i].slice);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
                g_autoptr(GError) error = NULL;
                char *unit = NULL, *slice = NULL;

                g_assert_false(unit_name_from_triple(bad[i], &unit, &slice, &error));
                g_assert_nonnull(strstr(error->message, bad[i]));
                g_assert_null(unit);
        }
}

static void test_managers_have_names(void) {
        UnitManager manager;

        g_assert_true(unit_manager_from_string("user", &manager));
        g_assert_cmpint(manager, ==, UNIT_MANAGER_USER);
        g_assert_true(unit_manager_from_string("system", &manager));
        g_assert_cmpstr(unit_manager_to_string(manager), ==, "system");
        g_assert_false(unit_manager_from_string("", &manager));
}

static void test_a_bus_that_is_not_there_comes_with_a_hint(void) {
        g_autoptr(GError) error = NULL;

        g_setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", TRUE);
        g_assert_null(unit_bus_connect(UNIT_MANAGER_USER, &error));
        g_assert_nonnull(strstr(error->message, "/nonexistent"));
        g_assert_nonnull(strstr(error->message, "loginctl enable-linger"));
        g_clear_error(&error);

        g_unsetenv("DBUS_SESSION_BUS_ADDRESS");
        g_unsetenv("XDG_RUNTIME_DIR");
        g_assert_null(unit_bus_connect(UNIT_MANAGER_USER, &error));
        g_assert_nonnull(strstr(error->message, "XDG_RUNTIME_DIR"));
        g_clear_error(&error);

        /* The ordinary address says nothing, and the private socket is tried after it. */
        g_setenv("XDG_RUNTIME_DIR", "/nonexistent/1", TRUE);
        g_setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/1/bus,guid=0", TRUE);
        g_assert_null(unit_bus_connect(UNIT_MANAGER_USER, &error));
        g_assert_nonnull(strstr(error->message, "/nonexistent/1/bus"));
        g_assert_nonnull(
                strstr(strstr(error->message, "/nonexistent/1/bus"), "/nonexistent/1/systemd/private"));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/unit/name/service", test_service_names_are_escaped);
        g_test_add_func("/unit/name/impossible", test_impossible_service_names_are_refused);
        g_test_add_func("/unit/name/slice", test_slices);
        g_test_add_func("/unit/name/triple", test_triples);
        g_test_add_func("/unit/bus/manager", test_managers_have_names);
        g_test_add_func("/unit/bus/hint", test_a_bus_that_is_not_there_comes_with_a_hint);
        return g_test_run();
}
