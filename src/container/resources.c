/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One table carries linux.resources into a plan: a row for each field, read top to bottom; what is refused
 * has a row with the reason. Devices and "unified" have files of their own. */

#include "container/resources.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base-glib/error.h"
#include "container/resources-carry.h"

static void resource_limit_free(void *data) {
        ResourceLimit *limit = data;

        g_free(limit->json_path);
        g_free(limit->file);
        g_free(limit->value);
        g_free(limit);
}

static ResourcePlan *resource_plan_new(void) {
        ResourcePlan *plan = g_new0(ResourcePlan, 1);

        plan->properties = property_set_new();
        plan->limits = g_ptr_array_new_with_free_func(resource_limit_free);
        return plan;
}

void resource_plan_free(ResourcePlan *plan) {
        if (!plan)
                return;
        property_set_free(plan->properties);
        g_ptr_array_unref(plan->limits);
        g_free(plan->device_rules);
        g_free(plan);
}

static ResourceLimit *find_limit(ResourcePlan *plan, const char *file) {
        for (guint i = 0; i < plan->limits->len; i++) {
                ResourceLimit *limit = g_ptr_array_index(plan->limits, i);

                if (strcmp(limit->file, file) == 0)
                        return limit;
        }
        return NULL;
}

void carry_file(Carrier *carrier, const char *field, const char *file, const char *value, bool unlimited) {
        ResourceLimit *limit = find_limit(carrier->plan, file);

        if (!limit) {
                limit = g_new0(ResourceLimit, 1);
                limit->file = g_strdup(file);
                g_ptr_array_add(carrier->plan->limits, limit);
        }
        g_free(limit->json_path);
        limit->json_path = g_strconcat(RESOURCES_PATH, field, NULL);
        g_free(limit->value);
        limit->value = g_strdup(value);
        limit->unlimited = unlimited;
}

void carry_line(Carrier *carrier, const char *field, const char *file, const char *line) {
        const ResourceLimit *there = find_limit(carrier->plan, file);
        g_autofree char *lines = there ? g_strconcat(there->value, "\n", line, NULL) : g_strdup(line);

        carry_file(carrier, field, file, lines, /* unlimited= */ false);
}

void carry_number(Carrier *carrier, const char *field, const char *property, const char *file,
                  uint64_t value) {
        char text[24] = "max";

        if (value != UINT64_MAX)
                g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, value);
        if (property)
                property_set_put_uint64(carrier->plan->properties, property, value);
        if (file)
                carry_file(carrier, field, file, text, value == UINT64_MAX);
}

typedef struct ResourceRule ResourceRule;

struct ResourceRule {
        const char *field;    /* below linux.resources */
        const char *property; /* of the unit */
        const char *file;     /* of the payload */
        bool (*carry)(Carrier *carrier, const ResourceRule *rule, const void *value, GError **error);
        size_t offset; /* of the field in OciResources */
};

/* A limit in bytes: absent and 0 change nothing (engines that are written in Go send 0 for absent), -1 is
 * none. */
static bool carry_limit(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeInt *limit = field;

        if (!limit->set || limit->value == 0)
                return true;
        if (limit->value < -1)
                return fail(error, "%s: %" G_GINT64_FORMAT " is no limit (-1 is none)", rule->field,
                            limit->value);
        carry_number(carrier, rule->field, rule->property, rule->file,
                     limit->value < 0 ? UINT64_MAX : (uint64_t) limit->value);
        return true;
}

