/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The linux object: config-linux.md. What needs more than one of its properties is in check.c. */

#include "oci/config.h"

#include <linux/sched.h>
#include <sys/stat.h>

#include "oci/tables.h"
#include "oci/text.h"

#define FIELD(json, word, member, ...)        FIELD_OF(OciLinux, json, word, member, ##__VA_ARGS__)
#define ARRAY(json, word, member, count, ...) ARRAY_OF(OciLinux, json, word, member, count, ##__VA_ARGS__)

#define NUMBER_ABSENT (-1)
#define ITEMS_MAX     4096 /* of devices of either kind */

static const Word namespace_words[] = {
        {"mount",   CLONE_NEWNS    },
        {"pid",     CLONE_NEWPID   },
        {"network", CLONE_NEWNET   },
        {"uts",     CLONE_NEWUTS   },
        {"ipc",     CLONE_NEWIPC   },
        {"user",    CLONE_NEWUSER  },
        {"cgroup",  CLONE_NEWCGROUP},
        {"time",    CLONE_NEWTIME  },
};
static const Words namespace_types = WORDS("a namespace type", namespace_words);

const char *oci_namespace_name(int type) {
        for (size_t i = 0; i < G_N_ELEMENTS(namespace_words); i++)
                if (namespace_words[i].value == type)
                        return namespace_words[i].name;
        return "unknown";
}

const char *oci_namespace_name_at(int index) {
        return (size_t) index < G_N_ELEMENTS(namespace_words) ? namespace_words[index].name : NULL;
}

static const Field namespace_fields[] = {
        FIELD_OF(OciNamespace, "type", word, type, .required = true, .words = &namespace_types),
        FIELD_OF(OciNamespace, "path", string, path, .empty_is_absent = true,
                 .check = text_check_absolute_path),
};
static const Shape namespace_shape = {SHAPE(OciNamespace, namespace_fields)};

static const Field id_mapping_fields[] = {
        FIELD_OF(OciIdMapping, "containerID", uint32, container_id, .required = true),
        FIELD_OF(OciIdMapping, "hostID", uint32, host_id, .required = true),
        FIELD_OF(OciIdMapping, "size", uint32, size, .required = true),
};
const Shape id_mapping_shape = {SHAPE(OciIdMapping, id_mapping_fields)};

static const Field time_offset_fields[] = {
        FIELD_OF(OciTimeOffset, "secs", int64, seconds),
        FIELD_OF(OciTimeOffset, "nanosecs", uint32, nanoseconds, .max = 999999999),
};
static const Shape time_offset_shape = {SHAPE(OciTimeOffset, time_offset_fields)};

static const char *check_clock(const char *text) {
        return g_str_equal(text, "monotonic") || g_str_equal(text, "boottime")
                       ? NULL
                       : "is not a clock with an offset (monotonic and boottime are)";
}

static const Word device_type_words[] = {
        {"b", 'b'},
        {"c", 'c'},
        {"u", 'c'},
        {"p", 'p'}
};
static const Words device_types = WORDS("a device type (b, c, u or p)", device_type_words);

static const Field device_fields[] = {
        FIELD_OF(OciDevice, "type", letter, type, .required = true, .words = &device_types),
        FIELD_OF(OciDevice, "path", string, path, .required = true, .check = text_check_absolute_path),
        FIELD_OF(OciDevice, "major", int64, major, .max = DEVICE_MAJOR_MAX),
        FIELD_OF(OciDevice, "minor", int64, minor, .max = DEVICE_MINOR_MAX),
        FIELD_OF(OciDevice, "fileMode", maybe_uint, file_mode, .max = S_IFMT | 07777),
        FIELD_OF(OciDevice, "uid", maybe_uint, uid, .max = ID_MAX),
        FIELD_OF(OciDevice, "gid", maybe_uint, gid, .max = ID_MAX),
};

static void init_device(void *object) {
        OciDevice *device = object;

        device->major = NUMBER_ABSENT;
        device->minor = NUMBER_ABSENT;
}

static bool check_device(Decoder *decoder, void *object, GError **error) {
        OciDevice *device = object;
        bool numbered = device->type != 'p';

        if (numbered && device->major == NUMBER_ABSENT)
                return decode_fail(decoder, "major", DECODE_NO_INDEX, error, "required, but missing");
        if (numbered && device->minor == NUMBER_ABSENT)
                return decode_fail(decoder, "minor", DECODE_NO_INDEX, error, "required, but missing");
        device->major = MAX(device->major, 0);
        device->minor = MAX(device->minor, 0);
        device->file_mode.value &= 07777; /* some write st_mode here: the type is told by "type" */
        return true;
}

static const Shape device_shape = {SHAPE(OciDevice, device_fields), .init = init_device,
                                   .check = check_device};

static const Field net_device_fields[] = {
        FIELD_OF(OciPair, "name", string, value, .empty_is_absent = true, .check = text_check_interface),
};
static const Shape net_device_shape = {SHAPE(OciPair, net_device_fields)};

