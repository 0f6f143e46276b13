/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/service-unit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"

#define SUFFIX       ".service"
#define BARRIER_USEC (10 * G_USEC_PER_SEC)

void service_unit_free(ServiceUnit *unit) {
        if (!unit)
                return;
        g_free(unit->name);
        g_free(unit->cgroup);
        g_free(unit);
}

ServiceUnit *service_unit_find(GError **error) {
        char path[CGROUP_PATH_SIZE];
        int r = cgroup_path_of(0, path);
        ServiceUnit *unit;

        if (r < 0) {
                fail_errno(error, r, "cannot find out the own cgroup");
                return NULL;
        }
        /* Behind the unit: ".control", where systemd runs ExecStopPost= of a delegated one. */
        for (char *end = path + strlen(path); end > path; end = strrchr(path, '/')) {
                *end = '\0';
                if (!g_str_has_suffix(path, SUFFIX))
                        continue;
                unit = g_new0(ServiceUnit, 1);
                unit->name = g_path_get_basename(path);
                unit->cgroup = g_strdup(path);
                return unit;
        }
        fail(error, "this command is ExecStart= or ExecStopPost= of a service, see unitrun.container(5): no "
                    "service of systemd has started it");
        return NULL;
}

/* systemd marks what it has delegated. A user's manager can't, and owns all its groups. */
static bool is_delegated(int group_fd) {
        g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", group_fd);
        char value = '\0';

        return geteuid() != 0 || (getxattr(path, "trusted.delegate", &value, 1) == 1 && value == '1');
}

bool service_unit_enter(const ServiceUnit *unit, GError **error) {
        autoclose int group_fd = cgroup_open(unit->cgroup), sub_fd = -EBADF;
        int r;

        if (!g_getenv("NOTIFY_SOCKET"))
                return fail(error,
                            "unit '%s' takes no notifications: this command is ExecStart= of a service, and "
                            "it needs "
                            "Type=notify",
                            unit->name);
        if (group_fd == -EMEDIUMTYPE)
                return fail(error, "%s", CGROUP_V2_REQUIRED);
        if (group_fd >= 0 && !is_delegated(group_fd))
                return fail(error, "unit '%s' may not divide its cgroup: it needs Delegate=yes", unit->name);
        r = sub_fd = group_fd < 0 ? group_fd : cgroup_make_sub(group_fd, CGROUP_SUPERVISOR);
        if (r >= 0)
                r = cgroup_move(sub_fd, 0);
        return r >= 0 ||
               fail_errno(error, r, "cannot enter the cgroup '%s/%s'", unit->cgroup, CGROUP_SUPERVISOR);
}

bool service_unit_announce(pid_t init, bool ready, GError **error) {
        int r = sd_notifyf(0, "MAINPID=%d\n%s", (int) init, ready ? "READY=1\n" : "");

        if (r > 0)
                r = sd_notify_barrier(0, BARRIER_USEC);
        else if (r == 0)
                r = -ENOTCONN;
        return r >= 0 || fail_errno(error, r, "cannot tell systemd the container's main process");
}

void service_unit_describe(pid_t init, const char *format, ...) {
        g_autofree char *text = NULL, *message = NULL;
        va_list arguments;

        va_start(arguments, format);
        text = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        message = g_strdup_printf("STATUS=%s", text);
        sd_pid_notify(init, /* unset_environment= */ 0, message);
}
