/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.resources as JSON in; the unit's properties, the payload's files and the device rules as text out. */

#include <string.h>

#include "base-glib/error.h"
#include "container/resources.h"

static OciConfig *parse_config(const char *resources) {
        g_autofree char *text = g_strdup_printf("{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"r\"}, "
                                                "\"linux\": {\"resources\": {%s}}}",
                                                resources);
        g_autoptr(GError) error = NULL;
        OciConfig *config = oci_config_parse(text, strlen(text), "config.json", &error);

        if (!config)
                g_error("%s: %s", resources, error->message);
        return config;
}

/* "MemoryMax=uint64 4194304; memory.max: 5; …" with a '?' behind a file that may be missing. */
static char *print_plan(const ResourcePlan *plan) {
        g_autofree char *properties = property_set_print(plan->properties);
        g_auto(GStrv) lines = g_strsplit(properties, "\n", -1);
        GString *text = g_string_new(NULL);

        for (char **line = lines; *line && **line; line++)
                g_string_append_printf(text, "%s; ", *line);
        for (guint i = 0; i < plan->limits->len; i++) {
                const ResourceLimit *limit = g_ptr_array_index(plan->limits, i);
                g_auto(GStrv) values = g_strsplit(limit->value, "\n", -1);
                g_autofree char *value = g_strjoinv(" | ", values);

                g_string_append_printf(text, "%s: %s%s; ", limit->file, value, limit->unlimited ? "?" : "");
        }
        if (text->len > 0)
                g_string_truncate(text, text->len - 2);
        return g_string_free(text, FALSE);
}

