/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which devices the processes of a control group may open and make: an exact program for the kernel
 * (BPF_PROG_TYPE_CGROUP_DEVICE, Linux 4.15) from a list of rules. Raw bpf(2): no library needed. */

typedef struct DeviceRule {
        bool allow;
        char type;     /* 'b', 'c', or 'a' for both */
        int64_t major; /* -1: all */
        int64_t minor; /* -1: all */
        bool read, write, mknod;
} DeviceRule;

/**
 * device_program_build:
 * @ret_program: (transfer full): for free()
 *
 * For each kind of access the last rule that matches decides; where none does, it is refused. Returns the
 * number of instructions, or a negative errno.
 */
int device_program_build(const DeviceRule *rules, size_t n_rules, struct bpf_insn **ret_program);

/**
 * device_program_attach:
 * Builds, loads and attaches the program to the group, beside what others attached (BPF_F_ALLOW_MULTI: all
 * must agree). It stays as long as the group. Needs CAP_BPF and CAP_NET_ADMIN, or CAP_SYS_ADMIN, in the first
 * user namespace. Returns 0 or a negative errno.
 */
int device_program_attach(int group_fd, const DeviceRule *rules, size_t n_rules);
