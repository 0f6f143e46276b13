/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Moving network devices. The kernel renames a device in the step that moves it, so that its name need not be
 * free on the way; it takes it down and drops its addresses, which are given again on the other side. */

#include "container/net-devices.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "container/netlink.h"

typedef struct Side {
        int namespace_fd;
        int netlink_fd; /* a socket in it */
} Side;

typedef struct Device {
        char *host_name;
        char *inner_name;
        bool was_up;
        GPtrArray *addresses;
} Device;

struct NetDevices {
        Side host, inner;
        GPtrArray *moved; /* of Device */
};

static void device_free(void *data) {
        Device *device = data;

        g_free(device->host_name);
        g_free(device->inner_name);
        g_clear_pointer(&device->addresses, g_ptr_array_unref);
        g_free(device);
}

void net_devices_free(NetDevices *devices) {
        if (!devices)
                return;
        close_clear(&devices->host.namespace_fd);
        close_clear(&devices->host.netlink_fd);
        close_clear(&devices->inner.namespace_fd);
        close_clear(&devices->inner.netlink_fd);
        g_ptr_array_unref(devices->moved);
        g_free(devices);
}

static const char *inner_name_of(const OciPair *pair) {
        return pair->value ? pair->value : pair->key;
}

bool net_devices_check(const OciConfig *config, GError **error) {
        const OciPairs *pairs = &config->linux.net_devices;
        g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

        if (pairs->n > 0 && !oci_config_namespace(config, CLONE_NEWNET))
                return fail(error, "linux.netDevices: there is no network namespace among the namespaces to "
                                   "move them to");
        for (size_t i = 0; i < pairs->n; i++) {
                const char *name = inner_name_of(&pairs->items[i]);

                if (strlen(pairs->items[i].key) >= IF_NAMESIZE)
                        return fail(error, "linux.netDevices.%s: no name of a network device",
                                    pairs->items[i].key);
                if (!g_hash_table_add(names, (char *) name))
                        return fail(error,
                                    "linux.netDevices.%s.name: '%s' is the name of another device already",
                                    pairs->items[i].key, name);
        }
        return true;
}

/* Goes there for the socket and comes back: we have no other threads. */
static int open_inner(NetDevices *devices) {
        int fd;

        if (setns(devices->inner.namespace_fd, CLONE_NEWNET) < 0)
                return -errno;
        fd = netlink_open();
        if (setns(devices->host.namespace_fd, CLONE_NEWNET) < 0)
                g_error("cannot go back to the own network namespace: %s", g_strerror(errno));
        devices->inner.netlink_fd = fd;
        return fd < 0 ? fd : 0;
}

static bool open_sides(NetDevices *devices, const char *namespace_path, GError **error) {
        int r;

        devices->host.namespace_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
        if (devices->host.namespace_fd < 0)
                return fail_errno(error, errno, "linux.netDevices: cannot open the own network namespace");
        devices->inner.namespace_fd = open(namespace_path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (devices->inner.namespace_fd < 0)
                return fail_errno(error, errno, "linux.netDevices: cannot open the network namespace '%s'",
                                  namespace_path);
        devices->host.netlink_fd = netlink_open();
        r = devices->host.netlink_fd < 0 ? devices->host.netlink_fd : open_inner(devices);
        return r >= 0 || fail_errno(error, r, "linux.netDevices: cannot reach the network namespace '%s'",
                                    namespace_path);
}

/* Addresses, then up. */
static int settle(int netlink_fd, const char *name, const GPtrArray *addresses, bool up) {
        unsigned flags;
        int index = netlink_find_device(netlink_fd, name, &flags), r = index < 0 ? index : 0;

        for (guint i = 0; r >= 0 && i < addresses->len; i++)
                r = netlink_add_address(netlink_fd, index, g_ptr_array_index(addresses, i));
        return r >= 0 && up ? netlink_set_up(netlink_fd, index) : r;
}

static void note_moved(NetDevices *devices, const char *host_name, const char *inner_name, unsigned flags,
                       GPtrArray *addresses) {
        Device *device = g_new0(Device, 1);

        device->host_name = g_strdup(host_name);
        device->inner_name = g_strdup(inner_name);
        device->was_up = flags & IFF_UP;
        device->addresses = g_ptr_array_ref(addresses);
        g_ptr_array_add(devices->moved, device);
}

/* The kernel may have moved the device and only then found that it can't be called so. */
static bool move_failed(NetDevices *devices, const OciPair *pair, unsigned flags, GPtrArray *addresses,
                        int reason, GError **error) {
        unsigned ignored;

        if (netlink_find_device(devices->host.netlink_fd, pair->key, &ignored) == -ENODEV)
                note_moved(devices, pair->key, pair->key, flags, addresses);
        if (reason == -EEXIST)
                return fail(error,
                            "linux.netDevices.%s: the container's network namespace has a '%s' already",
                            pair->key, inner_name_of(pair));
        return fail_errno(error, reason, "linux.netDevices.%s: cannot move the device to the container",
                          pair->key);
}

static bool move(NetDevices *devices, const OciPair *pair, GError **error) {
        const char *name = inner_name_of(pair);
        unsigned flags = 0;
        int index = netlink_find_device(devices->host.netlink_fd, pair->key, &flags), r;
        g_autoptr(GPtrArray) addresses = NULL;

        if (index == -ENODEV)
                return fail(error, "linux.netDevices.%s: there is no such network device", pair->key);
        r = index < 0 ? index : netlink_list_addresses(devices->host.netlink_fd, index, &addresses);
        if (r < 0)
                return fail_errno(error, r, "linux.netDevices.%s: cannot look at the device", pair->key);
        r = netlink_move_device(devices->host.netlink_fd, index, devices->inner.namespace_fd, name);
        if (r < 0)
                return move_failed(devices, pair, flags, addresses, r, error);
        note_moved(devices, pair->key, name, flags, addresses);
        r = settle(devices->inner.netlink_fd, name, addresses, /* up= */ true);
        return r >= 0 ||
               fail_errno(error, r, "linux.netDevices.%s: cannot set the device up in the container",
                          pair->key);
}

NetDevices *net_devices_move(const OciConfig *config, const char *namespace_path, GError **error) {
        const OciPairs *pairs = &config->linux.net_devices;
        g_autoptr(NetDevices) devices = g_new0(NetDevices, 1);

        devices->host = devices->inner = (Side){-EBADF, -EBADF};
        devices->moved = g_ptr_array_new_with_free_func(device_free);
        if (!open_sides(devices, namespace_path, error))
                return NULL;
        for (size_t i = 0; i < pairs->n; i++)
                if (!move(devices, &pairs->items[i], error)) {
                        net_devices_move_back(devices);
                        return NULL;
                }
        return g_steal_pointer(&devices);
}

void net_devices_move_back(NetDevices *devices) {
        for (guint i = devices->moved->len; i-- > 0;) {
                const Device *device = g_ptr_array_index(devices->moved, i);
                unsigned flags;
                int index = netlink_find_device(devices->inner.netlink_fd, device->inner_name, &flags);
                int r = index < 0 ? index
                                  : netlink_move_device(devices->inner.netlink_fd, index,
                                                        devices->host.namespace_fd, device->host_name);

                if (r >= 0)
                        r = settle(devices->host.netlink_fd, device->host_name, device->addresses,
                                   device->was_up);
                if (r < 0)
                        warn("cannot move the network device '%s' back: %s, ignoring", device->host_name,
                             g_strerror(-r));
        }
        g_ptr_array_set_size(devices->moved, 0);
}
