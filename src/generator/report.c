/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/journal.h"

#define IDENTIFIER "unitrun-generator"

static bool tell_kernel(const char *message) {
        autoclose int fd = open("/dev/kmsg", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

        return fd >= 0 && dprintf(fd, "<3>" IDENTIFIER "[%d]: %s\n", (int) getpid(), message) > 0;
}

void report_problem(const char *message, bool here) {
        if (here || (journal_tell(IDENTIFIER, LOG_ERR, MESSAGE_ID_FILE_UNUSABLE, NULL, message) < 0 &&
                     !tell_kernel(message)))
                dprintf(STDERR_FILENO, IDENTIFIER ": %s\n", message);
}
