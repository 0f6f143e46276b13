/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Facts to key file and back, by one table. */

#include "container/facts.h"

#include <errno.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "protocol/state-dir.h"

#define GROUP      "Container"
#define SIZE_LIMIT (1 << 20)

typedef enum FactType { FACT_STRING, FACT_BOOL, FACT_PID, FACT_UID, FACT_UINT64, FACT_INT64 } FactType;

static const struct {
        const char *key;
        FactType type;
        size_t offset;
} facts_table[] = {
        {"Unit",             FACT_STRING, G_STRUCT_OFFSET(Facts, unit)               },
        {"NoUnit",           FACT_BOOL,   G_STRUCT_OFFSET(Facts, no_unit)            },
        {"Service",          FACT_BOOL,   G_STRUCT_OFFSET(Facts, service)            },
        {"UserManager",      FACT_BOOL,   G_STRUCT_OFFSET(Facts, user_manager)       },
        {"Bundle",           FACT_STRING, G_STRUCT_OFFSET(Facts, bundle)             },
        {"Rootfs",           FACT_STRING, G_STRUCT_OFFSET(Facts, rootfs)             },
        {"HostMounts",       FACT_STRING, G_STRUCT_OFFSET(Facts, mounts.place)       },
        {"MountBelow",       FACT_UINT64, G_STRUCT_OFFSET(Facts, mounts.below)       },
        {"MountNamespace",   FACT_STRING, G_STRUCT_OFFSET(Facts, mounts.namespace)   },
        {"MountNamespaceID", FACT_UINT64, G_STRUCT_OFFSET(Facts, mounts.namespace_id)},
        {"ControlGroup",     FACT_STRING, G_STRUCT_OFFSET(Facts, cgroup)             },
        {"PayloadID",        FACT_UINT64, G_STRUCT_OFFSET(Facts, payload_id)         },
        {"PID",              FACT_PID,    G_STRUCT_OFFSET(Facts, pid)                },
        {"StartTime",        FACT_UINT64, G_STRUCT_OFFSET(Facts, start_ticks)        },
        {"Created",          FACT_INT64,  G_STRUCT_OFFSET(Facts, created_usec)       },
        {"Owner",            FACT_UID,    G_STRUCT_OFFSET(Facts, owner)              },
        {"NoPoststopHooks",  FACT_BOOL,   G_STRUCT_OFFSET(Facts, no_poststop_hooks)  },
        {"HasProcess",       FACT_BOOL,   G_STRUCT_OFFSET(Facts, has_process)        },
        {"NoNewKeyring",     FACT_BOOL,   G_STRUCT_OFFSET(Facts, no_new_keyring)     },
        {"OwnPIDNamespace",  FACT_BOOL,   G_STRUCT_OFFSET(Facts, own_pid_namespace)  },
        {"ResctrlGroup",     FACT_STRING, G_STRUCT_OFFSET(Facts, resctrl.path)       },
        {"ResctrlMade",      FACT_BOOL,   G_STRUCT_OFFSET(Facts, resctrl.made)       },
        {"ResctrlMonitor",   FACT_STRING, G_STRUCT_OFFSET(Facts, resctrl.monitor)    },
        {"SeccompListener",  FACT_STRING, G_STRUCT_OFFSET(Facts, seccomp_listener)   },
        {"StandardInput",    FACT_STRING, G_STRUCT_OFFSET(Facts, stdio[0])           },
        {"StandardOutput",   FACT_STRING, G_STRUCT_OFFSET(Facts, stdio[1])           },
        {"StandardError",    FACT_STRING, G_STRUCT_OFFSET(Facts, stdio[2])           },
};

void facts_free(Facts *facts) {
        if (!facts)
                return;
        g_free(facts->unit);
        g_free(facts->bundle);
        g_free(facts->rootfs);
        host_mounts_clear(&facts->mounts);
        g_free(facts->cgroup);
        g_free(facts->seccomp_listener);
        for (size_t i = 0; i < G_N_ELEMENTS(facts->stdio); i++)
                g_free(facts->stdio[i]);
        resctrl_group_clear(&facts->resctrl);
        g_free(facts);
}