static void test_resources_become_properties_and_files(void) {
        static const struct {
                const char *resources, *plan;
        } rows[] = {
                {"",                                                                                         ""                                                             },
 /* memory */
                {"'memory': {'limit': 67108864}",                                                            "MemoryMax=uint64 67108864; memory.max: 67108864"              },
                {"'memory': {'limit': 1048575}",                                                             "MemoryMax=uint64 4194304; memory.max: 1048575"                },
                {"'memory': {'limit': 1048576}",                                                             "MemoryMax=uint64 4194304; memory.max: 1048576"                },
                {"'memory': {'limit': 0}",                                                                   ""                                                             },
                {"'memory': {'limit': -1}",
                 "MemoryMax=uint64 18446744073709551615; MemorySwapMax=uint64 18446744073709551615; "
                 "memory.max: max?; memory.swap.max: max?"                                                                                                                  },
                {"'memory': {'reservation': 33554432}",                                                      "MemoryLow=uint64 33554432; memory.low: 33554432"              },
                {"'memory': {'limit': 100, 'swap': 100}",
                 "MemoryMax=uint64 4194304; MemorySwapMax=uint64 0; memory.max: 100; memory.swap.max: 0"                                                                    },
                {"'memory': {'limit': 100, 'swap': 300}",
                 "MemoryMax=uint64 4194304; MemorySwapMax=uint64 200; memory.max: 100; memory.swap.max: 200"                                                                },
                {"'memory': {'limit': 100, 'swap': 0}",                                                      "MemoryMax=uint64 4194304; memory.max: 100"                    },
                {"'memory': {'limit': 100, 'swap': -1}",
                 "MemoryMax=uint64 4194304; MemorySwapMax=uint64 18446744073709551615; memory.max: 100; "
                 "memory.swap.max: max?"                                                                                                                                    },
                {"'memory': {'swap': -1}",
                 "MemorySwapMax=uint64 18446744073709551615; memory.swap.max: max?"                                                                                         },
                {"'memory': {'limit': -1, 'swap': 300}",
                 "MemoryMax=uint64 18446744073709551615; MemorySwapMax=uint64 300; memory.max: max?; "
                 "memory.swap.max: 300"                                                                                                                                     },
                {"'memory': {'kernel': 5, 'kernelTCP': 5, 'useHierarchy': true, 'disableOOMKiller': false}",
                 ""                                                                                                                                                         },
 /* cpu */
                {"'cpu': {'shares': 0}",                                                                     ""                                                             },
                {"'cpu': {'shares': 1}",                                                                     "CPUWeight=uint64 1; cpu.weight: 1"                            },
                {"'cpu': {'shares': 2}",                                                                     "CPUWeight=uint64 1; cpu.weight: 1"                            },
                {"'cpu': {'shares': 1024}",                                                                  "CPUWeight=uint64 100; cpu.weight: 100"                        },
                {"'cpu': {'shares': 262144}",                                                                "CPUWeight=uint64 10000; cpu.weight: 10000"                    },
                {"'cpu': {'shares': 999999999}",                                                             "CPUWeight=uint64 10000; cpu.weight: 10000"                    },
                {"'cpu': {'quota': 30000, 'period': 100000}",
                 "CPUQuotaPerSecUSec=uint64 300000; CPUQuotaPeriodUSec=uint64 100000; cpu.max: 30000 100000"                                                                },
                {"'cpu': {'quota': 30000}",                                                                  "CPUQuotaPerSecUSec=uint64 300000; cpu.max: 30000 100000"      },
                {"'cpu': {'quota': 33333, 'period': 100000}",
                 "CPUQuotaPerSecUSec=uint64 340000; CPUQuotaPeriodUSec=uint64 100000; cpu.max: 33333 100000"                                                                },
                {"'cpu': {'quota': -1}",
                 "CPUQuotaPerSecUSec=uint64 18446744073709551615; cpu.max: max 100000?"                                                                                     },
                {"'cpu': {'period': 50000}",
                 "CPUQuotaPerSecUSec=uint64 18446744073709551615; CPUQuotaPeriodUSec=uint64 50000; "
                 "cpu.max: max 50000?"                                                                                                                                      },
                {"'cpu': {'quota': 20000, 'burst': 10000}",
                 "CPUQuotaPerSecUSec=uint64 200000; cpu.max: 20000 100000; cpu.max.burst: 10000"                                                                            },
                {"'cpu': {'cpus': '0-1,9', 'mems': '0'}",
                 "AllowedCPUs=[byte 0x03, 0x02]; AllowedMemoryNodes=[byte 0x01]; cpuset.cpus: 0-1,9; "
                 "cpuset.mems: 0"                                                                                                                                           },
                {"'cpu': {'cpus': ''}",                                                                      ""                                                             },
                {"'cpu': {'idle': 1, 'shares': 1024}",                                                       "CPUWeight=uint64 0; cpu.idle: 1"                              },
                {"'cpu': {'idle': 0}",                                                                       "cpu.idle: 0?"                                                 },
                {"'cpu': {'realtimeRuntime': 0, 'realtimePeriod': 0}",                                       ""                                                             },
 /* pids */
                {"'pids': {'limit': 55}",                                                                    "TasksMax=uint64 55; pids.max: 55"                             },
                {"'pids': {'limit': 1}",                                                                     "TasksMax=uint64 1; pids.max: 1"                               },
                {"'pids': {'limit': 0}",                                                                     "TasksMax=uint64 1; pids.max: 0"                               },
                {"'pids': {'limit': -1}",                                                                    "TasksMax=uint64 18446744073709551615; pids.max: max?"         },
 /* io */
                {"'blockIO': {'weight': 100}",                                                               "IOWeight=uint64 100; io.bfq.weight: 100; io.weight: 910"      },
                {"'blockIO': {'weight': 10}",                                                                "IOWeight=uint64 10; io.bfq.weight: 10; io.weight: 1"          },
                {"'blockIO': {'weight': 1000}",
                 "IOWeight=uint64 10000; io.bfq.weight: 1000; io.weight: 10000"                                                                                             },
                {"'blockIO': {'weightDevice': [{'major': 8, 'minor': 0, 'weight': 500}]}",
                 "IODeviceWeight=[('/dev/block/8:0', uint64 4500)]; io.bfq.weight: 8:0 500; "
                 "io.weight: 8:0 4950"                                                                                                                                      },
                {"'blockIO': {'throttleReadBpsDevice': [{'major': 8, 'minor': 0, 'rate': 1000}, "
                 "{'major': 8, 'minor': 16, 'rate': 0}], "
                 "'throttleWriteIOPSDevice': [{'major': 8, 'minor': 0, 'rate': 5}]}",       "IOReadBandwidthMax=[('/dev/block/8:0', uint64 1000), ('/dev/block/8:16', "
                 "18446744073709551615)]; IOWriteIOPSMax=[('/dev/block/8:0', uint64 5)]; "
                 "io.max: 8:0 rbps=1000 | 8:16 rbps=max | 8:0 wiops=5"},
 /* what systemd has no property for */
                {"'hugepageLimits': [{'pageSize': '2MB', 'limit': 4194304}]",
                 "hugetlb.2MB.max: 4194304; hugetlb.2MB.rsvd.max: 4194304?"                                                                                                 },
                {"'rdma': {'mlx5_1': {'hcaHandles': 3, 'hcaObjects': 10000}, 'hfi1_0': {'hcaObjects': 0}}",
                 "rdma.max: mlx5_1 hca_handle=3 hca_object=10000 | hfi1_0 hca_object=0"                                                                                     },
 /* unified */
                {"'unified': {'memory.high': '60M', 'memory.min': '0'}",
                 "MemoryHigh=uint64 62914560; MemoryMin=uint64 0; memory.high: 60M; memory.min: 0"                                                                          },
                {"'memory': {'limit': 100}, 'unified': {'memory.max': '200'}",
                 "MemoryMax=uint64 4194304; memory.max: 200"                                                                                                                },
                {"'unified': {'memory.swap.max': 'max'}",
                 "MemorySwapMax=uint64 18446744073709551615; memory.swap.max: max?"                                                                                         },
                {"'unified': {'pids.max': '0'}",                                                             "TasksMax=uint64 1; pids.max: 0"                               },
                {"'unified': {'cpu.max': '5000 10000'}",
                 "CPUQuotaPerSecUSec=uint64 500000; CPUQuotaPeriodUSec=uint64 10000; cpu.max: 5000 10000"                                                                   },
                {"'unified': {'cpu.max': 'max'}",
                 "CPUQuotaPerSecUSec=uint64 18446744073709551615; cpu.max: max?"                                                                                            },
                {"'unified': {'cpu.weight': '42', 'cpuset.cpus': '1', 'io.weight': 'default 7'}",
                 "CPUWeight=uint64 42; AllowedCPUs=[byte 0x02]; IOWeight=uint64 7; cpu.weight: 42; "
                 "cpuset.cpus: 1; io.weight: default 7"                                                                                                                     },
                {"'unified': {'io.weight': '8:0 7'}",                                                        "io.weight: 8:0 7"                                             },
                {"'unified': {'memory.oom.group': '1'}",                                                     "OOMPolicy='kill'; memory.oom.group: 1"                        },
                {"'unified': {'memory.oom.group': '0'}",                                                     "OOMPolicy='continue'; memory.oom.group: 0?"                   },
                {"'unified': {'hugetlb.1GB.max': '0', 'misc.max': 'sev 5', 'cgroup.max.depth': '3'}",
                 "hugetlb.1GB.max: 0; misc.max: sev 5; cgroup.max.depth: 3"                                                                                                 },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *json = g_strdelimit(g_strdup(rows[i].resources), "'", '"');
                g_autoptr(OciConfig) config = parse_config(json);
                g_autoptr(GError) error = NULL;
                g_autoptr(ResourcePlan) plan = resources_plan(config->linux.resources, RESOURCES_CREATE,
                                                              /* control_devices= */ false, &error);
                g_autofree char *printed = NULL;

                if (!plan)
                        g_error("%s: %s", json, error->message);
                printed = print_plan(plan);
                g_assert_cmpstr(printed, ==, rows[i].plan);
        }
}