/* The spec counts memory and swap together, cgroup v2 swap alone. */
static bool carry_swap(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeInt *limit = &carrier->resources->memory.limit;
        const MaybeInt *total = field;
        int64_t memory = limit->set ? limit->value : 0;
        int64_t swap = total->set ? total->value : 0;
        uint64_t value;

        if (memory == 0 && carrier->present && carrier->present->memory_max <= INT64_MAX)
                memory = (int64_t) carrier->present->memory_max;
        if (swap < -1)
                return fail(error, "%s: %" G_GINT64_FORMAT " is no limit (-1 is none)", rule->field, swap);
        if (swap == -1 || (swap == 0 && memory == -1))
                value = UINT64_MAX; /* as on v1: no limit for memory and none said for swap means none at all
                                     */
        else if (swap == 0)
                return true;
        else if (memory == -1)
                value = (uint64_t) swap;
        else if (memory == 0)
                return fail(error,
                            "%s: it counts memory and swap together, so it needs a limit of memory "
                            "(memory.limit)",
                            rule->field);
        else if (swap < memory)
                return fail(error,
                            "%s: it counts memory and swap together: %" G_GINT64_FORMAT
                            " is less than the limit of memory, %" G_GINT64_FORMAT " (memory.limit)",
                            rule->field, swap, memory);
        else
                value = (uint64_t) (swap - memory);
        carry_number(carrier, rule->field, rule->property, rule->file, value);
        return true;
}

static bool carry_check_usage(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeBool *check = field;
        const MaybeInt *limit = &carrier->resources->memory.limit;

        if (check->set && check->value && limit->set && limit->value > 0) {
                carrier->plan->check_usage = true;
                carrier->plan->memory_max = (uint64_t) limit->value;
        }
        return true;
}

/* Shares (2 … 262144, default 1024) to a weight (1 … 10000, default 100), such that the default becomes the
 * default: the curve that runc and crun have agreed on. */
static uint64_t weight_of_shares(uint64_t shares) {
        double l;

        if (shares <= 2)
                return 1;
        if (shares >= 262144)
                return 10000;
        l = log2((double) shares);
        return (uint64_t) ceil(pow(10, (l * l + 125 * l) / 612.0 - 7.0 / 34.0));
}

static bool is_idle(const OciResources *resources) {
        return resources->cpu.idle.set && resources->cpu.idle.value == 1;
}

/* A group that is idle has no weight: the kernel refuses to set one. */
static bool carry_cpu_shares(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeUint *shares = field;

        if (!shares->set || shares->value == 0 || is_idle(carrier->resources))
                return true;
        if (carrier->present && carrier->present->cpu_idle && !carrier->resources->cpu.idle.set)
                return fail(error,
                            "%s: the container is idle, which has no shares, unless cpu.idle becomes 0",
                            rule->field);
        carry_number(carrier, rule->field, rule->property, rule->file, weight_of_shares(shares->value));
        return true;
}

static bool carry_cpu_idle(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeInt *idle = field;

        if (!idle->set)
                return true;
        if (idle->value != 0 && idle->value != 1)
                return fail(error, "%s: %" G_GINT64_FORMAT " is neither 0 nor 1", rule->field, idle->value);
        /* systemd says CPUWeight=idle with the number 0. */
        if (idle->value == 1)
                property_set_put_uint64(carrier->plan->properties, rule->property, 0);
        else if (carrier->present && carrier->present->cpu_idle)
                property_set_put_uint64(carrier->plan->properties, rule->property, UINT64_MAX);
        carry_file(carrier, rule->field, rule->file, idle->value == 1 ? "1" : "0",
                   /* unlimited= */ idle->value == 0);
        return true;
}

#define QUOTA_PERIOD_DEFAULT_USEC 100000
#define QUOTA_STEP_USEC           10000

