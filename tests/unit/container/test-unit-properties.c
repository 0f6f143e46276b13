/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A config in; the name of the unit and its properties as text out. */

#include <string.h>

#include "base-glib/error.h"
#include "container/unit-properties.h"

#define LONG_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static OciConfig *parse_config(const char *rest) {
        g_autofree char *quoted = g_strdelimit(g_strdup(rest), "`", '"');
        g_autofree char *text = g_strdup_printf("{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"r\"}, "
                                                "\"process\": {\"cwd\": \"/\", \"args\": [\"/bin/sh\"]}%s}",
                                                quoted);
        g_autoptr(GError) error = NULL;
        OciConfig *config = oci_config_parse(text, strlen(text), "config.json", &error);

        if (!config)
                g_error("%s: %s", quoted, error->message);
        return config;
}

static PropertySet *plan_of(const char *rest, const char *id, UnitManager manager, GError **error) {
        g_autoptr(OciConfig) config = parse_config(rest);
        g_autoptr(ResourcePlan) resources =
                resources_plan(config->linux.resources, RESOURCES_CREATE, false, NULL);
        UnitPlan plan = {
                id, "my.slice", manager, "/l/unitrun-supervisor", "/l/unitrun-hook", "/run/unitrun/x"};

        return unit_properties_plan(config, &plan, resources, error);
}

static char *printed_value(const PropertySet *set, const char *name) {
        GVariant *value = property_set_find(set, name);

        return value ? g_variant_print(value, FALSE) : g_strdup("(none)");
}

static void test_the_whole_of_a_small_container(void) {
        g_autoptr(PropertySet) set = plan_of("", "web", UNIT_MANAGER_SYSTEM, NULL);
        g_autofree char *printed = NULL;

        property_set_remove(set, "LogExtraFields");
        printed = property_set_print(set);
        g_assert_cmpstr(printed, ==,
                        "Description='Container web running sh'\n"
                        "Documentation=['man:unitrun(1)']\n"
                        "SyslogIdentifier='web'\n"
                        "Slice='my.slice'\n"
                        "Type='notify'\n"
                        "NotifyAccess='main'\n"
                        "Delegate=true\n"
                        "CollectMode='inactive-or-failed'\n"
                        "KillMode='mixed'\n"
                        "KillSignal=15\n"
                        "OOMPolicy='continue'\n"
                        "TimeoutStartUSec=uint64 18446744073709551615\n"
                        "OOMScoreAdjust=-1000\n"
                        "CPUAccounting=true\n"
                        "MemoryAccounting=true\n"
                        "TasksAccounting=true\n"
                        "IOAccounting=true\n"
                        "ExecStart=[('/l/unitrun-supervisor', ['/l/unitrun-supervisor', '/run/unitrun/x'], "
                        "false)]\n");
}

