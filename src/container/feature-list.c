/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What this runtime can do, gathered from the tables that say so to the rest of the program. */

#include "container/feature-list.h"

#include <glib.h>
#include <seccomp.h>

#include "container/capability-name.h"
#include "container/memory-policy.h"
#include "container/mount-option.h"
#include "container/seccomp-word.h"
#include "container/unit-properties.h"
#include "oci/config.h"
#include "oci/feature-document.h"

/* What engines must not let everybody set: it changes the unit, or how the container is made. A prefix ends
 * in ".". */
static const char *const unsafe_annotations[] = {ANNOTATION_PROPERTY_PREFIX, "run.oci.", NULL};

static const char **list_finish(GPtrArray *list) {
        g_ptr_array_add(list, NULL);
        return (const char **) g_ptr_array_free(list, FALSE);
}

static const char **list_hooks(void) {
        GPtrArray *list = g_ptr_array_new();

        for (OciHookKind kind = 0; kind < OCI_HOOK_KINDS; kind++)
                g_ptr_array_add(list, (char *) oci_hook_kind_name(kind));
        return list_finish(list);
}

static const char **list_mount_options(void) {
        GPtrArray *list = g_ptr_array_new();

        for (const MountOption *option = NULL; (option = mount_option_next(option));)
                g_ptr_array_add(list, (char *) option->name);
        return list_finish(list);
}

/* Lists what @name_at gives for 0, 1, … up to the first NULL. */
static const char **list_names(const char *(*name_at)(int index)) {
        GPtrArray *list = g_ptr_array_new();
        const char *name;

        for (int i = 0; (name = name_at(i)); i++)
                g_ptr_array_add(list, (char *) name);
        return list_finish(list);
}

static const char **list_words(SeccompWordKind kind, bool (*is_meant)(const char *name)) {
        GPtrArray *list = g_ptr_array_new();
        const char *name;

        for (size_t i = 0; (name = seccomp_word_at(kind, i)); i++)
                if (!is_meant || is_meant(name))
                        g_ptr_array_add(list, (char *) name);
        return list_finish(list);
}

static bool is_known_architecture(const char *name) {
        return seccomp_architecture_from_name(name) != 0;
}

static bool is_supported_flag(const char *name) {
        return seccomp_flag_is_supported(seccomp_flag_from_name(name));
}

char *features_json(void) {
        const struct scmp_version *version = seccomp_version();
        g_autofree char *seccomp =
                g_strdup_printf("%u.%u.%u", version->major, version->minor, version->micro);
        const char *const annotations[] = {
                "io.github.seccomp.libseccomp.version",
                seccomp,
                "org.opencontainers.runc.checkpoint.enabled",
                "true",
                NULL,
        };
        g_autofree const char **hooks = list_hooks(), **mount_options = list_mount_options();
        g_autofree const char **namespaces = list_names(oci_namespace_name_at),
                              **capabilities = list_names(capability_name);
        g_autofree const char **actions = list_words(SECCOMP_WORD_ACTION, NULL),
                              **operators = list_words(SECCOMP_WORD_OPERATOR, NULL),
                              **architectures = list_words(SECCOMP_WORD_ARCHITECTURE, is_known_architecture),
                              **flags = list_words(SECCOMP_WORD_FLAG, NULL),
                              **supported = list_words(SECCOMP_WORD_FLAG, is_supported_flag);
        g_autofree const char **policy_modes = list_names(memory_policy_mode_at),
                              **policy_flags = list_names(memory_policy_flag_at);
        const OciFeatures features = {
                .hooks = hooks,
                .mount_options = mount_options,
                .namespaces = namespaces,
                .capabilities = capabilities,
                .cgroup_v2 = true,
                .systemd = true,
                .systemd_user = true,
                .rdma = true,
                .seccomp_actions = actions,
                .seccomp_operators = operators,
                .seccomp_architectures = architectures,
                .seccomp_known_flags = flags,
                .seccomp_supported_flags = supported,
                .apparmor = true,
                .selinux = true,
                .intel_rdt = true,
                .intel_rdt_schemata = true,
                .intel_rdt_monitoring = true,
                .memory_policy_modes = policy_modes,
                .memory_policy_flags = policy_flags,
                .id_map = true,
                .net_devices = true,
                .annotations = annotations,
                .unsafe_annotations = unsafe_annotations,
        };

        return oci_features_to_json(&features);
}