void carry_cpu_quota(Carrier *carrier, const char *field, uint64_t quota_usec, uint64_t period_usec) {
        uint64_t period = period_usec ? period_usec : QUOTA_PERIOD_DEFAULT_USEC;
        uint64_t per_second = UINT64_MAX;
        g_autofree char *text = NULL;

        if (quota_usec != UINT64_MAX) {
                per_second =
                        (uint64_t) ((__extension__(unsigned __int128) quota_usec * G_USEC_PER_SEC) / period);
                /* systemd keeps whole percents in the unit file, and reads them back at daemon-reload: up, so
                 * that the payload's exact value stays the one that counts. */
                per_second = (per_second + QUOTA_STEP_USEC - 1) / QUOTA_STEP_USEC * QUOTA_STEP_USEC;
                text = g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, quota_usec, period);
        } else {
                text = g_strdup_printf("max %" G_GUINT64_FORMAT, period);
        }
        property_set_put_uint64(carrier->plan->properties, "CPUQuotaPerSecUSec", per_second);
        if (period_usec)
                property_set_put_uint64(carrier->plan->properties, "CPUQuotaPeriodUSec", period_usec);
        carry_file(carrier, field, "cpu.max", text, quota_usec == UINT64_MAX);
}

static bool carry_quota(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeInt *quota = field;
        const MaybeUint *period = &carrier->resources->cpu.period;
        int64_t quota_usec = quota->set ? quota->value : 0;
        uint64_t period_usec = period->set ? period->value : 0;
        uint64_t limit = quota_usec > 0 ? (uint64_t) quota_usec : UINT64_MAX;

        if (quota_usec == 0 && period_usec == 0)
                return true;
        if (period_usec != 0 && (period_usec < 1000 || period_usec > G_USEC_PER_SEC))
                return fail(error, "cpu.period: %" G_GUINT64_FORMAT " is not between 1000 and 1000000",
                            period_usec);
        if (carrier->present && quota_usec == 0)
                limit = carrier->present->cpu_quota_usec;
        if (carrier->present && period_usec == 0 &&
            carrier->present->cpu_period_usec != QUOTA_PERIOD_DEFAULT_USEC)
                period_usec = carrier->present->cpu_period_usec;
        carry_cpu_quota(carrier, rule->field, limit, period_usec);
        return true;
}

static bool carry_burst(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeUint *burst = field;

        if (burst->set)
                carry_number(carrier, rule->field, NULL, rule->file, burst->value);
        return true;
}

bool cpu_list_parse(const char *text, GVariant **ret_bitmap, GError **error) {
        g_auto(GStrv) ranges = g_strsplit(text, ",", -1);
        uint8_t bits[1024] = {0};
        gsize n_bytes = 0;

        for (char **range = ranges; *range; range++) {
                g_auto(GStrv) ends = g_strsplit(g_strstrip(*range), "-", 2);
                guint64 first, last;

                if (!g_ascii_string_to_unsigned(ends[0] ? ends[0] : "", 10, 0, sizeof(bits) * 8 - 1, &first,
                                                NULL) ||
                    !g_ascii_string_to_unsigned(ends[0] && ends[1] ? ends[1] : ends[0], 10, first,
                                                sizeof(bits) * 8 - 1, &last, NULL))
                        return fail(error, "'%s' is not a list such as '0-3,7'", text);
                for (guint64 i = first; i <= last; i++)
                        bits[i / 8] |= (uint8_t) (1 << i % 8);
                n_bytes = MAX(n_bytes, last / 8 + 1);
        }
        if (n_bytes == 0)
                return fail(error, "the list is empty");
        *ret_bitmap = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bits, n_bytes, 1);
        return true;
}

static bool carry_cpuset(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const char *list = *(char *const *) field;
        GVariant *bitmap;

        if (!list || *list == '\0')
                return true;
        if (!cpu_list_parse(list, &bitmap, error))
                return fail_prefix(error, "%s", rule->field);
        property_set_put(carrier->plan->properties, rule->property, bitmap);
        carry_file(carrier, rule->field, rule->file, list, /* unlimited= */ false);
        return true;
}

/* 0 is a real limit in the spec (1.3) and the kernel; systemd refuses TasksMax=0, and one task is the least.
 */
