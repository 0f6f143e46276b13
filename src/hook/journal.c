/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A stream into the journal by hand: init and the helper have no libsystemd. The journal takes a stream
 * socket on which a few lines of header come first; see "Native Journal Protocol" and sd_journal_stream_fd(3)
 * for the same from libsystemd. */

#include "hook/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "base/auto.h"

/* Holds what a hook writes faster than the journal reads, so that hooks don't run at its pace. The kernel
 * caps it at net.core.wmem_max. */
#define JOURNAL_SEND_BUFFER (8 << 20)

static int connect_journal(void) {
        static const struct sockaddr_un address = {
                .sun_family = AF_UNIX,
                .sun_path = "/run/systemd/journal/stdout",
        };
        autoclose int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        if (fd < 0 || connect(fd, (const struct sockaddr *) &address, sizeof(address)) < 0)
                return -errno;
        /* Only connect() must not wait (a journal that hangs has a full backlog); hooks expect a stdout that
         * blocks. */
        if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
                return -errno;
        shutdown(fd, SHUT_RD);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){JOURNAL_SEND_BUFFER}, sizeof(int));
        return steal_fd(&fd);
}

int hook_journal_open(const char *unit) {
        char header[512];
        autoclose int fd = connect_journal();
        /* Identifier, unit, priority, whether "<N>" is a prefix, and copies to syslog, kernel, console. */
        int n = snprintf(header, sizeof(header), "unitrun\n%s\n%d\n1\n0\n0\n0\n", unit ? unit : "", LOG_INFO);

        if (fd >= 0 && n < (int) sizeof(header) && send(fd, header, (size_t) n, MSG_NOSIGNAL) == n)
                return steal_fd(&fd);
        int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return null_fd < 0 ? -errno : null_fd;
}