static void put(GKeyFile *file, const char *key, FactType type, const void *field) {
        switch (type) {
        case FACT_STRING:
                if (*(char *const *) field)
                        g_key_file_set_string(file, GROUP, key, *(char *const *) field);
                break;
        case FACT_BOOL:
                g_key_file_set_boolean(file, GROUP, key, *(const bool *) field);
                break;
        case FACT_PID:
                g_key_file_set_int64(file, GROUP, key, *(const pid_t *) field);
                break;
        case FACT_UID:
                g_key_file_set_uint64(file, GROUP, key, *(const uid_t *) field);
                break;
        case FACT_UINT64:
                g_key_file_set_uint64(file, GROUP, key, *(const uint64_t *) field);
                break;
        case FACT_INT64:
                g_key_file_set_int64(file, GROUP, key, *(const int64_t *) field);
                break;
        }
}

static void get(GKeyFile *file, const char *key, FactType type, void *field) {
        switch (type) {
        case FACT_STRING:
                *(char **) field = g_key_file_get_string(file, GROUP, key, NULL);
                break;
        case FACT_BOOL:
                *(bool *) field = g_key_file_get_boolean(file, GROUP, key, NULL);
                break;
        case FACT_PID:
                *(pid_t *) field = (pid_t) g_key_file_get_int64(file, GROUP, key, NULL);
                break;
        case FACT_UID:
                *(uid_t *) field = (uid_t) g_key_file_get_uint64(file, GROUP, key, NULL);
                break;
        case FACT_UINT64:
                *(uint64_t *) field = g_key_file_get_uint64(file, GROUP, key, NULL);
                break;
        case FACT_INT64:
                *(int64_t *) field = g_key_file_get_int64(file, GROUP, key, NULL);
                break;
        }
}

bool facts_write(const Facts *facts, int dir_fd, const char *name, GError **error) {
        g_autoptr(GKeyFile) file = g_key_file_new();
        g_autofree char *text = NULL;
        gsize size;
        int r;

        for (size_t i = 0; i < G_N_ELEMENTS(facts_table); i++)
                put(file, facts_table[i].key, facts_table[i].type,
                    (const char *) facts + facts_table[i].offset);
        text = g_key_file_to_data(file, &size, NULL);
        r = file_replace(dir_fd, name, text, size, 0600);
        return r < 0 ? fail_errno(error, r, "cannot write '%s' in the state directory", name) : true;
}

Facts *facts_load(int dir_fd, const char *name, GError **error) {
        g_autoptr(GKeyFile) file = g_key_file_new();
        g_autoptr(Facts) facts = g_new0(Facts, 1);
        autofree char *text = NULL;
        size_t size;
        int r = file_read(dir_fd, name, SIZE_LIMIT, &text, &size);

        if (r == -ENOENT) {
                fail_code(error, UNITRUN_ERROR_NOT_FOUND, "there is no '%s' in the state directory", name);
                return NULL;
        }
        if (r < 0) {
                fail_errno(error, r, "cannot read '%s' in the state directory", name);
                return NULL;
        }
        if (!g_key_file_load_from_data(file, text, size, G_KEY_FILE_NONE, error)) {
                fail_prefix(error, "the state file '%s' is damaged", name);
                return NULL;
        }
        for (size_t i = 0; i < G_N_ELEMENTS(facts_table); i++)
                get(file, facts_table[i].key, facts_table[i].type, (char *) facts + facts_table[i].offset);
        /* A file that ends too early, for one. */
        if ((!facts->unit && !facts->no_unit) ||
            (strcmp(name, STATE_FACTS) == 0 && (facts->pid <= 0 || !facts->bundle || !facts->rootfs))) {
                fail(error,
                     "the state file '%s' is damaged: it does not name a unit, a PID, a bundle and a root",
                     name);
                return NULL;
        }
        return g_steal_pointer(&facts);
}
