/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The features document as JSON. All properties are there: what is not supported says so, since one that is
 * left out means "unknown". */

#include "oci/feature-document.h"

#include <json-glib/json-glib.h>

#include "oci/state.h"

#define OCI_VERSION_MIN "1.0.0"

static void add_string(JsonBuilder *builder, const char *name, const char *value) {
        json_builder_set_member_name(builder, name);
        json_builder_add_string_value(builder, value);
}

static void add_bool(JsonBuilder *builder, const char *name, bool value) {
        json_builder_set_member_name(builder, name);
        json_builder_add_boolean_value(builder, value);
}

static void add_names(JsonBuilder *builder, const char *name, OciNames names) {
        json_builder_set_member_name(builder, name);
        json_builder_begin_array(builder);
        for (; names && *names; names++)
                json_builder_add_string_value(builder, *names);
        json_builder_end_array(builder);
}

static void begin(JsonBuilder *builder, const char *name) {
        json_builder_set_member_name(builder, name);
        json_builder_begin_object(builder);
}

static void add_enabled(JsonBuilder *builder, const char *name, bool value) {
        begin(builder, name);
        add_bool(builder, "enabled", value);
        json_builder_end_object(builder);
}

static void add_cgroup(JsonBuilder *builder, const OciFeatures *features) {
        begin(builder, "cgroup");
        add_bool(builder, "v1", features->cgroup_v1);
        add_bool(builder, "v2", features->cgroup_v2);
        add_bool(builder, "systemd", features->systemd);
        add_bool(builder, "systemdUser", features->systemd_user);
        add_bool(builder, "rdma", features->rdma);
        json_builder_end_object(builder);
}

static void add_seccomp(JsonBuilder *builder, const OciFeatures *features) {
        begin(builder, "seccomp");
        add_bool(builder, "enabled", true);
        add_names(builder, "actions", features->seccomp_actions);
        add_names(builder, "operators", features->seccomp_operators);
        add_names(builder, "archs", features->seccomp_architectures);
        add_names(builder, "knownFlags", features->seccomp_known_flags);
        add_names(builder, "supportedFlags", features->seccomp_supported_flags);
        json_builder_end_object(builder);
}

static void add_linux(JsonBuilder *builder, const OciFeatures *features) {
        begin(builder, "linux");
        add_names(builder, "namespaces", features->namespaces);
        add_names(builder, "capabilities", features->capabilities);
        add_cgroup(builder, features);
        add_seccomp(builder, features);
        add_enabled(builder, "apparmor", features->apparmor);
        add_enabled(builder, "selinux", features->selinux);
        begin(builder, "intelRdt");
        add_bool(builder, "enabled", features->intel_rdt);
        add_bool(builder, "schemata", features->intel_rdt_schemata);
        add_bool(builder, "monitoring", features->intel_rdt_monitoring);
        json_builder_end_object(builder);
        begin(builder, "memoryPolicy");
        add_names(builder, "modes", features->memory_policy_modes);
        add_names(builder, "flags", features->memory_policy_flags);
        json_builder_end_object(builder);
        begin(builder, "mountExtensions");
        add_enabled(builder, "idmap", features->id_map);
        json_builder_end_object(builder);
        add_enabled(builder, "netDevices", features->net_devices);
        json_builder_end_object(builder);
}

char *oci_features_to_json(const OciFeatures *features) {
        g_autoptr(JsonBuilder) builder = json_builder_new();
        g_autoptr(JsonNode) root = NULL;

        json_builder_begin_object(builder);
        add_string(builder, "ociVersionMin", OCI_VERSION_MIN);
        add_string(builder, "ociVersionMax", OCI_VERSION);
        add_names(builder, "hooks", features->hooks);
        add_names(builder, "mountOptions", features->mount_options);
        add_linux(builder, features);
        begin(builder, "annotations");
        for (OciNames name = features->annotations; name && name[0]; name += 2)
                add_string(builder, name[0], name[1]);
        json_builder_end_object(builder);
        add_names(builder, "potentiallyUnsafeConfigAnnotations", features->unsafe_annotations);
        json_builder_end_object(builder);
        root = json_builder_get_root(builder);
        return json_to_string(root, /* pretty= */ true);
}
