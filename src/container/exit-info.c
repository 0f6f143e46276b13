/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which of the two mechanisms brings the exit status to the supervisor. Before Linux 6.19 the ioctl does not
 * say what it could tell of a process that still lives, and a seccomp filter or a backport may make the
 * version a lie in one direction only: where the ioctl as such is missing. So both are asked. */

#include "container/exit-info.h"

#include <glib.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/auto.h"
#include "base/syscalls.h"

bool exit_info_supported(void) {
        struct pidfd_info_v0 info = {.mask = SYS_PIDFD_INFO_PID | SYS_PIDFD_INFO_EXIT};
        struct utsname name;
        int major = 0, minor = 0;
        autoclose int pidfd = -EBADF;

        if (g_getenv("UNITRUN_FORCE_REAPER"))
                return false;
        if (uname(&name) < 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2 || major < 6 ||
            (major == 6 && minor < 15))
                return false;
        pidfd = sys_pidfd_open(getpid(), 0);
        return pidfd >= 0 && ioctl(pidfd, SYS_PIDFD_GET_INFO, &info) == 0;
}