static void test_annotations_and_resources_override(void) {
        static const struct {
                const char *rest, *name, *value;
        } rows[] = {
                {", `annotations`: {`org.systemd.property.CollectMode`: `'inactive'`}",          "CollectMode",
                 "'inactive'"                                                                                                },
                {", `annotations`: {`org.systemd.property.TimeoutStopUSec`: `uint64 20000000`}",
                 "TimeoutStopUSec",                                                                                "20000000"},
                {", `annotations`: {`org.systemd.property.RuntimeMaxSec`: `2`}",                 "RuntimeMaxUSec", "2000000" },
                {", `annotations`: {`org.systemd.property.Documentation`: `['man:x(1)']`}",      "Documentation",
                 "['man:unitrun(1)', 'man:x(1)']"                                                                            },
                {", `annotations`: {`org.systemd.property.TasksMax`: `uint64 5`}",               "TasksMax",       "5"       },
                {", `annotations`: {`org.systemd.property.TasksMax`: `uint64 5`}, "
                 "`linux`: {`resources`: {`pids`: {`limit`: 7}}}",              "TasksMax",       "7"       },
                {", `linux`: {`resources`: {`unified`: {`memory.oom.group`: `1`}}}",             "OOMPolicy",      "'kill'"  },
 /* stop signals: of podman 5, of podman 4 and others, of nobody */
                {", `annotations`: {`org.systemd.property.KillSignal`: `3`, "
                 "`org.opencontainers.image.stopSignal`: `10`}",                "KillSignal",     "3"       },
                {", `annotations`: {`org.opencontainers.image.stopSignal`: `10`}",               "KillSignal",     "10"      },
                {", `annotations`: {`org.opencontainers.image.stopSignal`: `SIGQUIT`}",          "KillSignal",     "3"       },
                {", `annotations`: {`org.opencontainers.image.stopSignal`: `RTMIN+3`}",          "KillSignal",     "37"      },
                {", `annotations`: {`org.opencontainers.image.stopSignal`: `nonsense`}",         "KillSignal",     "15"      },
                {", `hooks`: {`poststart`: [{`path`: `/a`}, {`path`: `/b`}]}",                   "ExecStartPost",
                 "[('/l/unitrun-hook', ['/l/unitrun-hook', '/run/unitrun/x', '0'], false), "
                 "('/l/unitrun-hook', ['/l/unitrun-hook', '/run/unitrun/x', '1'], false)]"                                   },
                {", `hooks`: {`poststop`: [{`path`: `/a`}]}",                                    "ExecStartPost",  "(none)"  },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;
                g_autoptr(PropertySet) set = plan_of(rows[i].rest, "web", UNIT_MANAGER_SYSTEM, &error);
                g_autofree char *value = NULL;

                g_assert_no_error(error);
                value = printed_value(set, rows[i].name);
                g_assert_cmpstr(value, ==, rows[i].value);
        }
}

static void test_bad_annotations_are_named(void) {
        static const struct {
                const char *rest, *message;
        } rows[] = {
                {", `annotations`: {`org.systemd.property.User`: `'root'`}",
                 "annotations.org.systemd.property.User: "                                                                  },
                {", `annotations`: {`org.systemd.property.`: `true`}",                 "annotations.org.systemd.property.: "},
                {", `annotations`: {`org.systemd.property.Sec`: `uint64 1`}",
                 "annotations.org.systemd.property.Sec: "                                                                   },
                {", `annotations`: {`org.systemd.property.Slice`: `'no/such.slice'`}", "cgroupsPath"                        },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(plan_of(rows[i].rest, "web", UNIT_MANAGER_SYSTEM, &error));
                if (!strstr(error->message, rows[i].message))
                        g_error("%s: %s", rows[i].rest, error->message);
        }
}

