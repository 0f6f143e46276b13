/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* What a runtime can do, as the spec's features.md and features-linux.md have it: what `features` prints. */

typedef const char *const *OciNames; /* (array zero-terminated=1); NULL is an empty one */

typedef struct OciFeatures {
        OciNames hooks;
        OciNames mount_options;
        OciNames namespaces;
        OciNames capabilities;
        bool cgroup_v1, cgroup_v2, systemd, systemd_user, rdma;
        OciNames seccomp_actions, seccomp_operators, seccomp_architectures;
        OciNames seccomp_known_flags, seccomp_supported_flags;
        bool apparmor, selinux;
        bool intel_rdt, intel_rdt_schemata, intel_rdt_monitoring;
        OciNames memory_policy_modes, memory_policy_flags;
        bool id_map;
        bool net_devices;
        OciNames annotations; /* key, value, key, value, … */
        OciNames unsafe_annotations;
} OciFeatures;

/**
 * oci_features_to_json:
 * Returns (transfer full): the document, pretty.
 */
char *oci_features_to_json(const OciFeatures *features);
