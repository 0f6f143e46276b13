/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where in the unit's cgroup a container lives. */

#include "container/cgroup-path.h"

#include <glib.h>

char *cgroup_path_payload(const char *unit_cgroup) {
        return !unit_cgroup ? NULL : g_build_filename(unit_cgroup, CGROUP_PAYLOAD, NULL);
}
