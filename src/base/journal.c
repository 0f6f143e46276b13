/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A stream into the journal by hand: init, helper and supervisor have no libsystemd. The journal takes a
 * stream socket on which a few lines of header come first; see "Native Journal Protocol" and
 * sd_journal_stream_fd(3) for the same from libsystemd. */

#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"

/* Holds what is written faster than the journal reads, so that hooks don't run at its pace. The kernel caps
 * it at net.core.wmem_max. */
#define JOURNAL_SEND_BUFFER (8 << 20)

#define ENTRY_SIZE 8192

static int connect_journal(void) {
        static const struct sockaddr_un address = {
                .sun_family = AF_UNIX,
                .sun_path = "/run/systemd/journal/stdout",
        };
        autoclose int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        if (fd < 0 || connect(fd, (const struct sockaddr *) &address, sizeof(address)) < 0)
                return -errno;
        /* Only connect() must not wait (a journal that hangs has a full backlog); programs expect a stdout
         * that blocks. */
        if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
                return -errno;
        shutdown(fd, SHUT_RD);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){JOURNAL_SEND_BUFFER}, sizeof(int));
        return steal_fd(&fd);
}

int journal_open(const char *identifier, const char *unit, int priority) {
        char header[1024];
        autoclose int fd = connect_journal();
        /* Identifier, unit, priority, whether "<N>" is a prefix, and copies to syslog, kernel, console. */
        int n = snprintf(header, sizeof(header), "%s\n%s\n%d\n1\n0\n0\n0\n", identifier, unit ? unit : "",
                         priority);

        if (fd < 0)
                return fd;
        if (n >= (int) sizeof(header))
                return -ENAMETOOLONG;
        if (send(fd, header, (size_t) n, MSG_NOSIGNAL) != n)
                return errno > 0 ? -errno : -EIO;
        return steal_fd(&fd);
}

int journal_tell(const char *identifier, int priority, const char *message_id, const char *unit,
                 const char *message) {
        static const struct sockaddr_un address = {
                .sun_family = AF_UNIX,
                .sun_path = "/run/systemd/journal/socket",
        };
        autoclose int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        char text[ENTRY_SIZE];
        const char *field = geteuid() == 0 ? "OBJECT_SYSTEMD_UNIT=" : "OBJECT_SYSTEMD_USER_UNIT=";
        int n = snprintf(text, sizeof(text),
                         "MESSAGE=%s\nPRIORITY=%d\nSYSLOG_IDENTIFIER=%s\nMESSAGE_ID=%s\n%s%s%s", message,
                         priority, identifier, message_id, unit ? field : "", unit ? unit : "",
                         unit ? "\n" : "");

        if (n >= (int) sizeof(text) || strchr(message, '\n'))
                return -EMSGSIZE;
        if (fd < 0 || sendto(fd, text, (size_t) n, MSG_NOSIGNAL, (const struct sockaddr *) &address,
                             sizeof(address)) != n)
                return -errno;
        return 0;
}
