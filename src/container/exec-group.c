/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The way of an additional process into the container's cgroup. */

#include "container/exec-group.h"

#include <errno.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/path.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "unit/unit.h"

static bool is_below(const char *path, const char *group) {
        size_t n = strlen(group);

        return strncmp(path, group, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

static int move_to(const char *group, pid_t pid) {
        autoclose int fd = cgroup_open(group);

        return fd < 0 ? fd : cgroup_move(fd, pid);
}

static bool attach(const Container *container, const char *group, pid_t pid, GError **error) {
        const Facts *facts = container->facts;
        g_autoptr(UnitBus) bus =
                unit_bus_connect(facts->user_manager ? UNIT_MANAGER_USER : UNIT_MANAGER_SYSTEM, error);

        return bus && unit_attach_processes(bus, facts->unit, group + strlen(facts->cgroup), &pid, 1, error);
}

/* Returns (transfer full): the group of the container's init; NULL when that has left the container's. */
static char *group_of_init(const Container *container, const char *payload) {
        char path[CGROUP_PATH_SIZE];

        if (cgroup_path_of(container->facts->pid, path) < 0 || !is_below(path, payload))
                return NULL;
        return g_strdup(path);
}

static bool is_inner(int error) {
        return error == -EBUSY || error == -EOPNOTSUPP;
}

static bool plan_group(const char *payload, const char *sub_group, char **ret_group, GError **error) {
        g_autofree char *group = NULL;
        autoclose int fd = -EBADF;

        if (!sub_group) {
                *ret_group = g_strdup(payload);
                return true;
        }
        if (!path_is_normal(sub_group + strspn(sub_group, "/")))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--cgroup: '%s' is not a path below the container's group", sub_group);
        group = g_build_filename(payload, sub_group, NULL);
        if (g_str_has_suffix(group, "/"))
                group[strlen(group) - 1] = '\0';
        fd = cgroup_open(group);
        if (fd < 0)
                return fail_errno(error, fd, "--cgroup: cannot open '%s' of the container", sub_group);
        *ret_group = g_steal_pointer(&group);
        return true;
}

bool exec_group_enter(const Container *container, const char *sub_group, pid_t pid, GError **error) {
        g_autofree char *payload = cgroup_path_payload(container->facts->cgroup);
        g_autofree char *group = NULL;
        int r;

        /* It lives where its creator was (container/home.h), and so will this process where its own is. */
        if (!payload)
                return !sub_group || fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                               "--cgroup: the container has no control group");
        if (!plan_group(payload, sub_group, &group, error))
                return false;
        r = move_to(group, pid);
        if (is_inner(r) && !sub_group) {
                g_autofree char *other = group_of_init(container, payload);

                if (other && strcmp(other, group) != 0) {
                        g_free(group);
                        group = g_steal_pointer(&other);
                        r = move_to(group, pid);
                }
        }
        if ((r == -EACCES || r == -EPERM) && !container->facts->no_unit)
                return attach(container, group, pid, error);
        return r < 0 ? fail_errno(error, r, "cannot move the process into the cgroup '%s'", group) : true;
}