static const Word propagation_words[] = {
        /* The spec has four, mount(8) and engines (containerd, CRI-O) the recursive forms too. */
        {"private"},  {"shared"},  {"slave"},  {"unbindable"},
        {"rprivate"}, {"rshared"}, {"rslave"}, {"runbindable"},
};
static const Words propagations = WORDS("a mount propagation", propagation_words);

static const Word personality_words[] = {{"LINUX"}, {"LINUX32"}};
static const Words personalities = WORDS("an execution domain (LINUX or LINUX32)", personality_words);

static bool decode_personality_flags(Decoder *decoder, const Field *field, const DocumentNode *node,
                                     void *object, GError **error) {
        if (!decode_expect(decoder, node, DOCUMENT_ARRAY, error))
                return false;
        return node->n == 0 || decode_fail(decoder, NULL, DECODE_NO_INDEX, error,
                                           "the spec has no flags of a personality yet");
}

static const FieldKind field_personality_flags = {decode_personality_flags};

static const Field personality_fields[] = {
        FIELD("domain", string, personality_domain, .required = true, .words = &personalities),
        {"flags", &field_personality_flags},
};
static const Shape personality_shape = {SHAPE(OciLinux, personality_fields)};

static const Word policy_words[] = {
        {"MPOL_DEFAULT"},   {"MPOL_BIND"},           {"MPOL_INTERLEAVE"}, {"MPOL_WEIGHTED_INTERLEAVE"},
        {"MPOL_PREFERRED"}, {"MPOL_PREFERRED_MANY"}, {"MPOL_LOCAL"},
};
static const Words policies = WORDS("a memory policy", policy_words);

static const Word policy_flag_words[] = {
        {"MPOL_F_NUMA_BALANCING"}, {"MPOL_F_RELATIVE_NODES"}, {"MPOL_F_STATIC_NODES"}};
static const Words policy_flags = WORDS("a flag of a memory policy", policy_flag_words);

static const Field memory_policy_fields[] = {
        FIELD("mode", string, memory_policy_mode, .required = true, .words = &policies),
        FIELD("nodes", string, memory_policy_nodes, .check = text_check_cpu_list),
        FIELD("flags", strings, memory_policy_flags, .words = &policy_flags),
};
static const Shape memory_policy_shape = {SHAPE(OciLinux, memory_policy_fields)};

static const Field intel_rdt_fields[] = {
        FIELD_OF(OciIntelRdt, "closID", string, clos_id, .empty_is_absent = true, .check = text_check_clos),
        FIELD_OF(OciIntelRdt, "l3CacheSchema", string, l3_cache_schema, .empty_is_absent = true),
        FIELD_OF(OciIntelRdt, "memBwSchema", string, mem_bw_schema, .empty_is_absent = true,
                 .check = text_check_bandwidth),
        FIELD_OF(OciIntelRdt, "schemata", strings, schemata, .check = text_check_one_line),
        FIELD_OF(OciIntelRdt, "enableMonitoring", boolean, enable_monitoring),
};
static const Shape intel_rdt_shape = {SHAPE(OciIntelRdt, intel_rdt_fields)};

static const Field linux_fields[] = {
        ARRAY("namespaces", structs, namespaces, n_namespaces, .shape = &namespace_shape),
        ID_MAPPINGS_OF(OciLinux, "uidMappings", uid_mappings),
        ID_MAPPINGS_OF(OciLinux, "gidMappings", gid_mappings),
        ARRAY("timeOffsets", map, time_offsets, n_time_offsets, .shape = &time_offset_shape,
              .check_key = check_clock),
        ARRAY("devices", structs, devices, n_devices, .max_n = ITEMS_MAX, .shape = &device_shape),
        ARRAY("netDevices", map, net_devices.items, net_devices.n, .max_n = ITEMS_MAX,
              .shape = &net_device_shape, .check_key = text_check_interface),
        FIELD("cgroupsPath", string, cgroups_path, .empty_is_absent = true),
        FIELD("resources", pointer, resources, .shape = &resources_shape),
        FIELD("sysctl", pairs, sysctl, .check_key = text_check_sysctl),
        FIELD("seccomp", pointer, seccomp, .shape = &seccomp_shape),
        FIELD("rootfsPropagation", string, rootfs_propagation, .empty_is_absent = true,
              .words = &propagations),
        FIELD("maskedPaths", strings, masked_paths, .check = text_check_absolute_path),
        FIELD("readonlyPaths", strings, readonly_paths, .check = text_check_absolute_path),
        FIELD("mountLabel", string, mount_label, .empty_is_absent = true),
        SECTION_OF("personality", personality_shape),
        SECTION_OF("memoryPolicy", memory_policy_shape),
        FIELD("intelRdt", pointer, intel_rdt, .shape = &intel_rdt_shape),
};

const Shape linux_shape = {SHAPE(OciLinux, linux_fields), .check = check_linux};
