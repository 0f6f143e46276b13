/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The identity maps of a user namespace, written from outside. */

#include "container/id-map.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/file.h"
#include "container/capability-name.h"

/* The same for users and for groups. */
typedef struct IdMapKind {
        const char *file; /* below /proc/PID */
        const char *json_path;
        const char *program; /* what writes it for who may not (newuidmap(1)) */
        int capability;
} IdMapKind;

static const IdMapKind users = {"uid_map", "linux.uidMappings", "newuidmap", CAP_SETUID},
                       groups = {"gid_map", "linux.gidMappings", "newgidmap", CAP_SETGID};

static bool write_file(const IdMapKind *kind, pid_t pid, const char *file, const char *text, GError **error) {
        g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int) pid, file);
        int r = file_write(AT_FDCWD, path, text);

        return r >= 0 || fail_errno(error, r, "config.json: %s: cannot write %s of the user namespace",
                                    kind->json_path, file);
}

static bool write_map(const IdMapKind *kind, const OciIdMappings *mappings, pid_t pid, GError **error) {
        g_autoptr(GString) text = g_string_new(NULL);

        for (size_t i = 0; i < mappings->n; i++)
                g_string_append_printf(text, "%u %u %u\n", mappings->items[i].container_id,
                                       mappings->items[i].host_id, mappings->items[i].size);
        return write_file(kind, pid, kind->file, text->str, error);
}

/* By a program that may, as far as /etc/subuid and /etc/subgid allow it. */
static bool run_program(const IdMapKind *kind, const OciIdMappings *mappings, pid_t pid, GError **error) {
        g_autoptr(GPtrArray) args = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GError) local = NULL;
        g_autofree char *output = NULL;
        int status = 0;

        g_ptr_array_add(args, g_strdup(kind->program));
        g_ptr_array_add(args, g_strdup_printf("%d", (int) pid));
        for (size_t i = 0; i < mappings->n; i++) {
                g_ptr_array_add(args, g_strdup_printf("%u", mappings->items[i].container_id));
                g_ptr_array_add(args, g_strdup_printf("%u", mappings->items[i].host_id));
                g_ptr_array_add(args, g_strdup_printf("%u", mappings->items[i].size));
        }
        g_ptr_array_add(args, NULL);
        if (!g_spawn_sync("/", (char **) args->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                          NULL, NULL, NULL, &output, &status, &local))
                return fail(error, "config.json: %s: to map more than the own ID takes '%s': %s",
                            kind->json_path, kind->program, local->message);
        return g_spawn_check_wait_status(status, NULL) || fail(error, "config.json: %s: %s", kind->json_path,
                                                               *output ? g_strchomp(output) : kind->program);
}

static bool is_own_alone(const OciIdMappings *mappings, uint32_t id) {
        return mappings->n == 1 && mappings->items[0].size == 1 && mappings->items[0].host_id == id;
}

static bool map(const IdMapKind *kind, const OciIdMappings *mappings, pid_t pid, uint32_t own,
                GError **error) {
        if (capability_is_effective(kind->capability))
                return write_map(kind, mappings, pid, error);
        if (!is_own_alone(mappings, own))
                return run_program(kind, mappings, pid, error);
        /* Or groups that deny something could be dropped (user_namespaces(7)). */
        return (kind != &groups || write_file(kind, pid, "setgroups", "deny", error)) &&
               write_map(kind, mappings, pid, error);
}

bool id_map_write(const OciConfig *config, pid_t pid, GError **error) {
        return map(&users, &config->linux.uid_mappings, pid, geteuid(), error) &&
               map(&groups, &config->linux.gid_mappings, pid, getegid(), error);
}
