/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.resources: config-linux.md, "Control groups". The object also comes alone, to `update`. What a value
 * means to cgroup v2 is left to others; here it only has to be one that the spec allows. */

#include "oci/config.h"

#include <string.h>

#include "oci/tables.h"
#include "oci/text.h"

#define FIELD(json, word, member, ...)        FIELD_OF(OciResources, json, word, member, ##__VA_ARGS__)
#define ARRAY(json, word, member, count, ...) ARRAY_OF(OciResources, json, word, member, count, ##__VA_ARGS__)

#define ITEMS_MAX 4096 /* of anything: these are devices of the host, and files of a control group */

static bool decode_device_access(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                                 GError **error) {
        OciDeviceRule *rule = object;
        g_autofree char *access = NULL;

        if (!field_string.decode(decoder, &(Field){.check = field->check}, node, &access, error))
                return false;
        rule->read = strchr(access, 'r') != NULL;
        rule->write = strchr(access, 'w') != NULL;
        rule->mknod = strchr(access, 'm') != NULL;
        return true;
}

static const FieldKind field_device_access = {decode_device_access};

static const Word device_type_words[] = {
        {"a", 'a'},
        {"b", 'b'},
        {"c", 'c'}
};
static const Words device_types = WORDS("a type of device rule (a, b or c)", device_type_words);

static const Field device_fields[] = {
        FIELD_OF(OciDeviceRule, "allow", boolean, allow, .required = true),
        FIELD_OF(OciDeviceRule, "type", letter, type, .empty_is_absent = true, .words = &device_types),
        FIELD_OF(OciDeviceRule, "major", int64, major, .min = -1, .max = DEVICE_MAJOR_MAX),
        FIELD_OF(OciDeviceRule, "minor", int64, minor, .min = -1, .max = DEVICE_MINOR_MAX),
        {"access", &field_device_access, .check = text_check_device_access},
};

static void init_device(void *object) { /* what is not set means "all" */
        *(OciDeviceRule *) object = (OciDeviceRule){.type = 'a', .major = -1, .minor = -1};
}

/* What absent access means the spec does not say. As cgroup v1 had it: everything for a rule about all
 * devices, nothing for one that allows a device of its own. To deny nothing would be pointless. */
static bool check_device(Decoder *decoder, void *object, GError **error) {
        OciDeviceRule *rule = object;

        if (!rule->read && !rule->write && !rule->mknod)
                rule->read = rule->write = rule->mknod = !rule->allow || rule->type == 'a';
        return true;
}

static const Shape device_shape = {SHAPE(OciDeviceRule, device_fields), .init = init_device,
                                   .check = check_device};

static const Field memory_fields[] = {
        FIELD("limit", maybe_int, memory.limit, .min = -1, .max = INT64_MAX),
        FIELD("reservation", maybe_int, memory.reservation, .min = -1, .max = INT64_MAX),
        FIELD("swap", maybe_int, memory.swap, .min = -1, .max = INT64_MAX),
        FIELD("kernel", maybe_int, memory.kernel, .min = -1, .max = INT64_MAX),
        FIELD("kernelTCP", maybe_int, memory.kernel_tcp, .min = -1, .max = INT64_MAX),
        FIELD("swappiness", maybe_uint, memory.swappiness, .max = 100),
        FIELD("disableOOMKiller", maybe_bool, memory.disable_oom_killer),
        FIELD("useHierarchy", maybe_bool, memory.use_hierarchy),
        FIELD("checkBeforeUpdate", maybe_bool, memory.check_before_update),
};
static const Shape memory_shape = {SHAPE(OciResources, memory_fields)};

static const Field cpu_fields[] = {
        FIELD("shares", maybe_uint, cpu.shares),
        FIELD("quota", maybe_int, cpu.quota),
        FIELD("burst", maybe_uint, cpu.burst),
        FIELD("period", maybe_uint, cpu.period),
        FIELD("realtimeRuntime", maybe_int, cpu.realtime_runtime),
        FIELD("realtimePeriod", maybe_uint, cpu.realtime_period),
        FIELD("cpus", string, cpu.cpus, .empty_is_absent = true, .check = text_check_cpu_list),
        FIELD("mems", string, cpu.mems, .empty_is_absent = true, .check = text_check_cpu_list),
        FIELD("idle", maybe_int, cpu.idle, .max = 1),
};

static bool check_cpu(Decoder *decoder, void *object, GError **error) {
        const OciResources *resources = object;

        /* "If specified, this value MUST be no larger than any positive quota." */
        if (!resources->cpu.burst.set || !resources->cpu.quota.set || resources->cpu.quota.value <= 0 ||
            resources->cpu.burst.value <= (uint64_t) resources->cpu.quota.value)
                return true;
        return decode_fail(decoder, "burst", DECODE_NO_INDEX, error,
                           "%" G_GUINT64_FORMAT " is more than the quota, %" G_GINT64_FORMAT,
                           resources->cpu.burst.value, resources->cpu.quota.value);
}

static const Shape cpu_shape = {SHAPE(OciResources, cpu_fields), .check = check_cpu};

static const Field pids_fields[] = {FIELD("limit", maybe_int, pids_limit, .required = true)};
static const Shape pids_shape = {SHAPE(OciResources, pids_fields)};

