/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <stdint.h>

/* Tells the journal of each process of the container that the kernel kills for want of memory. systemd does
 * so for its unit as a whole, and does not say which process it was or what the limit is. */

typedef struct OomWatch {
        int fd; /* inotify; -EBADF: there is nothing to watch */
        int group_fd;
        uint64_t killed; /* as far as it was told */
} OomWatch;

void oom_watch_init(OomWatch *watch);
void oom_watch_clear(OomWatch *watch);

/**
 * oom_watch_open:
 * @unit_fd: the unit's group
 * Watches the container's group in it. Without the memory controller there is nothing to watch.
 */
void oom_watch_open(OomWatch *watch, int unit_fd);

/**
 * oom_watch_step:
 * @cgroup: the path of the unit's group
 * Looks whether there is something to tell, and tells it.
 */
void oom_watch_step(OomWatch *watch, const char *cgroup);
