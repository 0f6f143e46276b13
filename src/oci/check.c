/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What more than one property of the linux object decides together. That a joined namespace is not the host's
 * own, that ranges of a mapping are ours to use and that a sysctl exists can only be told by looking at the
 * system; container/ and the kernel do. */

#include "oci/config.h"

#include <linux/sched.h>
#include <string.h>

#include "oci/tables.h"

#define ID_MAPPINGS_MAX 340 /* user_namespaces(7), since Linux 4.15 */

static const OciNamespace *find_namespace(const OciLinux *linux, int type) {
        for (size_t i = 0; i < linux->n_namespaces; i++)
                if (linux->namespaces[i].type == type)
                        return &linux->namespaces[i];
        return NULL;
}

const OciNamespace *oci_config_namespace(const OciConfig *config, int type) {
        return find_namespace(&config->linux, type);
}

/* The kernel adds in 32 bits and refuses a sum that wraps. */
static bool overflows(uint32_t first, uint32_t size) {
        return (uint64_t) first + size > UINT32_MAX;
}

static bool overlap(uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size) {
        return a < (uint64_t) b + b_size && b < (uint64_t) a + a_size;
}

static bool check_id_mapping(Decoder *decoder, const char *key, const OciIdMappings *mappings, size_t i,
                             GError **error) {
        const OciIdMapping *mapping = &mappings->items[i];

        if (mapping->size == 0)
                return decode_fail(decoder, key, i, error, "the size must be at least 1");
        if (overflows(mapping->container_id, mapping->size) || overflows(mapping->host_id, mapping->size))
                return decode_fail(decoder, key, i, error, "the range goes beyond 4294967294, the last ID");
        for (size_t k = 0; k < i; k++) {
                const OciIdMapping *other = &mappings->items[k];

                if (overlap(mapping->container_id, mapping->size, other->container_id, other->size) ||
                    overlap(mapping->host_id, mapping->size, other->host_id, other->size))
                        return decode_fail(decoder, key, i, error, "the range overlaps that of %s[%zu]", key,
                                           k);
        }
        return true;
}

bool check_id_mappings(Decoder *decoder, const char *key, const OciIdMappings *mappings, GError **error) {
        if (mappings->n > ID_MAPPINGS_MAX)
                return decode_fail(decoder, key, DECODE_NO_INDEX, error, "more than %d ranges",
                                   ID_MAPPINGS_MAX);
        for (size_t i = 0; i < mappings->n; i++)
                if (!check_id_mapping(decoder, key, mappings, i, error))
                        return false;
        return true;
}

/* "If a namespaces field contains duplicated namespaces with same type, the runtime MUST generate an error."
 */
static bool check_namespaces(Decoder *decoder, const OciLinux *linux, GError **error) {
        for (size_t i = 0; i < linux->n_namespaces; i++)
                for (size_t k = 0; k < i; k++)
                        if (linux->namespaces[i].type == linux->namespaces[k].type)
                                return decode_fail(decoder, "namespaces", i, error,
                                                   "the type '%s' stands in namespaces[%zu] already",
                                                   oci_namespace_name(linux->namespaces[i].type), k);
        return true;
}

static bool check_user_namespace(Decoder *decoder, const OciLinux *linux, GError **error) {
        const OciNamespace *user = find_namespace(linux, CLONE_NEWUSER);
        const struct {
                const char *key;
                const OciIdMappings *mappings;
        } both[] = {
                {"uidMappings", &linux->uid_mappings},
                {"gidMappings", &linux->gid_mappings},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(both); i++) {
                bool mapped = both[i].mappings->n > 0;

                if (!mapped && user && !user->path)
                        return decode_fail(decoder, both[i].key, DECODE_NO_INDEX, error,
                                           "required for a new user namespace, but missing");
                /* Not to be passed over: who wrote it does not expect root in the container to be root. */
                if (mapped && !user)
                        return decode_fail(decoder, both[i].key, DECODE_NO_INDEX, error,
                                           "there is no user namespace among the namespaces");
                if (!check_id_mappings(decoder, both[i].key, both[i].mappings, error))
                        return false;
        }
        return true;
}

