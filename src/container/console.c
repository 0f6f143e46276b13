/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The engine's console socket. Its path may be longer than sockaddr_un holds, so its directory is opened
 * first. */

#include "container/console.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base-glib/error.h"
#include "base/auto.h"

bool console_connect(const char *path, int *ret_fd, GError **error) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        g_autofree char *directory = NULL, *name = NULL;
        autoclose int dir_fd = -EBADF, fd = -EBADF;

        if (!path)
                return true;
        directory = g_path_get_dirname(path);
        name = g_path_get_basename(path);
        dir_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0)
                return fail_errno(error, errno, "--console-socket: cannot open '%s'", directory);
        if (g_snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", dir_fd, name) >=
            (int) sizeof(address.sun_path))
                return fail(error, "--console-socket: the name of '%s' is too long", path);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0)
                return fail_errno(error, errno, "--console-socket: cannot connect to '%s'", path);
        *ret_fd = steal_fd(&fd);
        return true;
}
