/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"

#define IDENTIFIER     "unitrun-generator"
#define JOURNAL_SOCKET "/run/systemd/journal/socket"
#define MESSAGE_ID     "6fba60c5f39a4b0fbd6ce4fc5d5b2b8f" /* see data/unitrun.catalog */

static bool tell_journal(const char *message) {
        static const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = JOURNAL_SOCKET};
        autoclose int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        char text[4096];
        int n = snprintf(text, sizeof(text),
                         "MESSAGE=%s\nPRIORITY=3\nSYSLOG_IDENTIFIER=" IDENTIFIER "\nMESSAGE_ID=" MESSAGE_ID
                         "\n",
                         message);

        return fd >= 0 && n > 0 && n < (int) sizeof(text) &&
               sendto(fd, text, (size_t) n, MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *) &address,
                      sizeof(address)) == n;
}

static bool tell_kernel(const char *message) {
        autoclose int fd = open("/dev/kmsg", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

        return fd >= 0 && dprintf(fd, "<3>" IDENTIFIER "[%d]: %s\n", (int) getpid(), message) > 0;
}

void report_problem(const char *message, bool here) {
        if (here || (!tell_journal(message) && !tell_kernel(message)))
                dprintf(STDERR_FILENO, IDENTIFIER ": %s\n", message);
}
