/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.resources.unified: files of cgroup v2 by name. Every key goes to the payload as it is; those that
 * systemd has a property for go there as well. */

#include <string.h>

#include "base-glib/error.h"
#include "container/resources-carry.h"

typedef struct UnifiedKey UnifiedKey;

struct UnifiedKey {
        const char *key;
        const char *property;
        bool (*carry)(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                      GError **error);
};

/* "max", or a number with a suffix as the kernel's memparse() knows them. */
static bool parse_limit(const char *text, uint64_t *ret_value) {
        static const char suffixes[] = "KMGTPE";
        const char *suffix;
        char *end;
        guint64 number;

        if (strcmp(text, "max") == 0) {
                *ret_value = UINT64_MAX;
                return true;
        }
        if (!g_ascii_isdigit(*text))
                return false;
        number = g_ascii_strtoull(text, &end, 10);
        if (*end == '\0') {
                *ret_value = number;
                return true;
        }
        suffix = strchr(suffixes, g_ascii_toupper(*end));
        if (!suffix || end[1] != '\0')
                return false;
        for (const char *step = suffixes; step <= suffix; step++) {
                if (number > UINT64_MAX / 1024)
                        return false;
                number *= 1024;
        }
        *ret_value = number;
        return true;
}

static bool unified_limit(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                          GError **error) {
        uint64_t number;

        if (!parse_limit(value, &number))
                return fail(error, "%s: '%s' is neither a number nor 'max'", path, value);
        property_set_put_uint64(carrier->plan->properties, key->property, number);
        carry_file(carrier, path, key->key, value, number == UINT64_MAX);
        return true;
}

static bool unified_tasks(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                          GError **error) {
        if (!unified_limit(carrier, key, path, value, error))
                return false;
        if (g_variant_get_uint64(property_set_find(carrier->plan->properties, key->property)) == 0)
                property_set_put_uint64(carrier->plan->properties, key->property, 1);
        return true;
}

static bool unified_weight(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                           GError **error) {
        const char *number = g_str_has_prefix(value, "default ") ? value + strlen("default ") : value;
        guint64 weight;

        /* A weight of a single device ("8:0 100") is for the file alone. */
        if (g_ascii_string_to_unsigned(number, 10, 1, 10000, &weight, NULL))
                property_set_put_uint64(carrier->plan->properties, key->property, weight);
        else if (!strchr(value, ':'))
                return fail(error, "%s: '%s' is not a weight between 1 and 10000", path, value);
        carry_file(carrier, path, key->key, value, /* unlimited= */ false);
        return true;
}

static bool unified_idle(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                         GError **error) {
        if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
                return fail(error, "%s: '%s' is neither 0 nor 1", path, value);
        if (*value == '1')
                property_set_put_uint64(carrier->plan->properties, key->property, 0);
        carry_file(carrier, path, key->key, value, /* unlimited= */ *value == '0');
        return true;
}

/* "QUOTA [PERIOD]", where the quota may be "max". */
static bool unified_quota(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                          GError **error) {
        g_auto(GStrv) words = g_strsplit(value, " ", -1);
        guint n = g_strv_length(words);
        guint64 quota = UINT64_MAX, period = 0;

        if (n < 1 || n > 2 ||
            (strcmp(words[0], "max") != 0 &&
             !g_ascii_string_to_unsigned(words[0], 10, 1, G_MAXINT64, &quota, NULL)) ||
            (n == 2 && !g_ascii_string_to_unsigned(words[1], 10, 1000, G_USEC_PER_SEC, &period, NULL)))
                return fail(error, "%s: '%s' is not of the form 'QUOTA PERIOD' or 'max PERIOD'", path, value);
        carry_cpu_quota(carrier, path, quota, period);
        carry_file(carrier, path, key->key, value, quota == UINT64_MAX);
        return true;
}

static bool unified_cpuset(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                           GError **error) {
        GVariant *bitmap;

        if (!cpu_list_parse(value, &bitmap, error))
                return fail_prefix(error, "%s", path);
        property_set_put(carrier->plan->properties, key->property, bitmap);
        carry_file(carrier, path, key->key, value, /* unlimited= */ false);
        return true;
}

/* What systemd makes of OOMPolicy=kill is memory.oom.group=1; it can be set only when the unit is made. */
static bool unified_oom_group(Carrier *carrier, const UnifiedKey *key, const char *path, const char *value,
                              GError **error) {
        if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
                return fail(error, "%s: '%s' is neither 0 nor 1", path, value);
        if (carrier->purpose == RESOURCES_CREATE)
                property_set_put_string(carrier->plan->properties, key->property,
                                        *value == '1' ? "kill" : "continue");
        carry_file(carrier, path, key->key, value, /* unlimited= */ *value == '0');
        return true;
}

static const UnifiedKey unified_keys[] = {
        {"cpu.idle",         "CPUWeight",          unified_idle     },
        {"cpu.max",          "CPUQuotaPerSecUSec", unified_quota    },
        {"cpu.weight",       "CPUWeight",          unified_weight   },
        {"cpuset.cpus",      "AllowedCPUs",        unified_cpuset   },
        {"cpuset.mems",      "AllowedMemoryNodes", unified_cpuset   },
        {"io.weight",        "IOWeight",           unified_weight   },
        {"memory.high",      "MemoryHigh",         unified_limit    },
        {"memory.low",       "MemoryLow",          unified_limit    },
        {"memory.max",       "MemoryMax",          unified_limit    },
        {"memory.min",       "MemoryMin",          unified_limit    },
        {"memory.oom.group", "OOMPolicy",          unified_oom_group},
        {"memory.swap.max",  "MemorySwapMax",      unified_limit    },
        {"pids.max",         "TasksMax",           unified_tasks    },
};

/* The core files move, kill and freeze; only its limits are resources. */
static bool is_core_control(const char *key) {
        return g_str_has_prefix(key, "cgroup.") && !g_str_has_prefix(key, "cgroup.max.");
}

static bool carry_key(Carrier *carrier, const char *key, const char *value, GError **error) {
        g_autofree char *path = g_strdup_printf("unified.%s", key);
        g_autofree char *stripped = g_strstrip(g_strdup(value));

        if (!strchr(key, '.') || strchr(key, '/') || key[0] == '.')
                return fail(error, "unified: '%s' is not the name of a file such as 'memory.high'", key);
        if (is_core_control(key))
                return fail(error, "%s: it controls the group and is no resource", path);
        for (size_t i = 0; i < G_N_ELEMENTS(unified_keys); i++)
                if (strcmp(unified_keys[i].key, key) == 0)
                        return unified_keys[i].carry(carrier, &unified_keys[i], path, stripped, error);
        carry_file(carrier, path, key, stripped, /* unlimited= */ false);
        return true;
}

bool carry_unified(Carrier *carrier, GError **error) {
        const OciPairs *unified = &carrier->resources->unified;

        for (size_t i = 0; i < unified->n; i++)
                if (!carry_key(carrier, unified->items[i].key, unified->items[i].value, error))
                        return false;
        return true;
}
