/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "oci/config.h"

/* linux.netDevices: devices of the host that become the container's. They take their permanent addresses of
 * global scope with them, and are up afterwards. With the network namespace the kernel gives physical ones
 * back to the host's, and drops all others. */

typedef struct NetDevices NetDevices;

/**
 * net_devices_check:
 * @error: starts with the JSON path
 * What can be told from the config alone: that there is a network namespace, and names only one device each.
 */
bool net_devices_check(const OciConfig *config, GError **error);

/**
 * net_devices_move:
 * @namespace_path: of the container's network namespace
 * @error: starts with the JSON path
 *
 * Moves and renames all of them, or none. Returns (transfer full): what net_devices_move_back() needs; NULL
 * with @error set.
 */
NetDevices *net_devices_move(const OciConfig *config, const char *namespace_path, GError **error);

/**
 * net_devices_move_back:
 * Undoes it, with the addresses, as long as the namespace lives. Faults are warned about.
 */
void net_devices_move_back(NetDevices *devices);

void net_devices_free(NetDevices *devices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NetDevices, net_devices_free)
