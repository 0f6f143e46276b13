/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which properties of a service may be set by whoever writes the annotations of a container, and how their
 * text becomes a value. On a service, unlike a scope, a property can run commands on the host, change the
 * user, or open files: so the table says what is allowed, all else is refused, with a reason where somebody
 * might expect it to work. Types: org.freedesktop.systemd1(5). */

#include "unit/annotation.h"

#include <math.h>
#include <string.h>

#include "base-glib/error.h"

typedef struct AllowedProperty {
        const char *name;
        const char *type;
        const char *const *values; /* the only ones, NULL: any */
        bool adds_up;              /* a list whose entries are appended, as in a unit file */
} AllowedProperty;

/* A payload outlives its supervisor with "process" and "none", and so does the name of the unit. */
static const char *const kill_modes[] = {"control-group", "mixed", NULL};

static const AllowedProperty allowed_properties[] = {
  /* systemd.unit(5) */
        {"Description",               "s"                     },
        {"Documentation",             "as",                     .adds_up = true},
        {"CollectMode",                           "s"                                      },
        {"DefaultDependencies",                           "b"},
        {"After",                           "as",                                                     .adds_up = true},
        {"Before",            "as",.adds_up = true},
        {"PartOf",            "as",                                      .adds_up = true},
        {"IgnoreOnIsolate",                    "b"                            },
        {"JobTimeoutUSec",                           "t"                                  },
        {"JobRunningTimeoutUSec",                           "t"       },
        {"StartLimitIntervalUSec",                           "t"},
        {"StartLimitBurst",                           "u"                    },
 /* systemd.service(5) */
        {"TimeoutStartUSec",                           "t"                                        },
        {"TimeoutStopUSec",                           "t"             },
        {"TimeoutAbortUSec",                           "t"},
        {"TimeoutStartFailureMode",                           "s"                    },
        {"TimeoutStopFailureMode",                           "s"                                },
        {"RuntimeMaxUSec",                           "t"       },
        {"RuntimeRandomizedExtraUSec",                           "t"   },
        {"OOMPolicy",                           "s"                },
        {"SuccessExitStatus",                           "(aiai)"                                     },
 /* systemd.kill(5) */
        {"KillMode",                           "s",                 .values = kill_modes},
        {"KillSignal",                           "i"    },
        {"RestartKillSignal",       "i"              },
        {"WatchdogSignal","i"                 },
        {"SendSIGHUP",                  "b"                           },
 /* systemd.exec(5), of the supervisor: only what its journal entries look like */
        {"SyslogIdentifier",                           "s"                                 },
        {"SyslogFacility",       "i"   },
        {"SyslogLevel","i"},
        {"SyslogLevelPrefix",                  "b"                                      },
        {"LogLevelMax",                           "i"                                                              },
        {"LogExtraFields",       "aay",.adds_up = true},
        {"LogRateLimitIntervalUSec","t"},
        {"LogRateLimitBurst",                "u"                                },
 /* systemd.resource-control(5) */
        {"CPUAccounting",  "b"                         },
        {"CPUWeight",         "t"              },
        {"StartupCPUWeight",             "t"                                },
        {"CPUQuotaPerSecUSec",                 "t"                             },
        {"CPUQuotaPeriodUSec",          "t"                  },
        {"AllowedCPUs",        "ay"            },
        {"StartupAllowedCPUs",        "ay"                   },
        {"AllowedMemoryNodes",               "ay"                           },
        {"StartupAllowedMemoryNodes",        "ay"                    },
        {"MemoryAccounting",        "b"             },
        {"MemoryMin", "t"             },
        {"MemoryLow",          "t"                       },
        {"MemoryHigh",                 "t"                                     },
        {"MemoryMax",                 "t"                            },
        {"MemorySwapMax",                "t"                    },
        {"MemoryZSwapMax",                 "t"                     },
        {"DefaultMemoryMin",             "t"                  },
        {"DefaultMemoryLow",            "t"                },
        {"TasksAccounting",          "b"                  },
        {"TasksMax",          "t"                   },
        {"IOAccounting",           "b"                      },
        {"IOWeight",                  "t"                             },
        {"StartupIOWeight",              "t"                        },
        {"IODeviceWeight",                  "a(st)",                      .adds_up = true},
        {"IOReadBandwidthMax",           "a(st)",                   .adds_up = true},
        {"IOWriteBandwidthMax",            "a(st)",            .adds_up = true},
        {"IOReadIOPSMax",                           "a(st)",                                .adds_up = true},
        {"IOWriteIOPSMax",            "a(st)",                  .adds_up = true},
        {"IODeviceLatencyTargetUSec",         "a(st)",       .adds_up = true},
        {"IPAccounting",             "b"   },
        {"IPAddressAllow",                           "a(iayu)",                                    .adds_up = true},
        {"IPAddressDeny",            "a(iayu)",                   .adds_up = true},
        {"ManagedOOMSwap",            "s"              },
        {"ManagedOOMMemoryPressure",              "s"                      },
        {"ManagedOOMMemoryPressureLimit",            "u"},
        {"ManagedOOMPreference",                           "s"                                    },
};

