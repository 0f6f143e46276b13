/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/criu-mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/path.h"
#include "container/criu-message.h"
#include "container/plan-parts.h"
#include "protocol/state-dir.h"

static bool is_bind(const OciMount *mount) {
        if (mount->type && g_str_equal(mount->type, "bind"))
                return true;
        for (char **option = mount->options; option && *option; option++)
                if (g_str_equal(*option, "bind") || g_str_equal(*option, "rbind"))
                        return true;
        return false;
}

/* In a user namespace no device can be made: init binds the host's. */
static bool binds_devices(const OciConfig *config) {
        return oci_config_namespace(config, CLONE_NEWUSER) != NULL;
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

bool criu_mounts_dump(GByteArray *message, const OciConfig *config, int root_fd, bool notify,
                      GError **error) {
        const OciLinux *linux = &config->linux;

        for (size_t i = 0; i < config->n_mounts; i++) {
                g_autofree char *destination = plan_path(config->mounts[i].destination, "/");

                if (is_bind(&config->mounts[i]) &&
                    !add_dumped(message, root_fd, destination, destination, error))
                        return false;
        }
        if (notify && !add_dumped(message, root_fd, NOTIFY_DESTINATION, NOTIFY_DESTINATION, error))
                return false;
        /* A file is masked with /dev/null, a directory with an empty tmpfs of the container's. */
        for (char **masked = linux->masked_paths; masked && *masked; masked++) {
                mode_t type = 0;
                g_autofree char *path = resolve(root_fd, *masked, &type);

                if (path && type != S_IFDIR)
                        criu_put_pair(message, CRIU_EXT_MNT, path, "/dev/null");
        }
        for (size_t i = 0; binds_devices(config) && i < linux->n_devices; i++)
                criu_put_pair(message, CRIU_EXT_MNT, linux->devices[i].path, linux->devices[i].path);
        return true;
}

void criu_mounts_restore(GByteArray *message, const OciConfig *config, const char *bundle,
                         const char *notify_directory) {
        const OciLinux *linux = &config->linux;

        for (size_t i = 0; i < config->n_mounts; i++) {
                const OciMount *mount = &config->mounts[i];
                g_autofree char *destination = plan_path(mount->destination, "/"), *source = NULL;

                if (!is_bind(mount))
                        continue;
                source = plan_path(mount->source, bundle);
                criu_put_pair(message, CRIU_EXT_MNT, destination, source);
        }
        if (notify_directory)
                criu_put_pair(message, CRIU_EXT_MNT, NOTIFY_DESTINATION, notify_directory);
        criu_put_pair(message, CRIU_EXT_MNT, "/dev/null", "/dev/null");
        for (size_t i = 0; binds_devices(config) && i < linux->n_devices; i++)
                criu_put_pair(message, CRIU_EXT_MNT, linux->devices[i].path, linux->devices[i].path);
}