static void test_what_cannot_be_done_is_refused_by_its_json_path(void) {
        static const struct {
                const char *resources, *path;
        } rows[] = {
                {"'memory': {'limit': 100, 'swap': 99}", "linux.resources.memory.swap: "            },
                {"'memory': {'swap': 100}",              "linux.resources.memory.swap: "            },
                {"'memory': {'swappiness': 60}",         "linux.resources.memory.swappiness: "      },
                {"'memory': {'disableOOMKiller': true}", "linux.resources.memory.disableOOMKiller: "},
                {"'cpu': {'realtimeRuntime': 5}",        "linux.resources.cpu.realtimeRuntime: "    },
                {"'cpu': {'quota': 1000, 'period': 5}",  "linux.resources.cpu.period: "             },
                {"'cpu': {'cpus': '3-1'}",               "linux.resources.cpu.cpus: "               },
                {"'cpu': {'cpus': 'a'}",                 "linux.resources.cpu.cpus: "               },
                {"'cpu': {'cpus': '1-'}",                "linux.resources.cpu.cpus: "               },
                {"'cpu': {'cpus': '99999'}",             "linux.resources.cpu.cpus: "               },
                {"'cpu': {'mems': ','}",                 "linux.resources.cpu.mems: "               },
                {"'network': {'classID': 5}",            "linux.resources.network.classID: "        },
                {"'unified': {'nodot': '1'}",            "linux.resources.unified"                  },
                {"'unified': {'a/../memory.max': '1'}",  "linux.resources.unified"                  },
                {"'unified': {'memory.max': 'lots'}",    "linux.resources.unified.memory.max: "     },
                {"'unified': {'cpu.max': '1 2 3'}",      "linux.resources.unified.cpu.max: "        },
                {"'unified': {'cpu.weight': '0'}",       "linux.resources.unified.cpu.weight: "     },
                {"'unified': {'cgroup.procs': '1'}",     "linux.resources.unified.cgroup.procs: "   },
                {"'unified': {'cgroup.freeze': '1'}",    "linux.resources.unified.cgroup.freeze: "  },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *json = g_strdelimit(g_strdup(rows[i].resources), "'", '"');
                g_autofree char *text =
                        g_strdup_printf("{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"r\"}, "
                                        "\"linux\": {\"resources\": {%s}}}",
                                        json);
                g_autoptr(GError) error = NULL;
                g_autoptr(OciConfig) config = oci_config_parse(text, strlen(text), "config.json", &error);

                /* Some of it the reader of configs refuses by itself, by the same path. */
                if (config && resources_plan(config->linux.resources, RESOURCES_CREATE, false, &error))
                        g_error("%s was taken", json);
                if (!strstr(error->message, rows[i].path) || strchr(error->message, '\n'))
                        g_error("%s: %s", json, error->message);
        }
}

