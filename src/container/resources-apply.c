/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Carries out the part of a resource plan that is not systemd's: the payload's files and its device program.
 */

#include "container/resources.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "cgroup/group.h"
#include "container/resources-carry.h"

/* systemd neither enables nor disables these, so nobody minds that we do. */
static const char *const foreign_controllers[] = {"hugetlb", "rdma", "misc", "dmem"};

static bool plan_needs(const ResourcePlan *plan, const char *controller) {
        size_t length = strlen(controller);

        for (guint i = 0; i < plan->limits->len; i++) {
                const ResourceLimit *limit = g_ptr_array_index(plan->limits, i);

                if (strncmp(limit->file, controller, length) == 0 && limit->file[length] == '.')
                        return true;
        }
        return false;
}

/* A failure shows when the file is written, with the reason. */
static void enable_foreign(const ResourcePlan *plan, const char *unit_cgroup) {
        for (size_t i = 0; i < G_N_ELEMENTS(foreign_controllers); i++) {
                autoclose int unit_fd = -EBADF;

                if (!plan_needs(plan, foreign_controllers[i]) ||
                    cgroup_enable_down_to(unit_cgroup, foreign_controllers[i]) < 0)
                        continue;
                unit_fd = cgroup_open(unit_cgroup);
                if (unit_fd >= 0)
                        cgroup_enable_controllers(unit_fd, NULL, 0);
        }
}

static bool check_usage(const ResourcePlan *plan, int payload_fd, GError **error) {
        uint64_t usage;

        if (!plan->check_usage || cgroup_read_number(payload_fd, "memory.current", &usage) < 0)
                return true;
        if (usage > plan->memory_max)
                return fail(error,
                            "linux.resources.memory.limit: %" G_GUINT64_FORMAT
                            " is less than the %" G_GUINT64_FORMAT
                            " bytes in use (linux.resources.memory.checkBeforeUpdate)",
                            plan->memory_max, usage);
        return true;
}

/* BFQ's weight is there when that scheduler is, iocost's when that is: blockIO.weight takes whichever it
 * finds, BFQ's first. Asked for by name ("unified"), a file is taken as it is. */
static bool is_other_weight(const ResourceLimit *limit, int payload_fd) {
        bool has_bfq;

        if (!g_str_has_prefix(limit->json_path, "linux.resources.blockIO."))
                return false;
        has_bfq = faccessat(payload_fd, "io.bfq.weight", F_OK, 0) == 0;
        return (strcmp(limit->file, "io.bfq.weight") == 0 && !has_bfq) ||
               (strcmp(limit->file, "io.weight") == 0 && has_bfq);
}

/* Returns (transfer full): "" or, where a user's manager lacks the controller, how it gets it. */
static char *delegation_hint(const char *cgroup) {
        g_auto(GStrv) parts = g_strsplit(cgroup, "/", -1);

        for (char **part = parts; *part; part++)
                if (g_str_has_prefix(*part, "user@") && g_str_has_suffix(*part, ".service"))
                        return g_strdup_printf(
                                "; '%s' was not delegated it: root can, with a file in "
                                "/etc/systemd/system/user@.service.d/ that says [Service] Delegate=yes",
                                *part);
        return g_strdup("");
}

bool resource_limit_apply(const ResourceLimit *limit, const char *unit_cgroup, int payload_fd,
                          GError **error) {
        CgroupLimit one = {limit->file, limit->value, limit->unlimited};
        char text[CGROUP_LIMIT_ERROR_SIZE];
        g_autofree char *hint = NULL;
        int r;

        if (is_other_weight(limit, payload_fd))
                return true;
        r = cgroup_apply_limits(payload_fd, unit_cgroup, &one, 1, NULL, text);
        if (r >= 0)
                return true;
        hint = r == -EOPNOTSUPP ? delegation_hint(unit_cgroup) : g_strdup("");
        return fail(error, "%s: %s%s", limit->json_path, text, hint);
}

bool resources_prepare(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd, GError **error) {
        enable_foreign(plan, unit_cgroup);
        return check_usage(plan, payload_fd, error);
}

bool resources_apply(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd, GError **error) {
        if (!resources_prepare(plan, unit_cgroup, payload_fd, error))
                return false;
        for (guint i = 0; i < plan->limits->len; i++)
                if (!resource_limit_apply(g_ptr_array_index(plan->limits, i), unit_cgroup, payload_fd, error))
                        return false;
        if (plan->n_device_rules > 0) {
                int r = device_program_attach(payload_fd, plan->device_rules, plan->n_device_rules);

                if (r < 0)
                        return fail_errno(error, r,
                                          "linux.resources.devices: cannot attach a device program to '%s'",
                                          unit_cgroup);
        }
        return true;
}
