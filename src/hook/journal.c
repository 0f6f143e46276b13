/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where a hook's output goes. */

#include <errno.h>
#include <fcntl.h>
#include <syslog.h>

#include "base/journal.h"
#include "hook/hook.h"

int hook_journal_open(const char *unit) {
        int fd = journal_open("unitrun", unit, LOG_INFO);

        if (fd < 0)
                fd = open("/dev/null", O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return fd < 0 ? -errno : fd;
}
