/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Init's way into the unit. The supervisor has left the unit's own group before it said hello, so that
 * controllers can be enabled in it (cgroups(7), the "no internal processes" rule). */

#include "container/placement.h"

#include <errno.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "container/delegation.h"
#include "container/resources.h"
#include "unit/unit.h"

static bool enable_controllers(const Creation *creation, int unit_fd, GError **error) {
        int r = cgroup_enable_controllers(unit_fd, NULL, 0);

        /* One that is not enabled matters only to a limit that needs it: resources_apply() names it then. */
        return r < 0 ? fail_errno(error, r, "cannot enable controllers in the cgroup '%s'", creation->cgroup)
                     : true;
}

static bool move_init(const Creation *creation, int payload_fd, pid_t pid, GError **error) {
        int r = cgroup_move(payload_fd, pid);

        if (creation->bus && (r == -EACCES || r == -EPERM))
                return unit_attach_processes(creation->bus, creation->unit, "/" CGROUP_PAYLOAD, &pid, 1,
                                             error);
        /* It has ended: what it has said is still to be read. */
        if (r == -ESRCH)
                return true;
        return r < 0 ? fail_errno(error, r, "cannot move the container's init into '%s/%s'", creation->cgroup,
                                  CGROUP_PAYLOAD)
                     : true;
}

static bool apply_resources(const Creation *creation, int payload_fd, GError **error) {
        return resources_apply(creation->resources, creation->cgroup, payload_fd, error) ||
               fail_prefix(error, "config.json");
}

bool placement_apply(Creation *creation, pid_t pid, GError **error) {
        autoclose int unit_fd = -EBADF, payload_fd = -EBADF;

        if (creation->home == HOME_NOWHERE)
                return true;
        unit_fd = cgroup_open(creation->cgroup);
        if (unit_fd == -EMEDIUMTYPE)
                return fail(error, "%s", CGROUP_V2_REQUIRED);
        if (unit_fd < 0)
                return fail_errno(error, unit_fd, "cannot open the cgroup '%s' of '%s'", creation->cgroup,
                                  creation->unit);
        payload_fd = cgroup_make_sub(unit_fd, CGROUP_PAYLOAD);
        if (payload_fd < 0)
                return fail_errno(error, payload_fd, "cannot make the cgroup '%s/%s'", creation->cgroup,
                                  CGROUP_PAYLOAD);
        return enable_controllers(creation, unit_fd, error) && apply_resources(creation, payload_fd, error) &&
               delegation_apply(creation->config, payload_fd, pid, error) &&
               move_init(creation, payload_fd, pid, error);
}
