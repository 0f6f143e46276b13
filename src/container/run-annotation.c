/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One table; the man page has the same rows. */

#include "container/run-annotation.h"

#include <string.h>

#include "base-glib/error.h"

typedef enum Treatment {
        HONOURED,
        IGNORED, /* with a warning */
        REFUSED,
} Treatment;

static const struct {
        const char *name; /* behind RUN_ANNOTATION_PREFIX */
        Treatment treatment;
        const char *reason;
} run_annotations[] = {
        {"keep_original_groups",         HONOURED, NULL                                                           },
        {"mount_context_type",           HONOURED, NULL                                                           },
        {"pidfd_receiver",               HONOURED, NULL                                                           },
        {"seccomp.receiver",             HONOURED, NULL                                                           },
        {"seccomp_fail_unknown_syscall", HONOURED, NULL                                                           },
        {"delegate-cgroup",              IGNORED,  "the container's own group is the delegated one"               },
        {"hooks.stderr",                 IGNORED,  "the output of hooks is in the journal"                        },
        {"hooks.stdout",                 IGNORED,  "the output of hooks is in the journal"                        },
        {"systemd.force_cgroup_v1",      IGNORED,  "there is cgroup v2 only"                                      },
        {"systemd.subgroup",             IGNORED,  "the sub-group is always 'payload'"                            },
        {"handler",                      REFUSED,  "there is no other way to run the program than to execute it"  },
        {"seccomp.plugins",              REFUSED,  "code of others is not loaded into the runtime"                },
        {"seccomp_bpf_data",             REFUSED,  "a filter has to be told in linux.seccomp, where it is checked"},
};

static bool check(Plan *plan, const char *name, GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(run_annotations); i++) {
                if (strcmp(run_annotations[i].name, name) != 0)
                        continue;
                if (run_annotations[i].treatment == REFUSED)
                        return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                         "annotations['" RUN_ANNOTATION_PREFIX "%s']: %s", name,
                                         run_annotations[i].reason);
                if (run_annotations[i].treatment == IGNORED)
                        plan_warn(plan, "annotations['" RUN_ANNOTATION_PREFIX "%s']: %s, ignoring", name,
                                  run_annotations[i].reason);
                return true;
        }
        g_debug("annotations['" RUN_ANNOTATION_PREFIX "%s']: unknown, ignoring", name);
        return true;
}

bool run_annotations_check(Plan *plan, const OciConfig *config, GError **error) {
        for (size_t i = 0; i < config->annotations.n; i++) {
                const char *key = config->annotations.items[i].key;

                if (g_str_has_prefix(key, RUN_ANNOTATION_PREFIX) &&
                    !check(plan, key + strlen(RUN_ANNOTATION_PREFIX), error))
                        return false;
        }
        return true;
}