static void test_a_human_recognises_the_unit(void) {
        static const struct {
                const char *rest, *id, *description, *identifier, *fields;
        } rows[] = {
                {"",                                                                                           LONG_ID, "'Container 0123456789ab running sh'",                         "'0123456789ab'",
                 "[b'CONTAINER_ID=0123456789ab', b'CONTAINER_ID_FULL=" LONG_ID "']"                                                                                                                                           },
                {", `annotations`: {`io.kubernetes.cri.container-name`: `web`, "
                 "`io.kubernetes.cri.image-name`: `docker.io/library/nginx:1`}",              LONG_ID, "'Container web (0123456789ab) of docker.io/library/nginx:1'", "'web'",
                 "[b'CONTAINER_ID=0123456789ab', b'CONTAINER_ID_FULL=" LONG_ID
                 "', b'CONTAINER_NAME=web', b'IMAGE_NAME=docker.io/library/nginx:1']"                                                                                                                                         },
                {", `annotations`: {`nerdctl/name`: `web\\\\`, `org.opencontainers.image.ref.name`: `a\\\\`}",
                 "x",                                                                                                   "'Container web  (x) of a '",                                  "'web '",
                 "[b'CONTAINER_ID=x', b'CONTAINER_ID_FULL=x', b'CONTAINER_NAME=web_', b'IMAGE_NAME=a_']"                                                                                                                      },
                {", `annotations`: {`org.opencontainers.image.ref.name`: `a\\nb c`}",                          "x",
                 "'Container x of a b c'",                                                                                                                                             "'x'",
                 "[b'CONTAINER_ID=x', b'CONTAINER_ID_FULL=x', b'IMAGE_NAME=a_b_c']"                                                                                                                                           },
                {", `annotations`: {`io.container.manager`: `libpod`}",                                        "x",     "'Container x running sh'",
                 "'x'",                                                                                                                                                                                  "[b'CONTAINER_ID=x']"},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(PropertySet) set = plan_of(rows[i].rest, rows[i].id, UNIT_MANAGER_USER, NULL);
                g_autofree char *description = printed_value(set, "Description");
                g_autofree char *identifier = printed_value(set, "SyslogIdentifier");
                GVariant *fields = property_set_find(set, "LogExtraFields");
                g_autoptr(GString) text = g_string_new("[");

                for (gsize j = 0; j < g_variant_n_children(fields); j++) {
                        g_autoptr(GVariant) field = g_variant_get_child_value(fields, j);
                        gsize length;
                        const char *bytes = g_variant_get_fixed_array(field, &length, 1);

                        g_string_append_printf(text, "%sb'%.*s'", j > 0 ? ", " : "", (int) length, bytes);
                }
                g_string_append_c(text, ']');
                g_assert_cmpstr(description, ==, rows[i].description);
                g_assert_cmpstr(identifier, ==, rows[i].identifier);
                g_assert_cmpstr(text->str, ==, rows[i].fields);
                /* The user manager may not lower it. */
                g_assert_null(property_set_find(set, "OOMScoreAdjust"));
        }
}

static void test_names_of_units(void) {
        static const struct {
                const char *path, *unit, *slice;
        } rows[] = {
                {NULL,                        "unitrun-a.service",      NULL           },
                {"",                          "unitrun-a.service",      NULL           },
                {"machine.slice:libpod:0123", "libpod-0123.service",    "machine.slice"},
                {":pre:a",                    "pre-a.service",          NULL           },
                {"-:p:a",                     "p-a.service",            "-.slice"      },
                {"user.slice:docker:a+b",     "docker-a\\x2bb.service", "user.slice"   },
        };
        static const char *const bad[] = {"-a.slice:p:a", "a--b.slice:p:a", "user.slice/user-0.slice:p:a",
                                          "foo:p:a",      "a.scope:p:a",    "..:p:a",
                                          "/foo/bar",     "foo/bar",        "foo",
                                          "a.slice:p:",   "a.slice:p:b:c",  "a.slice:p:x.slice"};

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *unit = NULL, *slice = NULL;
                g_autoptr(GError) error = NULL;

                unit_names_plan(rows[i].path, "a", &unit, &slice, &error);
                g_assert_no_error(error);
                g_assert_cmpstr(unit, ==, rows[i].unit);
                g_assert_cmpstr(slice, ==, rows[i].slice);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
                char *unit = NULL, *slice = NULL;
                g_autoptr(GError) error = NULL;

                g_assert_false(unit_names_plan(bad[i], "a", &unit, &slice, &error));
                if (!g_str_has_prefix(error->message, "linux.cgroupsPath: ") ||
                    !strstr(error->message, bad[i]))
                        g_error("%s: %s", bad[i], error->message);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container/unit-properties/whole", test_the_whole_of_a_small_container);
        g_test_add_func("/container/unit-properties/override", test_annotations_and_resources_override);
        g_test_add_func("/container/unit-properties/bad", test_bad_annotations_are_named);
        g_test_add_func("/container/unit-properties/identity", test_a_human_recognises_the_unit);
        g_test_add_func("/container/unit-properties/names", test_names_of_units);
        return g_test_run();
}