static const Field weight_device_fields[] = {
        FIELD_OF(OciWeightDevice, "major", int64, major, .required = true, .max = DEVICE_MAJOR_MAX),
        FIELD_OF(OciWeightDevice, "minor", int64, minor, .required = true, .max = DEVICE_MINOR_MAX),
        FIELD_OF(OciWeightDevice, "weight", maybe_uint, weight, .max = UINT16_MAX),
        FIELD_OF(OciWeightDevice, "leafWeight", maybe_uint, leaf_weight, .max = UINT16_MAX),
};

static bool check_weight_device(Decoder *decoder, void *object, GError **error) {
        const OciWeightDevice *device = object;

        return device->weight.set || device->leaf_weight.set ||
               decode_fail(decoder, NULL, DECODE_NO_INDEX, error, "weight or leafWeight is required");
}

static const Shape weight_device_shape = {SHAPE(OciWeightDevice, weight_device_fields),
                                          .check = check_weight_device};

static const Field throttle_fields[] = {
        FIELD_OF(OciThrottle, "major", int64, major, .required = true, .max = DEVICE_MAJOR_MAX),
        FIELD_OF(OciThrottle, "minor", int64, minor, .required = true, .max = DEVICE_MINOR_MAX),
        FIELD_OF(OciThrottle, "rate", uint64, rate, .required = true),
};
static const Shape throttle_shape = {SHAPE(OciThrottle, throttle_fields)};

#define THROTTLES(json, member)                                                                              \
        ARRAY(json, structs, block_io.member.items, block_io.member.n, .max_n = ITEMS_MAX,                   \
              .shape = &throttle_shape)

static const Field block_io_fields[] = {
        FIELD("weight", maybe_uint, block_io.weight, .max = UINT16_MAX),
        FIELD("leafWeight", maybe_uint, block_io.leaf_weight, .max = UINT16_MAX),
        ARRAY("weightDevice", structs, block_io.weight_devices, block_io.n_weight_devices, .max_n = ITEMS_MAX,
              .shape = &weight_device_shape),
        THROTTLES("throttleReadBpsDevice", read_bps),
        THROTTLES("throttleWriteBpsDevice", write_bps),
        THROTTLES("throttleReadIOPSDevice", read_iops),
        THROTTLES("throttleWriteIOPSDevice", write_iops),
};
static const Shape block_io_shape = {SHAPE(OciResources, block_io_fields)};

static const Field hugepage_fields[] = {
        FIELD_OF(OciHugepageLimit, "pageSize", string, page_size, .required = true,
                 .check = text_check_page_size),
        FIELD_OF(OciHugepageLimit, "limit", uint64, limit, .required = true),
};
static const Shape hugepage_shape = {SHAPE(OciHugepageLimit, hugepage_fields)};

static const Field rdma_fields[] = {
        FIELD_OF(OciRdma, "hcaHandles", maybe_uint, hca_handles, .max = UINT32_MAX),
        FIELD_OF(OciRdma, "hcaObjects", maybe_uint, hca_objects, .max = UINT32_MAX),
};

static bool check_rdma(Decoder *decoder, void *object, GError **error) {
        const OciRdma *rdma = object;

        return rdma->hca_handles.set || rdma->hca_objects.set ||
               decode_fail(decoder, NULL, DECODE_NO_INDEX, error, "hcaHandles or hcaObjects is required");
}

static const Shape rdma_shape = {SHAPE(OciRdma, rdma_fields), .check = check_rdma};

static bool decode_priority(Decoder *decoder, const Field *field, const DocumentNode *node, void *object,
                            GError **error) {
        OciPair *pair = object;
        uint64_t priority;

        if (!decode_integer(decoder, node, 0, UINT32_MAX, &priority, error))
                return false;
        pair->value = g_strdup_printf("%" G_GUINT64_FORMAT, priority);
        return true;
}

static void clear_priority(const Field *field, void *object) {
        g_clear_pointer(&((OciPair *) object)->value, g_free);
}

static const FieldKind field_priority = {decode_priority, clear_priority};

static const Field priority_fields[] = {
        FIELD_OF(OciPair, "name", string, key, .required = true, .check = text_check_interface),
        FIELD_OF(OciPair, "priority", priority, value, .required = true),
};
static const Shape priority_shape = {SHAPE(OciPair, priority_fields)};

static const Field network_fields[] = {
        FIELD("classID", maybe_uint, network_class_id, .max = UINT32_MAX),
        ARRAY("priorities", structs, network_priorities.items, network_priorities.n, .max_n = ITEMS_MAX,
              .shape = &priority_shape),
};
static const Shape network_shape = {SHAPE(OciResources, network_fields)};

static const Field resources_fields[] = {
        ARRAY("devices", structs, devices, n_devices, .max_n = ITEMS_MAX, .shape = &device_shape),
        SECTION_OF("memory", memory_shape),
        SECTION_OF("cpu", cpu_shape),
        SECTION_OF("pids", pids_shape),
        SECTION_OF("blockIO", block_io_shape),
        ARRAY("hugepageLimits", structs, hugepage_limits, n_hugepage_limits, .max_n = ITEMS_MAX,
              .shape = &hugepage_shape),
        SECTION_OF("network", network_shape),
        ARRAY("rdma", map, rdma, n_rdma, .max_n = ITEMS_MAX, .shape = &rdma_shape,
              .check_key = text_check_not_empty),
        FIELD("unified", pairs, unified, .max_n = ITEMS_MAX, .check_key = text_check_file_name),
};

const Shape resources_shape = {SHAPE(OciResources, resources_fields)};