typedef struct RefusedProperty {
        const char *name; /* "Exec*": every name that starts so */
        const char *reason;
} RefusedProperty;

#define RUNS_CODE    "it would run a command on the host"
#define STARTS_UNITS "it would start or stop other units of the host"
#define OTHER_PROGRAM                                                                                        \
        "it would change as whom and where the supervisor runs; the container's process has its own "        \
        "settings"
#define OURS       "it makes the unit a container's; unitrun sets it"
#define HOST_FILES "it would open or change files of the host"

static const RefusedProperty refused_properties[] = {
        {"Exec*",                RUNS_CODE                                                                },
        {"SendSIGKILL",          "what does not stop in time must be killed: no process outlives its unit"},
        {"FinalKillSignal",      "what does not stop in time must be killed: no process outlives its unit"},
        {"Job*Action",           "it could reboot the host"                                               },
        {"FailureAction",        "it could reboot the host"                                               },
        {"SuccessAction",        "it could reboot the host"                                               },
        {"StartLimitAction",     "it could reboot the host"                                               },
        {"Requires*",            STARTS_UNITS                                                             },
        {"Requisite",            STARTS_UNITS                                                             },
        {"Wants*",               STARTS_UNITS                                                             },
        {"BindsTo",              STARTS_UNITS                                                             },
        {"Upholds",              STARTS_UNITS                                                             },
        {"Conflicts",            STARTS_UNITS                                                             },
        {"OnFailure*",           STARTS_UNITS                                                             },
        {"OnSuccess*",           STARTS_UNITS                                                             },
        {"Propagates*",          STARTS_UNITS                                                             },
        {"Sockets",              STARTS_UNITS                                                             },
        {"User",                 OTHER_PROGRAM                                                            },
        {"Group",                OTHER_PROGRAM                                                            },
        {"DynamicUser",          OTHER_PROGRAM                                                            },
        {"SupplementaryGroups",  OTHER_PROGRAM                                                            },
        {"PAMName",              OTHER_PROGRAM                                                            },
        {"WorkingDirectory",     OTHER_PROGRAM                                                            },
        {"Root*",                OTHER_PROGRAM                                                            },
        {"Mount*",               OTHER_PROGRAM                                                            },
        {"Extension*",           OTHER_PROGRAM                                                            },
        {"Environment*",         OTHER_PROGRAM                                                            },
        {"PassEnvironment",      OTHER_PROGRAM                                                            },
        {"UnsetEnvironment",     OTHER_PROGRAM                                                            },
        {"SELinuxContext",       OTHER_PROGRAM                                                            },
        {"AppArmorProfile",      OTHER_PROGRAM                                                            },
        {"Capabilit*",           OTHER_PROGRAM                                                            },
        {"AmbientCapabilities",  OTHER_PROGRAM                                                            },
        {"NoNewPrivileges",      OTHER_PROGRAM                                                            },
        {"Private*",             OTHER_PROGRAM                                                            },
        {"Protect*",             OTHER_PROGRAM                                                            },
        {"Restrict*",            OTHER_PROGRAM                                                            },
        {"SystemCall*",          OTHER_PROGRAM                                                            },
        {"NetworkNamespacePath", OTHER_PROGRAM                                                            },
        {"IPCNamespacePath",     OTHER_PROGRAM                                                            },
        {"JoinsNamespaceOf",     OTHER_PROGRAM                                                            },
        {"Limit*",               "it is the supervisor's; process.rlimits sets the container's"           },
        {"OOMScoreAdjust",       "it is the supervisor's; process.oomScoreAdj sets the container's"       },
        {"Bind*",                HOST_FILES                                                               },
        {"ReadWritePaths",       HOST_FILES                                                               },
        {"ReadOnlyPaths",        HOST_FILES                                                               },
        {"InaccessiblePaths",    HOST_FILES                                                               },
        {"TemporaryFileSystem",  HOST_FILES                                                               },
        {"*Directory",           HOST_FILES                                                               },
        {"LoadCredential*",      HOST_FILES                                                               },
        {"SetCredential*",       HOST_FILES                                                               },
        {"ImportCredential*",    HOST_FILES                                                               },
        {"Standard*",            HOST_FILES                                                               },
        {"OpenFile",             HOST_FILES                                                               },
        {"TTY*",                 HOST_FILES                                                               },
        {"LogNamespace",         STARTS_UNITS                                                             },
        {"SourcePath",           HOST_FILES                                                               },
        {"BPFProgram",           HOST_FILES                                                               },
        {"IP*FilterPath",        HOST_FILES                                                               },
        {"PIDFile",              OURS                                                                     },
        {"Type",                 OURS                                                                     },
        {"ExitType",             OURS                                                                     },
        {"NotifyAccess",         OURS                                                                     },
        {"BusName",              OURS                                                                     },
        {"GuessMainPID",         OURS                                                                     },
        {"RemainAfterExit",      OURS                                                                     },
        {"FileDescriptorStore*", OURS                                                                     },
        {"Delegate*",            OURS                                                                     },
        {"AddRef",               OURS                                                                     },
        {"RefuseManual*",        OURS                                                                     },
        {"Restart*",             "the engine restarts its containers"                                     },
        {"WatchdogUSec",         "the supervisor sends no WATCHDOG=1"                                     },
        {"Slice",                "linux.cgroupsPath sets it (\"slice:prefix:name\")"                      },
        {"Device*",              "linux.resources.devices sets it"                                        },
};

