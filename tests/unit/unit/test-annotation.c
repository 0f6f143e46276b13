/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <string.h>

#include "unit/annotation.h"

static void test_good_values_become_properties(void) {
        static const struct {
                const char *name, *text, *printed;
        } rows[] = {
                {"CollectMode",         "'inactive-or-failed'",         "CollectMode='inactive-or-failed'\n"          },
                {"CollectMode",         "\"inactive\"",                 "CollectMode='inactive'\n"                    },
                {"TimeoutStopUSec",     "uint64 123456789",             "TimeoutStopUSec=uint64 123456789\n"          },
                {"TimeoutStopUSec",     "@t 5",                         "TimeoutStopUSec=uint64 5\n"                  },
                {"TimeoutStopUSec",     "5",                            "TimeoutStopUSec=uint64 5\n"                  },
                {"KillSignal",          "15",                           "KillSignal=15\n"                             },
                {"KillSignal",          "int32 37",                     "KillSignal=37\n"                             },
                {"DefaultDependencies", "true",                         "DefaultDependencies=true\n"                  },
                {"After",               "['crio.service']",             "After=['crio.service']\n"                    },
                {"After",               "[\"a.service\", 'b.service']", "After=['a.service', 'b.service']\n"          },
                {"After",               "[]",                           "After=@as []\n"                              },
                {"MemoryHigh",          "uint64 1048576",               "MemoryHigh=uint64 1048576\n"                 },
                {"LogRateLimitBurst",   "uint32 5",                     "LogRateLimitBurst=uint32 5\n"                },
                {"Description",         "'a \\\\ b'",                   "Description='a \\\\ b'\n"                    },
                {"LogExtraFields",      "[b'A=b']",                     "LogExtraFields=[b'A=b']\n"                   },
                {"AllowedCPUs",         "[0x0a]",                       "AllowedCPUs=[byte 0x0a]\n"                   },
                {"AllowedCPUs",         "[0x03]",                       "AllowedCPUs=[byte 0x03]\n"                   },
                {"SuccessExitStatus",   "([3], [15])",                  "SuccessExitStatus=([3], [15])\n"             },
                {"IOReadBandwidthMax",  "[('/dev/sda', 1000)]",
                 "IOReadBandwidthMax=[('/dev/sda', uint64 1000)]\n"                                                   },
                {"KillMode",            "'control-group'",              "KillMode='control-group'\n"                  },
 /* runc's and crun's seconds */
                {"RuntimeMaxSec",       "2",                            "RuntimeMaxUSec=uint64 2000000\n"             },
                {"RuntimeMaxSec",       "\"2\"",                        "RuntimeMaxUSec=uint64 2000000\n"             },
                {"RuntimeMaxSec",       "'2'",                          "RuntimeMaxUSec=uint64 2000000\n"             },
                {"RuntimeMaxSec",       "uint64 2",                     "RuntimeMaxUSec=uint64 2000000\n"             },
                {"RuntimeMaxSec",       "int32 2",                      "RuntimeMaxUSec=uint64 2000000\n"             },
                {"RuntimeMaxSec",       "2.5",                          "RuntimeMaxUSec=uint64 2500000\n"             },
                {"RuntimeMaxSec",       "1e3",                          "RuntimeMaxUSec=uint64 1000000000\n"          },
                {"RuntimeMaxSec",       "18446744073709",               "RuntimeMaxUSec=uint64 18446744073709000000\n"},
                {"RuntimeMaxSec",       "infinity",                     "RuntimeMaxUSec=uint64 18446744073709551615\n"},
                {"RuntimeMaxSec",       "'infinity'",                   "RuntimeMaxUSec=uint64 18446744073709551615\n"},
                {"TimeoutStopSec",      "0",                            "TimeoutStopUSec=uint64 0\n"                  },
                {"CPUQuotaPeriodSec",   "0.1",                          "CPUQuotaPeriodUSec=uint64 100000\n"          },
                {"CPUQuotaPerSecUSec",  "uint64 300000",                "CPUQuotaPerSecUSec=uint64 300000\n"          },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(PropertySet) set = property_set_new();
                g_autoptr(GError) error = NULL;
                g_autofree char *printed = NULL;

                annotation_apply(set, rows[i].name, rows[i].text, &error);
                if (error)
                        g_error("%s: %s: %s", rows[i].name, rows[i].text, error->message);
                printed = property_set_print(set);
                g_assert_cmpstr(printed, ==, rows[i].printed);
        }
}

