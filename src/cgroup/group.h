/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Control groups of the unified hierarchy (v2), by directory fd. Plain C: the supervisor uses it too. All
 * functions return 0 or a negative errno unless they say otherwise. See cgroups(7) and the kernel's
 * Documentation/admin-guide/cgroup-v2.rst. */

#define CGROUP_ROOT      "/sys/fs/cgroup"
#define CGROUP_PATH_SIZE 4096

/**
 * cgroup_open_root:
 * Opens CGROUP_ROOT. Returns an O_PATH fd; -EMEDIUMTYPE when it is not the unified hierarchy (v1 or hybrid:
 * say CGROUP_V2_REQUIRED); another negative errno.
 */
int cgroup_open_root(void);
#define CGROUP_V2_REQUIRED                                                                                   \
        "cgroup v2 is required: " CGROUP_ROOT                                                                \
        " is not a cgroup2 file system (boot with systemd.unified_cgroup_hierarchy=1)"

/**
 * cgroup_path_of:
 * @pid: 0 is the caller
 *
 * The "0::" line of /proc/PID/cgroup: "/a.slice/x.service". Fails with -ENODATA when there is none (no v2
 * hierarchy), -ENAMETOOLONG, -ESRCH.
 */
int cgroup_path_of(pid_t pid, char ret_path[static CGROUP_PATH_SIZE]);

/**
 * cgroup_open:
 * @path: below CGROUP_ROOT, with or without a slash before it, as cgroup_path_of() gives it; ".." is refused;
 * NULL is a group that does not exist
 *
 * Returns an O_PATH directory fd, or a negative errno (-ENOENT: no such group; -EMEDIUMTYPE: no v2).
 */
int cgroup_open(const char *path);

/**
 * cgroup_open_sub:
 * Opens the group @name in @group_fd. Returns an O_PATH fd or a negative errno.
 */
int cgroup_open_sub(int group_fd, const char *name);

/**
 * cgroup_make_sub:
 * The same; makes it first when it is missing. Returns an O_PATH fd or a negative errno.
 */
int cgroup_make_sub(int group_fd, const char *name);

/**
 * cgroup_move:
 * @pid: 0 is the caller
 *
 * Moves a process (all its threads) into the group. -EACCES or -EPERM: no write access to the common
 * ancestor. -EBUSY: the group has sub-groups with controllers. -EOPNOTSUPP: it is in the midst of becoming
 * threaded.
 */
int cgroup_move(int group_fd, pid_t pid);

/**
 * cgroup_enable_controllers:
 * @ret_missing: (nullable): the available controllers that could not be enabled, separated by spaces
 *
 * Enables every controller of the group for its sub-groups, each by itself so that one the kernel refuses
 * does not take the others with it. Returns 0 even then, or -EBUSY when the group still holds processes and
 * nothing could be enabled, or another negative errno.
 */
int cgroup_enable_controllers(int group_fd, char *ret_missing, size_t missing_size);

/**
 * cgroup_enable_down_to:
 * @path: of a group, as for cgroup_open()
 * @controller: one that systemd does not manage: hugetlb, rdma, misc, dmem
 *
 * Enables @controller for the sub-groups of the root, of every group on the way, so that it is available in
 * the group at @path. Returns 0, -EOPNOTSUPP when the root itself has no such controller, or the first error.
 */
int cgroup_enable_down_to(const char *path, const char *controller);

/**
 * cgroup_has_controller:
 * Whether cgroup.controllers of the group lists @controller. Returns 1, 0 or a negative errno.
 */
int cgroup_has_controller(int group_fd, const char *controller);

/**
 * cgroup_read, cgroup_read_number, cgroup_write:
 * A file of the group. cgroup_read() cuts the last newline off. "max" is UINT64_MAX.
 */
int cgroup_read(int group_fd, const char *file, char *ret_text, size_t size);
int cgroup_read_number(int group_fd, const char *file, uint64_t *ret_value);
int cgroup_write(int group_fd, const char *file, const char *text);

typedef struct CgroupEvents {
        bool populated; /* a living process in the group or below it */
        bool frozen;
} CgroupEvents;

/**
 * cgroup_get_events:
 * Reads cgroup.events. -ENODEV or -ENOENT: the group was removed.
 */
int cgroup_get_events(int group_fd, CgroupEvents *ret_events);

/**
 * cgroup_get_id:
 * What tells the group from one that is made at the same path later. Never 0.
 */
int cgroup_get_id(int group_fd, uint64_t *ret_id);

/**
 * cgroup_get_pids:
 * @ret_pids: (transfer full): an array for free(), of the group and every group below it
 */
int cgroup_get_pids(int group_fd, pid_t **ret_pids, size_t *ret_n);

/**
 * cgroup_kill:
 * SIGKILL for every process of the group and of those below: cgroup.kill (Linux 5.14), else each pid, again
 * until none is left or 100 rounds are over (-EBUSY). A group that is gone is no error.
 */
int cgroup_kill(int group_fd);

/**
 * cgroup_signal:
 * Any signal for every process of the group and of those below, once. Returns the number of processes, or a
 * negative errno.
 */
int cgroup_signal(int group_fd, int signal_number);

/**
 * cgroup_freeze:
 * Writes cgroup.freeze and waits until cgroup.events agrees. -ETIMEDOUT: a process could not be frozen in
 * time (it stays asked for).
 */
int cgroup_freeze(int group_fd, bool freeze, int timeout_msec);

/**
 * cgroup_wait_empty:
 * Waits until no process is left in the group and below. Returns 0, also when the group was removed, or
 * -ETIMEDOUT. @timeout_msec: -1 waits for ever.
 */
int cgroup_wait_empty(int group_fd, int timeout_msec);

/**
 * cgroup_remove:
 * Removes the group @name in @parent_fd and all below it; they must be empty (-EBUSY). One that is not there
 * is no error.
 */
int cgroup_remove(int parent_fd, const char *name);