static bool carry_tasks(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeInt *limit = field;

        if (!limit->set)
                return true;
        carry_number(carrier, rule->field, NULL, rule->file,
                     limit->value < 0 ? UINT64_MAX : (uint64_t) limit->value);
        property_set_put_uint64(carrier->plan->properties, rule->property,
                                limit->value < 0 ? UINT64_MAX : (uint64_t) MAX(limit->value, 1));
        return true;
}

/* Weights of the spec (10 … 1000, default 100) are those of the BFQ scheduler. IOWeight (1 … 10000, default
 * 100) is what systemd makes the same BFQ weight of; iocost's io.weight has only the conversion that
 * Kubernetes made common, whose ends fit. */
static uint64_t io_weight_property(uint64_t weight) {
        return weight <= 100 ? weight : 100 + (weight - 100) * 9900 / 900;
}

static uint64_t io_weight_cost(uint64_t weight) {
        return 1 + (weight - 10) * 9999 / 990;
}

static bool check_io_weight(uint64_t weight, const char *field, GError **error) {
        if (weight < 10 || weight > 1000)
                return fail(error, "%s: %" G_GUINT64_FORMAT " is not between 10 and 1000", field, weight);
        return true;
}

/* Which of the two schedulers' files is there shows only in the group: the payload gets both, where the
 * second is written only if the first is missing (resources-apply.c). */
static bool carry_io_weight(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const MaybeUint *weight = field;
        char text[24];

        if (!weight->set || weight->value == 0)
                return true;
        if (!check_io_weight(weight->value, rule->field, error))
                return false;
        property_set_put_uint64(carrier->plan->properties, rule->property, io_weight_property(weight->value));
        g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, weight->value);
        carry_file(carrier, rule->field, "io.bfq.weight", text, /* unlimited= */ false);
        g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, io_weight_cost(weight->value));
        carry_file(carrier, rule->field, rule->file, text, /* unlimited= */ false);
        return true;
}

/* Device nodes by number: systemd takes the link's name apart and needs no node. */
static void append_device_value(Carrier *carrier, const char *property, int64_t major, int64_t minor,
                                uint64_t value) {
        g_autofree char *node =
                g_strdup_printf("/dev/block/%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, major, minor);
        GVariant *entry = g_variant_new("(st)", node, value);

        property_set_append(carrier->plan->properties, property, g_variant_new_array(NULL, &entry, 1));
}

static bool carry_weight_devices(Carrier *carrier, const ResourceRule *rule, const void *field,
                                 GError **error) {
        const OciResources *resources = carrier->resources;

        for (size_t i = 0; i < resources->block_io.n_weight_devices; i++) {
                const OciWeightDevice *device = &resources->block_io.weight_devices[i];
                g_autofree char *path = g_strdup_printf("%s[%zu].weight", rule->field, i);
                g_autofree char *bfq = NULL, *cost = NULL;

                if (device->leaf_weight.set && device->leaf_weight.value != 0)
                        return fail(error, "%s[%zu].leafWeight: cgroup v2 has no leaf weights", rule->field,
                                    i);
                if (!device->weight.set || device->weight.value == 0)
                        continue;
                if (!check_io_weight(device->weight.value, path, error))
                        return false;
                append_device_value(carrier, rule->property, device->major, device->minor,
                                    io_weight_property(device->weight.value));
                bfq = g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT,
                                      device->major, device->minor, device->weight.value);
                cost = g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT,
                                       device->major, device->minor, io_weight_cost(device->weight.value));
                carry_line(carrier, path, "io.bfq.weight", bfq);
                carry_line(carrier, path, rule->file, cost);
        }
        return true;
}