#define DEFAULTS                                                                                             \
        "char-* m, block-* m, /dev/char/1:3 rwm, /dev/char/1:5 rwm, /dev/char/1:7 rwm, /dev/char/1:8 rwm, "  \
        "/dev/char/1:9 rwm, /dev/char/5:0 rwm, /dev/char/5:1 rwm, /dev/char/5:2 rwm, char-136 rwm"

static char *print_devices(const ResourcePlan *plan) {
        GVariant *policy = property_set_find(plan->properties, "DevicePolicy");
        GVariant *list = property_set_find(plan->properties, "DeviceAllow");
        GString *text = g_string_new(policy ? g_variant_get_string(policy, NULL) : "none");

        for (gsize i = 0; list && i < g_variant_n_children(list); i++) {
                const char *node, *access;

                g_variant_get_child(list, i, "(&s&s)", &node, &access);
                g_string_append_printf(text, "%s%s %s", i == 0 ? ": " : ", ", node, access);
        }
        if (plan->n_device_rules > 0)
                g_string_append(text, " and a program");
        return g_string_free(text, FALSE);
}

/* "-a" denies all, "+c1:3=rwm" allows; as the engines write them. */
static char *devices_json(const char *rules) {
        g_auto(GStrv) words = g_strsplit(rules, " ", -1);
        GString *json = g_string_new("\"devices\": [");

        for (char **word = words; *word && **word; word++) {
                g_auto(GStrv) sides = g_strsplit(*word + 2, "=", 2);
                g_auto(GStrv) numbers = g_strsplit(sides[0], ":", 2);

                g_string_append_printf(json, "%s{\"allow\": %s, \"type\": \"%c\", \"access\": \"%s\"",
                                       word == words ? "" : ", ", **word == '+' ? "true" : "false",
                                       (*word)[1], sides[1]);
                if (numbers[0] && *numbers[0] && strcmp(numbers[0], "*") != 0)
                        g_string_append_printf(json, ", \"major\": %s", numbers[0]);
                if (numbers[0] && numbers[1] && strcmp(numbers[1], "*") != 0)
                        g_string_append_printf(json, ", \"minor\": %s", numbers[1]);
                g_string_append_c(json, '}');
        }
        g_string_append_c(json, ']');
        return g_string_free(json, FALSE);
}