static const AllowedProperty *find_allowed(const char *name) {
        for (size_t i = 0; i < G_N_ELEMENTS(allowed_properties); i++)
                if (strcmp(allowed_properties[i].name, name) == 0)
                        return &allowed_properties[i];
        return NULL;
}

static bool fail_refused(const char *name, GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(refused_properties); i++)
                if (g_pattern_match_simple(refused_properties[i].name, name))
                        return fail(error, "the property %s is not allowed: %s", name,
                                    refused_properties[i].reason);
        for (size_t i = 0; i < G_N_ELEMENTS(allowed_properties); i++)
                if (g_ascii_strcasecmp(allowed_properties[i].name, name) == 0)
                        return fail(error, "'%s' is not a property of a unit (did you mean %s?)", name,
                                    allowed_properties[i].name);
        return fail(error, "the property %s is not one of those that a container may set", name);
}

/* D-Bus types in words, with an example of the text that makes them. */
static const char *describe_type(const char *type) {
        static const struct {
                const char *type;
                const char *text;
        } types[] = {
                {"s",       "a string, such as 'text'"                         },
                {"b",       "true or false"                                    },
                {"i",       "a 32-bit number, such as 5"                       },
                {"u",       "an unsigned 32-bit number, such as uint32 5"      },
                {"t",       "an unsigned 64-bit number, such as uint64 5000000"},
                {"as",      "a list of strings, such as ['a.service']"         },
                {"ay",      "a list of bytes, such as [0x03]"                  },
                {"aay",     "a list of byte strings, such as [b'FIELD=value']" },
                {"a(st)",   "a list such as [('/dev/sda', uint64 1000000)]"    },
                {"a(iayu)", "a list such as [(2, [10, 0, 0, 0], 8)]"           },
                {"(aiai)",  "two lists, such as ([3, 4], [15])"                },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
                if (strcmp(types[i].type, type) == 0)
                        return types[i].text;
        return "another type";
}

/* GVariant's messages start with where: "0-6:expected value". */
static const char *without_position(const char *message) {
        size_t length = strspn(message, "0123456789-,");

        return message[length] == ':' ? message + length + 1 : message;
}

static GVariant *parse_text(const GVariantType *type, const char *text, GError **error) {
        g_autoptr(GError) local = NULL;
        GVariant *value = g_variant_parse(type, text, NULL, NULL, &local);

        if (!value)
                fail(error, "%s", without_position(local->message));
        return value;
}

/* A text that names its type must name the right one: GVariant's parser would make a number of any type of
 * "int32 5". */
static GVariant *parse_value(const GVariantType *type, const char *text, GError **error) {
        g_autoptr(GVariant) value = parse_text(type, text, error);
        g_autoptr(GVariant) as_said = NULL;

        if (!value)
                return NULL;
        if (*text == '@' || (g_ascii_isalpha(*text) && strchr(text, ' ')))
                as_said = g_variant_parse(NULL, text, NULL, NULL, NULL);
        if (as_said && !g_variant_is_of_type(as_said, type)) {
                fail(error, "it is of type %s", g_variant_get_type_string(as_said));
                return NULL;
        }
        return g_steal_pointer(&value);
}

static bool is_allowed_value(const AllowedProperty *property, GVariant *value) {
        const char *text;

        if (!property->values)
                return true;
        text = g_variant_get_string(value, NULL);
        for (const char *const *one = property->values; *one; one++)
                if (strcmp(*one, text) == 0)
                        return true;
        return false;
}

/* Whether each text in @value fits in a line. systemd writes most of them as they are into the file of a
 * transient unit, which it reads again at daemon-reload: a line break would start a setting of its own, such
 * as ExecStopPost=, and a backslash at the end would swallow the next one. */
static bool is_one_line(GVariant *value, bool bytes_are_text) {
        bool bytes = bytes_are_text && g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING);

        if (bytes || g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
                const char *text = g_variant_get_data(value);
                gsize n = g_variant_get_size(value);

                if (n > 0 && text[n - 1] == '\0')
                        n--;
                for (gsize i = 0; i < n; i++)
                        if (g_ascii_iscntrl(text[i]))
                                return false;
                return n == 0 || text[n - 1] != '\\';
        }
        for (gsize i = 0; g_variant_is_container(value) && i < g_variant_n_children(value); i++) {
                g_autoptr(GVariant) child = g_variant_get_child_value(value, i);

                if (!is_one_line(child, bytes_are_text))
                        return false;
        }
        return true;
}