/* rule->file is the key in io.max. A rate of 0 means none, as on v1: the kernel refuses it. */
static bool carry_throttle(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const OciThrottles *throttles = field;

        for (size_t i = 0; i < throttles->n; i++) {
                const OciThrottle *throttle = &throttles->items[i];
                g_autofree char *path = g_strdup_printf("%s[%zu]", rule->field, i);
                g_autofree char *line = NULL;
                char rate[24] = "max";

                if (throttle->rate != 0)
                        g_snprintf(rate, sizeof(rate), "%" G_GUINT64_FORMAT, throttle->rate);
                append_device_value(carrier, rule->property, throttle->major, throttle->minor,
                                    throttle->rate != 0 ? throttle->rate : UINT64_MAX);
                line = g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT " %s=%s", throttle->major,
                                       throttle->minor, rule->file, rate);
                carry_line(carrier, path, "io.max", line);
        }
        return true;
}

static bool is_page_size(const char *text) {
        size_t digits = strspn(text, "0123456789");

        return digits > 0 && text[0] != '0' && strchr("KMG", text[digits]) && text[digits] != '\0' &&
               strcmp(text + digits + 1, "B") == 0;
}

static bool carry_hugepages(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const OciResources *resources = carrier->resources;

        for (size_t i = 0; i < resources->n_hugepage_limits; i++) {
                const OciHugepageLimit *limit = &resources->hugepage_limits[i];
                g_autofree char *path = g_strdup_printf("%s[%zu]", rule->field, i);
                g_autofree char *file = NULL, *reserved = NULL, *value = NULL;

                if (!limit->page_size || !is_page_size(limit->page_size))
                        return fail(error, "%s.pageSize: '%s' is not a size such as '2MB'", path,
                                    limit->page_size ? limit->page_size : "");
                file = g_strdup_printf("hugetlb.%s.max", limit->page_size);
                reserved = g_strdup_printf("hugetlb.%s.rsvd.max", limit->page_size);
                value = g_strdup_printf("%" G_GUINT64_FORMAT, limit->limit);
                carry_file(carrier, path, file, value, /* unlimited= */ false);
                /* Reservations (Linux 5.7) as well: else a program gets SIGBUS at a page instead of an error
                 * at mmap(2). */
                carry_file(carrier, path, reserved, value, /* unlimited= */ true);
        }
        return true;
}

static bool carry_rdma(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        const OciResources *resources = carrier->resources;

        for (size_t i = 0; i < resources->n_rdma; i++) {
                const OciRdma *rdma = &resources->rdma[i];
                g_autofree char *path = g_strdup_printf("%s.%s", rule->field, rdma->device);
                g_autoptr(GString) line = g_string_new(rdma->device);

                if (rdma->hca_handles.set)
                        g_string_append_printf(line, " hca_handle=%" G_GUINT64_FORMAT,
                                               rdma->hca_handles.value);
                if (rdma->hca_objects.set)
                        g_string_append_printf(line, " hca_object=%" G_GUINT64_FORMAT,
                                               rdma->hca_objects.value);
                if (strpbrk(rdma->device, " \n="))
                        return fail(error, "%s: '%s' is not a device", rule->field, rdma->device);
                if (rdma->hca_handles.set || rdma->hca_objects.set)
                        carry_line(carrier, path, rule->file, line->str);
        }
        return true;
}

/* Kept for v1 by the spec; runc and crun ignore it on v2, and engines still send it. */
static bool carry_nowhere(Carrier *carrier, const ResourceRule *rule, const void *field, GError **error) {
        return true;
}

/* What cgroup v2 has no place for. 0, false and empty are what engines send for "not set". */
typedef struct RefusedResource {
        const char *field;
        const char *reason;
        bool (*is_set)(const void *field);
        size_t offset;
} RefusedResource;

static bool is_set_int(const void *field) {
        const MaybeInt *value = field;

        return value->set && value->value != 0;
}

static bool is_set_uint(const void *field) {
        const MaybeUint *value = field;

        return value->set && value->value != 0;
}

static bool is_set_true(const void *field) {
        const MaybeBool *value = field;

        return value->set && value->value;
}

static bool is_set_pairs(const void *field) {
        return ((const OciPairs *) field)->n > 0;
}

