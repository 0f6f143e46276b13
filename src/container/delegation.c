/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Who is to own the container's cgroup, as the host counts users. */

#include "container/delegation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "cgroup/delegation.h"
#include "container/plan-parts.h"

#define CGROUP_MOUNT  "/sys/fs/cgroup"
#define MAPS_SIZE_MAX 65536

static bool is_writable_cgroup(const OciMount *mount) {
        g_autofree char *destination = plan_path(mount->destination, "/");
        bool writable = true;

        if (!mount->type || !g_str_has_prefix(mount->type, "cgroup") ||
            strcmp(destination, CGROUP_MOUNT) != 0)
                return false;
        for (char **option = mount->options; *option; option++) {
                if (strcmp(*option, "ro") == 0 || strcmp(*option, "rro") == 0)
                        writable = false;
                else if (strcmp(*option, "rw") == 0 || strcmp(*option, "rrw") == 0)
                        writable = true;
        }
        return writable;
}

bool delegation_is_wanted(const OciConfig *config) {
        const OciNamespace *cgroup = oci_config_namespace(config, CLONE_NEWCGROUP);

        if (!cgroup || cgroup->path)
                return false;
        for (size_t i = 0; i < config->n_mounts; i++)
                if (is_writable_cgroup(&config->mounts[i]))
                        return true;
        return false;
}

/* The kernel shows the map of a namespace that exists already in our own IDs. */
static bool map_joined_uid(pid_t init, uint32_t uid, uint32_t *ret_uid, GError **error) {
        g_autofree char *path = g_strdup_printf("/proc/%d/uid_map", (int) init);
        autofree char *text = NULL;
        int r = file_read(AT_FDCWD, path, MAPS_SIZE_MAX, &text, NULL);

        if (r < 0)
                return fail_errno(error, r, "cannot read '%s'", path);
        for (char *at = text, *line; (line = strsep(&at, "\n"));) {
                OciIdMapping mapping;
                const OciIdMappings one = {.items = &mapping, .n = 1};

                if (sscanf(line, "%u %u %u", &mapping.container_id, &mapping.host_id, &mapping.size) == 3 &&
                    oci_id_mappings_find(&one, uid, ret_uid))
                        return true;
        }
        return true;
}

static bool find_owner(const OciConfig *config, pid_t init, uint32_t *ret_uid, GError **error) {
        const OciNamespace *user = oci_config_namespace(config, CLONE_NEWUSER);
        uint32_t uid = config->process ? config->process->uid : 0;

        *ret_uid = geteuid();
        if (user && user->path)
                return map_joined_uid(init, uid, ret_uid, error);
        if (!user)
                *ret_uid = uid;
        else
                oci_id_mappings_find(&config->linux.uid_mappings, uid, ret_uid);
        return true;
}

bool delegation_apply(const OciConfig *config, int payload_fd, pid_t init, GError **error) {
        uint32_t uid;
        int r;

        if (!delegation_is_wanted(config))
                return true;
        if (!find_owner(config, init, &uid, error))
                return false;
        if (uid == geteuid())
                return true;
        r = cgroup_delegate(payload_fd, uid);
        if (r == -EPERM || r == -EINVAL) {
                g_debug("the container's cgroup can't be given to user %u: %s", uid, g_strerror(-r));
                return true;
        }
        return r < 0 ? fail_errno(error, r, "cannot give the container's cgroup to user %u", uid) : true;
}
