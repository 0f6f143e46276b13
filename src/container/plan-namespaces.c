/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which namespaces are new, which are joined, and what needs one of its own: names and time offsets. */

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "container/plan-parts.h"

static int open_namespace(const OciNamespace *namespace, size_t i, GError **error) {
        autoclose int fd = open(namespace->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        int type;

        if (fd < 0) {
                fail_errno(error, errno, "linux.namespaces[%zu].path: cannot open '%s'", i, namespace->path);
                return -1;
        }
        type = ioctl(fd, NS_GET_NSTYPE);
        if (type < 0) {
                fail(error, "linux.namespaces[%zu].path: '%s' is not a namespace", i, namespace->path);
                return -1;
        }
        if (type != namespace->type) {
                fail(error, "linux.namespaces[%zu].path: '%s' is a namespace of type %s, not %s", i,
                     namespace->path, oci_namespace_name(type), oci_namespace_name(namespace->type));
                return -1;
        }
        return steal_fd(&fd);
}

/* Whether it is the one that we are in ourselves, the host's. */
static bool is_own(int fd, int type) {
        static const struct {
                int type;
                const char *path;
        } links[] = {
                {CLONE_NEWCGROUP, "/proc/self/ns/cgroup"},
                {CLONE_NEWIPC,    "/proc/self/ns/ipc"   },
                {CLONE_NEWNET,    "/proc/self/ns/net"   },
                {CLONE_NEWNS,     "/proc/self/ns/mnt"   },
                {CLONE_NEWPID,    "/proc/self/ns/pid"   },
                {CLONE_NEWTIME,   "/proc/self/ns/time"  },
                {CLONE_NEWUSER,   "/proc/self/ns/user"  },
                {CLONE_NEWUTS,    "/proc/self/ns/uts"   },
        };
        struct stat own, other;

        for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
                if (links[i].type == type)
                        return stat(links[i].path, &own) == 0 && fstat(fd, &other) == 0 &&
                               own.st_dev == other.st_dev && own.st_ino == other.st_ino;
        return false;
}

/* What is set in a namespace must not be set in the host's because a path leads there. */
static bool check_settings(const OciConfig *config, int type, size_t i, GError **error) {
        const OciPairs *sysctls = &config->linux.sysctl;

        if (type == CLONE_NEWUTS && (config->hostname || config->domainname))
                return fail(error, "%s: would change the host's: linux.namespaces[%zu].path leads there",
                            config->hostname ? "hostname" : "domainname", i);
        for (size_t k = 0; k < sysctls->n; k++) {
                g_autofree char *path = oci_sysctl_path(sysctls->items[k].key);

                if (oci_sysctl_namespace(path) == type)
                        return fail(error,
                                    "linux.sysctl['%s']: would change the host's: linux.namespaces[%zu].path "
                                    "leads there",
                                    sysctls->items[k].key, i);
        }
        return true;
}

static bool join(Plan *plan, const OciConfig *config, size_t i, GError **error) {
        const OciNamespace *namespace = &config->linux.namespaces[i];
        autoclose int fd = -EBADF;
        NamespacePlan *entry;

        fd = open_namespace(namespace, i, error);
        if (fd < 0)
                return false;
        if (is_own(fd, namespace->type)) {
                if (!check_settings(config, namespace->type, i, error))
                        return false;
                /* setns(2) refuses the user namespace that one is in, and would take a root that is not the
                 * mount namespace's own; the wish is granted already. */
                if (namespace->type == CLONE_NEWUSER || namespace->type == CLONE_NEWNS)
                        return true;
        }
        entry = &plan->init->join[plan->init->n_join++];
        plan_text(plan, &entry->name, "linux.namespaces[%zu]", i);
        entry->type = namespace->type;
        entry->fd = steal_fd(&fd);
        g_array_append_val(plan->fds, entry->fd);
        return true;
}

static bool plan_time_offsets(Plan *plan, const OciLinux *linux) {
        g_autoptr(GString) text = g_string_new(NULL);

        for (size_t i = 0; i < linux->n_time_offsets; i++)
                g_string_append_printf(text, "%s %" G_GINT64_FORMAT " %u\n", linux->time_offsets[i].clock,
                                       linux->time_offsets[i].seconds, linux->time_offsets[i].nanoseconds);
        if (text->len > 0)
                image_link_string(plan->image, &plan->init->time_offsets, text->str);
        return true;
}

static bool plan_names(Plan *plan, const OciConfig *config, GError **error) {
        if ((config->hostname || config->domainname) && !oci_config_namespace(config, CLONE_NEWUTS))
                return fail(error,
                            "%s: would change the host's: there is no uts namespace among linux.namespaces",
                            config->hostname ? "hostname" : "domainname");
        image_link_string(plan->image, &plan->init->hostname, config->hostname);
        image_link_string(plan->image, &plan->init->domainname, config->domainname);
        return true;
}

/* The container's mounts are the host's, or those of the namespace that it joins, as long as it exists. */
static bool plan_host_mounts(Plan *plan, const OciConfig *config, GError **error) {
        const OciNamespace *mount = oci_config_namespace(config, CLONE_NEWNS);
        const OciNamespace *user = oci_config_namespace(config, CLONE_NEWUSER);

        if (user && !(mount && user->path))
                return fail(error,
                            "linux.namespaces: there is a user namespace, but no mount namespace%s: the "
                            "container may not mount anything in the %s",
                            mount ? " of its own" : "", mount ? "one that it joins" : "host's");
        if (strcmp(plan->init->rootfs, "/") == 0)
                return fail(error, "root.path: '/' needs a new mount namespace among linux.namespaces");
        plan->init->host_mounts = true;
        if (mount)
                plan_warn(plan,
                          "linux.namespaces: the mount namespace is '%s', which gets the container's "
                          "mounts, and its root is no wall there",
                          mount->path);
        else
                plan_warn(plan, "linux.namespaces: there is no mount namespace among them, the container's "
                                "mounts are the host's, and its root is no wall");
        return true;
}

bool plan_namespaces(Plan *plan, const OciConfig *config, GError **error) {
        const OciLinux *linux = &config->linux;

        plan_array(plan, &plan->init->join, linux->n_namespaces, sizeof(*plan->init->join));
        for (size_t i = 0; i < linux->n_namespaces; i++) {
                const OciNamespace *namespace = &linux->namespaces[i];

                if (!namespace->path)
                        plan->init->new_namespaces |= (uint32_t) namespace->type;
                else if (!join(plan, config, i, error))
                        return false;
        }
        if (!(plan->init->new_namespaces & CLONE_NEWNS) && !plan_host_mounts(plan, config, error))
                return false;
        plan->needs_id_maps = plan->init->new_namespaces & CLONE_NEWUSER;
        return plan_time_offsets(plan, linux) && plan_names(plan, config, error);
}