#define FIELD(field) offsetof(OciResources, field)

/* clang-format off */

/* Each OCI resource, the unit property that shows it, the payload file that enforces it.
 * Order: config-linux.md, "Control groups"; only that a group that is idle takes no weight until it is not.
 * Types: org.freedesktop.systemd1(5). */
static const ResourceRule resource_rules[] = {
        {"memory.limit",                    "MemoryMax",           "memory.max",      carry_limit,          FIELD(memory.limit)           },
        {"memory.reservation",              "MemoryLow",           "memory.low",      carry_limit,          FIELD(memory.reservation)     },
        {"memory.swap",                     "MemorySwapMax",       "memory.swap.max", carry_swap,           FIELD(memory.swap)            },
        {"memory.kernel",                   NULL,                  NULL,              carry_nowhere,        FIELD(memory.kernel)          },
        {"memory.kernelTCP",                NULL,                  NULL,              carry_nowhere,        FIELD(memory.kernel_tcp)      },
        {"memory.useHierarchy",             NULL,                  NULL,              carry_nowhere,        FIELD(memory.use_hierarchy)   },
        {"memory.checkBeforeUpdate",        NULL,                  NULL,              carry_check_usage,    FIELD(memory.check_before_update)},
        {"cpu.idle",                        "CPUWeight",           "cpu.idle",        carry_cpu_idle,       FIELD(cpu.idle)               },
        {"cpu.shares",                      "CPUWeight",           "cpu.weight",      carry_cpu_shares,     FIELD(cpu.shares)             },
        {"cpu.quota",                       NULL,                  "cpu.max",         carry_quota,          FIELD(cpu.quota)              },
        {"cpu.burst",                       NULL,                  "cpu.max.burst",   carry_burst,          FIELD(cpu.burst)              },
        {"cpu.cpus",                        "AllowedCPUs",         "cpuset.cpus",     carry_cpuset,         FIELD(cpu.cpus)               },
        {"cpu.mems",                        "AllowedMemoryNodes",  "cpuset.mems",     carry_cpuset,         FIELD(cpu.mems)               },
        {"pids.limit",                      "TasksMax",            "pids.max",        carry_tasks,          FIELD(pids_limit)             },
        {"blockIO.weight",                  "IOWeight",            "io.weight",       carry_io_weight,      FIELD(block_io.weight)        },
        {"blockIO.weightDevice",            "IODeviceWeight",      "io.weight",       carry_weight_devices, FIELD(block_io.weight_devices)},
        {"blockIO.throttleReadBpsDevice",   "IOReadBandwidthMax",  "rbps",            carry_throttle,       FIELD(block_io.read_bps)      },
        {"blockIO.throttleWriteBpsDevice",  "IOWriteBandwidthMax", "wbps",            carry_throttle,       FIELD(block_io.write_bps)     },
        {"blockIO.throttleReadIOPSDevice",  "IOReadIOPSMax",       "riops",           carry_throttle,       FIELD(block_io.read_iops)     },
        {"blockIO.throttleWriteIOPSDevice", "IOWriteIOPSMax",      "wiops",           carry_throttle,       FIELD(block_io.write_iops)    },
        {"hugepageLimits",                  NULL,                  NULL,              carry_hugepages,      FIELD(hugepage_limits)        },
        {"rdma",                            NULL,                  "rdma.max",        carry_rdma,           FIELD(rdma)                   },
};