static void test_bad_values_give_one_line_with_name_and_type(void) {
        static const struct {
                const char *name, *text, *expected;
        } rows[] = {
                {"TimeoutStopUSec",    "",                                  "64-bit number"  },
                {"TimeoutStopUSec",    "uint64",                            "64-bit number"  },
                {"TimeoutStopUSec",    "'open",                             "64-bit number"  },
                {"TimeoutStopUSec",    "[",                                 "64-bit number"  },
                {"TimeoutStopUSec",    "uint64 1 2",                        "64-bit number"  },
                {"TimeoutStopUSec",    "true false",                        "64-bit number"  },
                {"TimeoutStopUSec",    "99999999999999999999",              "64-bit number"  },
                {"TimeoutStopUSec",    "true",                              "64-bit number"  },
                {"TimeoutStopUSec",    "'5'",                               "64-bit number"  },
                {"TimeoutStopUSec",    "-1",                                "64-bit number"  },
                {"TimeoutStopUSec",    "int32 5",                           "64-bit number"  },
                {"TimeoutStopUSec",    "((((((((",                          "64-bit number"  },
                {"KillSignal",         "uint64 15",                         "32-bit number"  },
                {"KillSignal",         "'SIGTERM'",                         "32-bit number"  },
                {"KillSignal",         "4294967296",                        "32-bit number"  },
                {"CollectMode",        "inactive",                          "a string"       },
                {"CollectMode",        "5",                                 "a string"       },
                {"SendSIGHUP",         "yes",                               "true or false"  },
                {"After",              "'a.service'",                       "list of strings"},
                {"After",              "[1, 2]",                            "list of strings"},
                {"KillMode",           "'none'",                            "'mixed'"        },
 /* systemd would read the second line as another setting at daemon-reload */
                {"Description",        "'a\\n[Service]\\nExecStopPost=/b'", "control"        },
                {"Description",        "'a\\rb'",                           "control"        },
                {"Description",        "'a\\\\'",                           "backslash"      },
                {"Documentation",      "['man:a(1)', 'man:b(1)\\nX=y']",    "control"        },
                {"LogExtraFields",     "[b'A=b\\nX=y']",                    "control"        },
                {"LogExtraFields",     "[b'A=b\\\\']",                      "backslash"      },
                {"IOReadBandwidthMax", "[('/dev/a\\nX=y', 1)]",             "control"        },
                {"RuntimeMaxSec",      "",                                  "seconds"        },
                {"RuntimeMaxSec",      "-1",                                "seconds"        },
                {"RuntimeMaxSec",      "nan",                               "seconds"        },
                {"RuntimeMaxSec",      "'x'",                               "seconds"        },
                {"RuntimeMaxSec",      "2 s",                               "seconds"        },
                {"RuntimeMaxSec",      "true",                              "seconds"        },
                {"RuntimeMaxSec",      "[2]",                               "seconds"        },
                {"RuntimeMaxSec",      "1e30",                              "seconds"        },
                {"RuntimeMaxSec",      "18446744073710",                    "seconds"        },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(PropertySet) set = property_set_new();
                g_autoptr(GError) error = NULL;

                if (annotation_apply(set, rows[i].name, rows[i].text, &error))
                        g_error("%s: %s was taken", rows[i].name, rows[i].text);
                if (!strstr(error->message, rows[i].expected) || !strstr(error->message, rows[i].name) ||
                    strchr(error->message, '\n'))
                        g_error("%s: %s: %s", rows[i].name, rows[i].text, error->message);
                g_assert_cmpint(property_set_get_n(set), ==, 0);
        }
}

/* CVE-2024-3154: on a service these run code on the host, or change whose code runs. */
static void test_other_properties_are_refused_with_a_reason(void) {
        static const struct {
                const char *name, *reason;
        } rows[] = {
                {"ExecStart",        "command on the host"},
                {"ExecStartPre",     "command on the host"},
                {"ExecStartPost",    "command on the host"},
                {"ExecStartPostEx",  "command on the host"},
                {"ExecStopPost",     "command on the host"},
                {"ExecReload",       "command on the host"},
                {"ExecCondition",    "command on the host"},
                {"User",             "supervisor"         },
                {"Group",            "supervisor"         },
                {"RootDirectory",    "supervisor"         },
                {"RootImage",        "supervisor"         },
                {"Environment",      "supervisor"         },
                {"LimitNOFILE",      "process.rlimits"    },
                {"OOMScoreAdjust",   "oomScoreAdj"        },
                {"BindPaths",        "files of the host"  },
                {"LoadCredential",   "files of the host"  },
                {"StandardOutput",   "files of the host"  },
                {"OnFailure",        "other units"        },
                {"Wants",            "other units"        },
                {"Requires",         "other units"        },
                {"Conflicts",        "other units"        },
                {"FailureAction",    "reboot"             },
                {"JobTimeoutAction", "reboot"             },
                {"PIDFile",          "container's"        },
                {"Delegate",         "container's"        },
                {"Type",             "container's"        },
                {"Restart",          "engine"             },
                {"RestartSec",       "engine"             },
                {"Slice",            "cgroupsPath"        },
                {"DeviceAllow",      "resources.devices"  },
                {"collectmode",      "CollectMode"        },
                {"NoSuchThing",      "not one of those"   },
                {"",                 "not the name"       },
                {"Sec",              "not the name"       },
                {"ab",               "not the name"       },
                {"Memory.Max",       "not the name"       },
                {"Collect Mode",     "not the name"       },
                {"Größe",          "not the name"       },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(PropertySet) set = property_set_new();
                g_autoptr(GError) error = NULL;

                if (annotation_apply(set, rows[i].name, "'x'", &error))
                        g_error("%s was taken", rows[i].name);
                if (!strstr(error->message, rows[i].reason))
                        g_error("%s: %s", rows[i].name, error->message);
        }
}

static void test_lists_add_up_and_values_replace(void) {
        g_autoptr(PropertySet) set = property_set_new();
        g_autofree char *printed = NULL;

        property_set_put_strings(set, "Documentation", (const char *const[]){"man:unitrun(1)", NULL});
        g_assert_true(annotation_apply(set, "Documentation", "['https://example.org']", NULL));
        g_assert_true(annotation_apply(set, "OOMPolicy", "'stop'", NULL));
        g_assert_true(annotation_apply(set, "OOMPolicy", "'kill'", NULL));
        printed = property_set_print(set);
        g_assert_cmpstr(printed, ==,
                        "Documentation=['man:unitrun(1)', 'https://example.org']\n"
                        "OOMPolicy='kill'\n");
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/unit/annotation/good", test_good_values_become_properties);
        g_test_add_func("/unit/annotation/bad", test_bad_values_give_one_line_with_name_and_type);
        g_test_add_func("/unit/annotation/refused", test_other_properties_are_refused_with_a_reason);
        g_test_add_func("/unit/annotation/lists", test_lists_add_up_and_values_replace);
        return g_test_run();
}