static bool is_list_of_strings(GVariant *value) {
        return g_variant_is_of_type(value, G_VARIANT_TYPE_STRING_ARRAY);
}

static bool put_value(PropertySet *set, const AllowedProperty *property, GVariant *value, GError **error) {
        g_autoptr(GVariant) taken = g_variant_take_ref(value);

        if (!is_allowed_value(property, taken)) {
                g_autofree char *allowed = g_strjoinv("' or '", (char **) property->values);

                return fail(error, "%s can be '%s' only, not '%s'", property->name, allowed,
                            g_variant_get_string(taken, NULL));
        }
        if (!is_one_line(taken, /* bytes_are_text= */ strcmp(property->type, "aay") == 0))
                return fail(error,
                            "%s must be text without control characters and without a backslash at its end",
                            property->name);
        if (!property->adds_up || (is_list_of_strings(taken) && g_variant_n_children(taken) == 0))
                property_set_put(set, property->name, taken);
        else
                property_set_append(set, property->name, taken);
        return true;
}

/* The range of a "number of seconds": what fits as microseconds, below UINT64_MAX, which is infinity. */
static bool seconds_from_double(double seconds, uint64_t *ret_usec) {
        double usec = round(seconds * 1e6);

        if (!(usec >= 0) || usec >= 18446744073709551615.0)
                return false;
        *ret_usec = (uint64_t) usec;
        return true;
}

static bool seconds_from_uint64(uint64_t seconds, uint64_t *ret_usec) {
        if (seconds > (UINT64_MAX - 1) / G_USEC_PER_SEC)
                return false;
        *ret_usec = seconds * G_USEC_PER_SEC;
        return true;
}