static const RefusedResource refused_resources[] = {
        {"memory.swappiness",       "cgroup v2 has no swappiness of a group",         is_set_uint,  FIELD(memory.swappiness)        },
        {"memory.disableOOMKiller", "cgroup v2 can't disable the OOM killer",         is_set_true,  FIELD(memory.disable_oom_killer)},
        {"cpu.realtimeRuntime",     "cgroup v2 has no limits of real-time scheduling", is_set_int,  FIELD(cpu.realtime_runtime)     },
        {"cpu.realtimePeriod",      "cgroup v2 has no limits of real-time scheduling", is_set_uint, FIELD(cpu.realtime_period)      },
        {"blockIO.leafWeight",      "cgroup v2 has no leaf weights",                  is_set_uint,  FIELD(block_io.leaf_weight)     },
        {"network.classID",         "cgroup v2 has no network classes",               is_set_uint,  FIELD(network_class_id)         },
        {"network.priorities",      "cgroup v2 has no network priorities",            is_set_pairs, FIELD(network_priorities)       },
};

/* clang-format on */

static bool check_refused(const OciResources *resources, GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(refused_resources); i++) {
                const RefusedResource *refused = &refused_resources[i];

                if (refused->is_set((const char *) resources + refused->offset))
                        return fail_code(error, UNITRUN_ERROR_UNSUPPORTED, "%s: %s", refused->field,
                                         refused->reason);
        }
        return true;
}

static bool carry_all(Carrier *carrier, bool control_devices, GError **error) {
        if (!check_refused(carrier->resources, error))
                return false;
        for (size_t i = 0; i < G_N_ELEMENTS(resource_rules); i++) {
                const ResourceRule *rule = &resource_rules[i];

                if (!rule->carry(carrier, rule, (const char *) carrier->resources + rule->offset, error))
                        return false;
        }
        if (control_devices && carrier->purpose != RESOURCES_UPDATE && !carry_devices(carrier, error))
                return false;
        /* Last: it wins over the fields above. */
        return carry_unified(carrier, error);
}

#define UNIT_MEMORY_MIN (UINT64_C(4) << 20)

/* What becomes the supervisor or a hook is a program of systemd's first (systemd-executor, since 254). It is
 * in the unit's group already and wants more than a small container may have. And the supervisor, which the
 * kernel must not kill for want of memory, would fault for ever where there is too little for itself alone.
 */
static void leave_memory_for_systemd(ResourcePlan *plan) {
        GVariant *property = property_set_find(plan->properties, "MemoryMax");
        uint64_t limit = property ? g_variant_get_uint64(property) : 0;

        if (property && limit < UNIT_MEMORY_MIN)
                property_set_put_uint64(plan->properties, "MemoryMax", UNIT_MEMORY_MIN);
}

static ResourcePlan *plan_all(const OciResources *resources, ResourcesPurpose purpose, bool control_devices,
                              const ResourcesPresent *present, GError **error) {
        static const OciResources none = {0};
        g_autoptr(ResourcePlan) plan = resource_plan_new();
        Carrier carrier = {resources ? resources : &none, purpose, plan, present};

        if (!carry_all(&carrier, control_devices, error)) {
                g_prefix_error(error, RESOURCES_PATH);
                return NULL;
        }
        leave_memory_for_systemd(plan);
        return g_steal_pointer(&plan);
}

ResourcePlan *resources_plan(const OciResources *resources, ResourcesPurpose purpose, bool control_devices,
                             GError **error) {
        return plan_all(resources, purpose, control_devices, NULL, error);
}

ResourcePlan *resources_plan_update(const OciResources *resources, const ResourcesPresent *present,
                                    GError **error) {
        return plan_all(resources, RESOURCES_UPDATE, /* control_devices= */ false, present, error);
}

/* Below this the kernel may kill what only prepares the program. */
#define LOW_MEMORY_BYTES (4 << 20)

char *resources_memory_hint(const OciResources *resources) {
        if (!resources || !resources->memory.limit.set || resources->memory.limit.value < 0 ||
            resources->memory.limit.value >= LOW_MEMORY_BYTES)
                return g_strdup("");
        return g_strdup_printf(
                " (is the memory limit too low? linux.resources.memory.limit is %" G_GINT64_FORMAT " bytes)",
                (gint64) resources->memory.limit.value);
}
