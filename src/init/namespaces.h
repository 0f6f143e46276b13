/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/sched.h>

#include "init/init.h"

/* New namespaces that don't come with the clone: that of time is the stage's children's, that of cgroups
 * needs init to be in its own first. With a new user namespace, IPC waits until init is root there, who then
 * owns the root of mqueue. */
#define NAMESPACES_AFTER_CLONE(plan)                                                                         \
        (CLONE_NEWTIME | CLONE_NEWCGROUP | ((plan)->new_namespaces & CLONE_NEWUSER ? CLONE_NEWIPC : 0))

/**
 * namespaces_have_user:
 * Returns: whether the container's user namespace, new or joined, is not the caller's.
 */
bool namespaces_have_user(const InitPlan *plan);

/**
 * namespaces_join_container:
 * For plan->is_exec: makes the stage undumpable and joins plan->exec_namespaces of the container's init,
 * which its pidfd names without doubt (setns(2), Linux 5.8); then becomes root of the user namespace, if one
 * is among them. Returns 0 or a negative errno; -ESRCH: init is gone.
 */
int namespaces_join_container(const InitPlan *plan, SetupFailure *reterr_failure);

/**
 * namespaces_join:
 * Joins what the plan names, as the stage: first with the caller's privileges, then with those of the user
 * namespace if that is one of them. What both refused is left to namespaces_join_rest(), in init->join_later.
 * Returns 0 or a negative errno.
 */
int namespaces_join(Init *init, SetupFailure *reterr_failure);

/**
 * namespaces_join_rest:
 * The same in init, which has a new user namespace's privileges.
 */
int namespaces_join_rest(Init *init, SetupFailure *reterr_failure);

/**
 * namespaces_make_time:
 * Makes the time namespace, with its offsets, that the stage's children will have. Returns 0 or a negative
 * errno.
 */
int namespaces_make_time(const InitPlan *plan, SetupFailure *reterr_failure);

/**
 * namespaces_set_loopback_up:
 * Brings up "lo" in a new network namespace, as runc does: programs expect 127.0.0.1 wherever there is a
 * network.
 */
int namespaces_set_loopback_up(Init *init, SetupFailure *reterr_failure);

/**
 * namespaces_make_ipc:
 * Makes the IPC namespace if it did not come with the clone.
 */
int namespaces_make_ipc(Init *init, SetupFailure *reterr_failure);

/**
 * namespaces_make_cgroup:
 * Waits until init is in its cgroup, which becomes the root of the new namespace.
 */
int namespaces_make_cgroup(Init *init, SetupFailure *reterr_failure);

/**
 * namespaces_become_root:
 * Becomes uid 0 and gid 0 of a user namespace. In a namespace that has no such ids nothing happens. Returns 0
 * or a negative errno.
 */
int namespaces_become_root(SetupFailure *reterr_failure);