static bool seconds_from_text(const char *text, uint64_t *ret_usec) {
        guint64 whole;
        char *end = NULL;
        double seconds;

        if (strcmp(text, "infinity") == 0) {
                *ret_usec = UINT64_MAX;
                return true;
        }
        if (g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &whole, NULL))
                return seconds_from_uint64(whole, ret_usec);
        seconds = g_ascii_strtod(text, &end);
        return *text && g_ascii_isdigit(*text) && *end == '\0' && seconds_from_double(seconds, ret_usec);
}

static bool seconds_from_signed(int64_t seconds, uint64_t *ret_usec) {
        return seconds >= 0 && seconds_from_uint64((uint64_t) seconds, ret_usec);
}

/* Any type of number counts, as with runc and crun. */
static bool seconds_from_variant(GVariant *value, uint64_t *ret_usec) {
        switch (g_variant_classify(value)) {
        case G_VARIANT_CLASS_BYTE:
                return seconds_from_uint64(g_variant_get_byte(value), ret_usec);
        case G_VARIANT_CLASS_INT16:
                return seconds_from_signed(g_variant_get_int16(value), ret_usec);
        case G_VARIANT_CLASS_UINT16:
                return seconds_from_uint64(g_variant_get_uint16(value), ret_usec);
        case G_VARIANT_CLASS_INT32:
                return seconds_from_signed(g_variant_get_int32(value), ret_usec);
        case G_VARIANT_CLASS_UINT32:
                return seconds_from_uint64(g_variant_get_uint32(value), ret_usec);
        case G_VARIANT_CLASS_INT64:
                return seconds_from_signed(g_variant_get_int64(value), ret_usec);
        case G_VARIANT_CLASS_UINT64:
                return seconds_from_uint64(g_variant_get_uint64(value), ret_usec);
        case G_VARIANT_CLASS_DOUBLE:
                return seconds_from_double(g_variant_get_double(value), ret_usec);
        case G_VARIANT_CLASS_STRING:
                return seconds_from_text(g_variant_get_string(value, NULL), ret_usec);
        default:
                return false;
        }
}

/* "5" alone would be parsed as a 32-bit number: a bare number is read as one of seconds before. */
static bool parse_seconds(const char *text, uint64_t *ret_usec, GError **error) {
        g_autofree char *stripped = g_strstrip(g_strdup(text));
        g_autoptr(GVariant) value = NULL;

        if (seconds_from_text(stripped, ret_usec))
                return true;
        value = parse_text(NULL, text, error);
        if (!value)
                return false;
        if (!seconds_from_variant(value, ret_usec))
                return fail(error, "not a number of seconds that systemd can express");
        return true;
}

/* "RuntimeMaxSec" is "RuntimeMaxUSec" in seconds; "CPUQuotaPerSecUSec" is not. */
static bool is_in_seconds(const char *name) {
        size_t length = strlen(name);

        return length > 3 && g_str_has_suffix(name, "Sec") && g_ascii_islower(name[length - 4]);
}

static bool is_property_name(const char *name) {
        for (const char *c = name; *c; c++)
                if (!g_ascii_isalpha(*c))
                        return false;
        return strlen(name) >= 3;
}

bool annotation_apply(PropertySet *set, const char *name, const char *text, GError **error) {
        g_autofree char *in_usec = NULL;
        const AllowedProperty *property;
        g_autoptr(GError) local = NULL;
        GVariant *value;

        if (!is_property_name(name) || strcmp(name, "Sec") == 0)
                return fail(error, "'%s' is not the name of a property", name);

        if (is_in_seconds(name))
                in_usec = g_strdup_printf("%.*sUSec", (int) strlen(name) - 3, name);
        property = find_allowed(in_usec ? in_usec : name);
        if (!property)
                return fail_refused(in_usec ? in_usec : name, error);

        if (in_usec) {
                uint64_t usec;

                if (!parse_seconds(text, &usec, &local))
                        return fail(error, "'%s' is not a value of %s, which needs a number of seconds: %s",
                                    text, name, local->message);
                value = g_variant_new_uint64(usec);
        } else {
                value = parse_value(G_VARIANT_TYPE(property->type), text, &local);
                if (!value)
                        return fail(error, "'%s' is not a value of %s, which needs %s: %s", text, name,
                                    describe_type(property->type), local->message);
        }
        return put_value(set, property, value, error);
}
