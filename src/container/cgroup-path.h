/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The sub-groups of a container's unit (Delegate=yes); the words are systemd-nspawn's. */

#define CGROUP_SUPERVISOR "supervisor"
#define CGROUP_PAYLOAD    "payload"

/**
 * cgroup_path_payload:
 * @unit_cgroup: (nullable): the container's group (that of its unit, if it has one) below the mount of
 * cgroup2
 * Returns (transfer full): that of the container's processes; NULL when it has none.
 */
char *cgroup_path_payload(const char *unit_cgroup);
