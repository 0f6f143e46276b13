/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Signals to a container: to init by pidfd, or to its whole payload group. */

#include "container/kill.h"

#include <errno.h>
#include <signal.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "cgroup/group.h"

/* For a container without a group of its own. That init is gone is no error. */
static bool signal_init(const Container *container, int signal_number, GError **error) {
        autoclose int pidfd = process_open(container->facts->pid, container->facts->start_ticks);
        int r = pidfd < 0 ? pidfd : process_signal(pidfd, signal_number);

        return r >= 0 || r == -ESRCH || fail_errno(error, r, "cannot signal the container's init");
}

static bool signal_group(const Container *container, int signal_number, GError **error) {
        autoclose int group_fd = -EBADF;
        int r;

        if (!container->facts->cgroup)
                return signal_init(container, signal_number, error);
        r = group_fd = container_open_payload(container);
        if (r == -ENOENT)
                return true; /* nobody is left */
        if (r >= 0)
                r = signal_number == SIGKILL ? cgroup_kill(group_fd) : cgroup_signal(group_fd, signal_number);
        return r < 0 ? fail_errno(error, r, "cannot signal the processes of '%s'", container->facts->cgroup)
                     : true;
}

/* Whether what init has left behind is there still, on its way out. */
static bool has_processes(const Container *container) {
        autoclose int group_fd = container_open_payload(container);
        CgroupEvents events;

        return group_fd >= 0 && cgroup_get_events(group_fd, &events) >= 0 && events.populated;
}

bool container_kill(const Container *container, int signal_number, bool all, GError **error) {
        autoclose int pidfd = -EBADF;
        char name[SIGNAL_NAME_SIZE];
        int r;

        /* With --all the rest of a container whose init has ended is meant as well. */
        if (all && container->facts)
                return signal_group(container, signal_number, error);
        if (signal_number == SIGKILL && container->facts && !container->facts->own_pid_namespace &&
            has_processes(container))
                return signal_group(container, signal_number, error);
        pidfd = container_open_init(container, error);
        if (pidfd < 0)
                return false;
        r = process_signal(pidfd, signal_number);
        if (r == -ESRCH && signal_number != SIGKILL)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                                 container->dir->id);
        return r < 0 && r != -ESRCH ? fail_errno(error, r, "cannot send %s to container '%s'",
                                                 signal_to_name(signal_number, name), container->dir->id)
                                    : true;
}
