/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Stream sockets that somebody else listens on: the engine's console socket, a seccomp agent's. A path may be
 * longer than sockaddr_un holds, so its directory is opened first. */

#include "container/console.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/socket.h"

/* @what: who it is for, for messages */
static bool connect_stream(const char *path, const char *what, const char *action, int *ret_fd,
                           GError **error) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        g_autofree char *directory = NULL, *name = NULL;
        autoclose int dir_fd = -EBADF, fd = -EBADF;

        directory = g_path_get_dirname(path);
        name = g_path_get_basename(path);
        dir_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0)
                return fail_errno(error, errno, "%s: cannot open '%s'", what, directory);
        if (g_snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", dir_fd, name) >=
            (int) sizeof(address.sun_path))
                return fail(error, "%s: the name of '%s' is too long", what, path);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0)
                return fail_errno(error, errno, "%s: %s '%s'", what, action, path);
        *ret_fd = steal_fd(&fd);
        return true;
}

bool console_connect(const char *path, int *ret_fd, GError **error) {
        return !path || connect_stream(path, "--console-socket", "cannot connect to", ret_fd, error);
}

bool listener_connect(const char *path, int *ret_fd, GError **error) {
        /* runc's words; others look for them. */
        return !path || connect_stream(path, "linux.seccomp.listenerPath",
                                       "failed to connect with seccomp agent", ret_fd, error);
}

bool pidfd_socket_connect(const char *path, int *ret_fd, GError **error) {
        return !path || connect_stream(path, "--pidfd-socket", "cannot connect to", ret_fd, error);
}

bool pidfd_socket_send(int socket_fd, const char *path, int pidfd, GError **error) {
        int r = socket_fd < 0 ? 0 : socket_send(socket_fd, "pidfd", 5, &pidfd, 1);

        return r < 0 ? fail_errno(error, r, "--pidfd-socket: cannot send to '%s'", path) : true;
}