static void test_device_rules_become_a_list_or_a_program(void) {
        static const struct {
                const char *rules, *devices;
        } rows[] = {
                {"",                          "strict: " DEFAULTS                      },
                {"-a=rwm",                    "strict: " DEFAULTS                      },
                {"-a=rwm +c10:229=rwm",       "strict: /dev/char/10:229 rwm, " DEFAULTS},
                {"-a=rwm +b8:*=r",            "strict: block-8 r, " DEFAULTS           },
                {"+c10:229=r +c10:229=w",     "strict: /dev/char/10:229 rw, " DEFAULTS },
                {"+c10:229=rwm -c10:229=w",   "strict: /dev/char/10:229 rm, " DEFAULTS },
                {"+c10:229=rwm -c10:*=rwm",   "strict: " DEFAULTS                      },
                {"-c10:229=rwm +c10:229=rwm", "strict: /dev/char/10:229 rwm, " DEFAULTS},
                {"+a=rwm",                    "auto"                                   },
                {"-a=rwm +a=rwm",             "auto"                                   },
                {"+a=rwm -a=rwm",             "strict: " DEFAULTS                      },
 /* A part taken away from a whole can't be said to systemd. */
                {"+a=rwm -b8:0=w",            "auto and a program"                     },
                {"+c10:*=rwm -c10:229=rwm",   "auto and a program"                     },
                {"+c10:*=r -c10:229=w",       "strict: char-10 r, " DEFAULTS           },
                {"+a=rwm -b8:0=w -a=rwm",     "strict: " DEFAULTS                      },
 /* Nor one minor of every major. */
                {"+c*:5=rw",                  "auto and a program"                     },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *json = devices_json(rows[i].rules);
                g_autoptr(OciConfig) config = parse_config(json);
                g_autoptr(ResourcePlan) plan =
                        resources_plan(config->linux.resources, RESOURCES_CREATE, true, NULL);
                g_autofree char *printed = NULL;

                g_assert_nonnull(plan);
                printed = print_devices(plan);
                if (strcmp(printed, rows[i].devices) != 0)
                        g_error("%s: %s", rows[i].rules, printed);
        }
}

static void test_no_resources_at_all(void) {
        g_autoptr(ResourcePlan) plan = resources_plan(NULL, RESOURCES_CREATE, true, NULL);
        g_autoptr(ResourcePlan) user = resources_plan(NULL, RESOURCES_CREATE, false, NULL);
        g_autofree char *devices = print_devices(plan);

        g_assert_cmpstr(devices, ==, "strict: " DEFAULTS);
        g_assert_cmpint(property_set_get_n(user->properties), ==, 0);
        g_assert_cmpint(user->limits->len, ==, 0);
}

static void test_an_update_leaves_absent_fields_alone(void) {
        g_autoptr(OciConfig) config = parse_config("\"pids\": {\"limit\": 66}, \"memory\": {\"limit\": 5, "
                                                   "\"checkBeforeUpdate\": true}, "
                                                   "\"unified\": {\"memory.oom.group\": \"1\"}");
        g_autoptr(ResourcePlan) plan = resources_plan(config->linux.resources, RESOURCES_UPDATE, true, NULL);
        g_autofree char *printed = print_plan(plan);

        g_assert_cmpstr(printed, ==,
                        "MemoryMax=uint64 4194304; TasksMax=uint64 66; memory.max: 5; pids.max: 66; "
                        "memory.oom.group: 1");
        g_assert_true(plan->check_usage);
        g_assert_cmpuint(plan->memory_max, ==, 5);
}

