/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/criu-mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/path.h"
#include "container/criu-message.h"

/* In a user namespace no device can be made: init binds the host's. */
static bool binds_devices(const Plan *plan) {
        return oci_config_namespace(plan->config, CLONE_NEWUSER) != NULL;
}

/* Returns (transfer full): where @destination really is, NULL when there is nothing. */
static char *resolve(int root_fd, const char *destination, mode_t *ret_type) {
        autoclose int fd = path_open_in_root(root_fd, destination, O_PATH);
        g_autofree char *link = NULL, *root_link = NULL, *path = NULL, *root = NULL;
        struct stat status;

        if (fd < 0 || fstat(fd, &status) < 0)
                return NULL;
        if (ret_type)
                *ret_type = status.st_mode & S_IFMT;
        link = g_strdup_printf("/proc/self/fd/%d", fd);
        root_link = g_strdup_printf("/proc/self/fd/%d", root_fd);
        path = g_file_read_link(link, NULL);
        root = g_file_read_link(root_link, NULL);
        /* Another mount namespace's root reads as "/". */
        if (path && root && !g_str_equal(root, "/") && g_str_has_prefix(path, root))
                return g_strdup(path + strlen(root));
        return g_steal_pointer(&path);
}

static bool add_dumped(GByteArray *message, int root_fd, const char *destination, const char *name,
                       GError **error) {
        g_autofree char *path = resolve(root_fd, destination, NULL);

        if (!path)
                return fail(error, "the mount '%s' is not there any more", destination);
        criu_put_pair(message, CRIU_EXT_MNT, path, name);
        return true;
}

/* A file is masked with /dev/null, a directory with an empty tmpfs that is the container's own. */
static void add_masked(GByteArray *message, int root_fd, const char *masked) {
        mode_t type = 0;
        g_autofree char *path = resolve(root_fd, masked, &type);

        if (path && type != S_IFDIR)
                criu_put_pair(message, CRIU_EXT_MNT, path, "/dev/null");
}

bool criu_mounts_dump(GByteArray *message, const Plan *plan, int root_fd, GError **error) {
        const InitPlan *init = plan->init;

        for (size_t i = 0; i < init->n_mounts; i++) {
                const MountPlan *mount = &init->mounts[i];

                if (mount->kind == MOUNT_BIND &&
                    !add_dumped(message, root_fd, mount->destination, mount->destination, error))
                        return false;
        }
        for (char **masked = init->masked_paths; masked && *masked; masked++)
                add_masked(message, root_fd, *masked);
        for (size_t i = 0; binds_devices(plan) && i < init->n_devices; i++)
                if (!add_dumped(message, root_fd, init->devices[i].path, init->devices[i].path, error))
                        return false;
        return true;
}

void criu_mounts_restore(GByteArray *message, const Plan *plan) {
        const InitPlan *init = plan->init;

        for (size_t i = 0; i < init->n_mounts; i++)
                if (init->mounts[i].kind == MOUNT_BIND)
                        criu_put_pair(message, CRIU_EXT_MNT, init->mounts[i].destination,
                                      init->mounts[i].source);
        criu_put_pair(message, CRIU_EXT_MNT, "/dev/null", "/dev/null");
        for (size_t i = 0; binds_devices(plan) && i < init->n_devices; i++)
                if (!g_str_equal(init->devices[i].path, "/dev/null"))
                        criu_put_pair(message, CRIU_EXT_MNT, init->devices[i].path, init->devices[i].path);
}
