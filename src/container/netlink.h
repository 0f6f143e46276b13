/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdint.h>

/* As much of rtnetlink(7) as it takes to move a network device with its addresses. All functions return 0 or
 * a negative errno unless they say otherwise. */

/**
 * netlink_open:
 * Returns: a socket for the network namespace of the caller, for close(), or a negative errno.
 */
int netlink_open(void);

/**
 * netlink_find_device:
 * @ret_flags: IFF_UP, …
 * Returns: the index of the device called @name, -ENODEV, or another negative errno.
 */
int netlink_find_device(int fd, const char *name, unsigned *ret_flags);

/**
 * netlink_move_device:
 * Moves device @index into the network namespace @namespace_fd, where it is called @name, in one step.
 */
int netlink_move_device(int fd, int index, int namespace_fd, const char *name);

/**
 * netlink_set_up:
 */
int netlink_set_up(int fd, int index);

/**
 * netlink_list_addresses:
 * @ret_messages: (transfer full) (element-type struct nlmsghdr): the permanent addresses of global scope of
 * @index, as the kernel tells them
 */
int netlink_list_addresses(int fd, int index, GPtrArray **ret_messages);

/**
 * netlink_add_address:
 * @message: from netlink_list_addresses()
 * Gives device @index the same address.
 */
int netlink_add_address(int fd, int index, const struct nlmsghdr *message);