static void test_updates_build_on_what_holds_at_present(void) {
        static const ResourcesPresent none = {.memory_max = UINT64_MAX, .cpu_quota_usec = UINT64_MAX};
        static const ResourcesPresent limited = {1000, 20000, 50000, false};
        static const ResourcesPresent idle = {1000, UINT64_MAX, 100000, true};
        static const struct {
                const ResourcesPresent *present;
                const char *resources, *plan; /* an error starts with '!' */
        } rows[] = {
                {&none,    "",                                                                                ""                                                       },
                {&none,    "'memory': {'limit': 0, 'swap': 0}, 'cpu': {'shares': 0, 'quota': 0, 'cpus': ''}",
                 ""                                                                                                                                                    },
                {&none,    "'devices': [{'allow': false}]",                                                   ""                                                       },
                {&none,    "'memory': {'swap': 300}",
                 "!linux.resources.memory.swap: it counts memory and swap together, so it needs a limit of "
                 "memory (memory.limit)"                                                                                                                               },
                {&limited, "'memory': {'swap': 1300}",                                                        "MemorySwapMax=uint64 300; memory.swap.max: 300"         },
                {&limited, "'memory': {'swap': 999}",
                 "!linux.resources.memory.swap: it counts memory and swap together: 999 is less than the "
                 "limit of memory, 1000 (memory.limit)"                                                                                                                },
                {&limited, "'memory': {'limit': 1200, 'swap': 1300}",
                 "MemoryMax=uint64 4194304; MemorySwapMax=uint64 100; memory.max: 1200; memory.swap.max: "
                 "100"                                                                                                                                                 },
                {&limited, "'memory': {'limit': 1200}",                                                       "MemoryMax=uint64 4194304; memory.max: 1200"             },
                {&limited, "'cpu': {'quota': 10000}",
                 "CPUQuotaPerSecUSec=uint64 200000; CPUQuotaPeriodUSec=uint64 50000; cpu.max: 10000 50000"                                                             },
                {&limited, "'cpu': {'period': 100000}",
                 "CPUQuotaPerSecUSec=uint64 200000; CPUQuotaPeriodUSec=uint64 100000; cpu.max: 20000 100000"                                                           },
                {&limited, "'cpu': {'quota': -1}",
                 "CPUQuotaPerSecUSec=uint64 18446744073709551615; CPUQuotaPeriodUSec=uint64 50000; cpu.max: "
                 "max 50000?"                                                                                                                                          },
                {&none,    "'cpu': {'quota': 10000}",                                                         "CPUQuotaPerSecUSec=uint64 100000; cpu.max: 10000 100000"},
                {&idle,    "'cpu': {'shares': 1024}",
                 "!linux.resources.cpu.shares: the container is idle, which has no shares, unless cpu.idle "
                 "becomes 0"                                                                                                                                           },
                {&idle,    "'cpu': {'idle': 0}",                                                              "CPUWeight=uint64 18446744073709551615; cpu.idle: 0?"    },
                {&idle,    "'cpu': {'idle': 0, 'shares': 262144}",
                 "CPUWeight=uint64 10000; cpu.idle: 0?; cpu.weight: 10000"                                                                                             },
                {&limited, "'cpu': {'idle': 1}",                                                              "CPUWeight=uint64 0; cpu.idle: 1"                        },
                {&none,    "'unified': {'memory.oom.group': '1'}",                                            "memory.oom.group: 1"                                    },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *json = g_strdelimit(g_strdup(rows[i].resources), "'", '"');
                g_autoptr(OciConfig) config = parse_config(json);
                g_autoptr(GError) error = NULL;
                g_autoptr(ResourcePlan) plan =
                        resources_plan_update(config->linux.resources, rows[i].present, &error);
                g_autofree char *printed = plan ? print_plan(plan) : g_strconcat("!", error->message, NULL);

                g_assert_cmpstr(printed, ==, rows[i].plan);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container/resources/carried", test_resources_become_properties_and_files);
        g_test_add_func("/container/resources/refused", test_what_cannot_be_done_is_refused_by_its_json_path);
        g_test_add_func("/container/resources/devices", test_device_rules_become_a_list_or_a_program);
        g_test_add_func("/container/resources/none", test_no_resources_at_all);
        g_test_add_func("/container/resources/update", test_an_update_leaves_absent_fields_alone);
        g_test_add_func("/container/resources/present", test_updates_build_on_what_holds_at_present);
        return g_test_run();
}