/* Offsets can be set only before the first process is in the namespace, time_namespaces(7). */
static bool check_time_offsets(Decoder *decoder, const OciLinux *linux, GError **error) {
        const OciNamespace *time = find_namespace(linux, CLONE_NEWTIME);

        if (linux->n_time_offsets == 0 || (time && !time->path))
                return true;
        return decode_fail(decoder, "timeOffsets", DECODE_NO_INDEX, error,
                           "there is no new time namespace among the namespaces");
}

/* Which sysctls belong to a namespace; what is not here is the host's. Paths below /proc/sys, a slash at the
 * end: all in there. */
static const struct {
        const char *path;
        int type;
} sysctl_rules[] = {
        {"net/",                   CLONE_NEWNET },
        {"fs/mqueue/",             CLONE_NEWIPC },
        {"kernel/auto_msgmni",     CLONE_NEWIPC },
        {"kernel/msg_next_id",     CLONE_NEWIPC },
        {"kernel/msgmax",          CLONE_NEWIPC },
        {"kernel/msgmnb",          CLONE_NEWIPC },
        {"kernel/msgmni",          CLONE_NEWIPC },
        {"kernel/sem",             CLONE_NEWIPC },
        {"kernel/sem_next_id",     CLONE_NEWIPC },
        {"kernel/shm_next_id",     CLONE_NEWIPC },
        {"kernel/shm_rmid_forced", CLONE_NEWIPC },
        {"kernel/shmall",          CLONE_NEWIPC },
        {"kernel/shmmax",          CLONE_NEWIPC },
        {"kernel/shmmni",          CLONE_NEWIPC },
        {"kernel/domainname",      CLONE_NEWUTS },
        {"kernel/hostname",        CLONE_NEWUTS },
        {"user/",                  CLONE_NEWUSER},
};

int oci_sysctl_namespace(const char *path) {
        for (size_t i = 0; i < G_N_ELEMENTS(sysctl_rules); i++) {
                const char *rule = sysctl_rules[i].path;

                if (g_str_has_suffix(rule, "/") ? g_str_has_prefix(path, rule) : strcmp(path, rule) == 0)
                        return sysctl_rules[i].type;
        }
        return 0;
}

static bool check_sysctl(Decoder *decoder, const OciLinux *linux, GError **error) {
        for (size_t i = 0; i < linux->sysctl.n; i++) {
                const char *key = linux->sysctl.items[i].key;
                g_autofree char *path = oci_sysctl_path(key);
                int type = oci_sysctl_namespace(path);
                g_autofree char *shown = decode_shown(key);

                if (type == 0)
                        return decode_fail(decoder, "sysctl", DECODE_NO_INDEX, error,
                                           "'%s' is the host's: it belongs to no namespace", shown);
                if (!find_namespace(linux, type))
                        return decode_fail(
                                decoder, "sysctl", DECODE_NO_INDEX, error,
                                "'%s' would be the host's: there is no %s namespace among the namespaces",
                                shown, oci_namespace_name(type));
        }
        return true;
}

bool check_linux(Decoder *decoder, void *object, GError **error) {
        const OciLinux *linux = object;

        return check_namespaces(decoder, linux, error) && check_user_namespace(decoder, linux, error) &&
               check_time_offsets(decoder, linux, error) && check_sysctl(decoder, linux, error);
}

/* sysctl(8), "variable": the first separator that is met tells which one it is; the other is then part of a
 * name, "eth0.1" for net.ipv4.conf.eth0/1.forwarding. */
char *oci_sysctl_path(const char *key) {
        char *path = g_strdup(key);

        if (key[strcspn(key, "./")] == '/')
                return path;
        for (char *at = path; *at; at++)
                if (*at == '.')
                        *at = '/';
                else if (*at == '/')
                        *at = '.';
        return path;
}
