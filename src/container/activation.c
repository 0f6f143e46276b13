/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which of the caller's file descriptors are the container's, and since when. */

#include "container/activation.h"

#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"

#define FIRST_FD 3

static bool has_variable(char *const *env, const char *name) {
        size_t n = strlen(name);

        for (; env && *env; env++)
                if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
                        return true;
        return false;
}

bool activation_read(char *const *env, Activation *ret_activation, GError **error) {
        const char *pid = g_getenv("LISTEN_PID"), *fds = g_getenv("LISTEN_FDS");
        guint64 number;

        *ret_activation = (Activation){.told = has_variable(env, "LISTEN_FDS")};
        if (!pid || !fds || !g_ascii_string_to_unsigned(pid, 10, 1, G_MAXINT32, &number, NULL) ||
            (pid_t) number != getpid())
                return true;
        if (!g_ascii_string_to_unsigned(fds, 10, 0, G_MAXINT32 - FIRST_FD, &number, NULL))
                return fail(error, "LISTEN_FDS: '%s' is not a number of file descriptors", fds);
        ret_activation->n_fds = (unsigned) number;
        ret_activation->names = g_getenv("LISTEN_FDNAMES");
        return true;
}

static bool is_open(const int *inherited, size_t n_inherited, int fd) {
        for (size_t i = 0; i < n_inherited; i++)
                if (inherited[i] == fd)
                        return true;
        return false;
}

GArray *activation_find_fds(const Activation *activation, const int *inherited, size_t n_inherited,
                            unsigned preserve, GError **error) {
        g_autoptr(GArray) fds = g_array_new(FALSE, FALSE, sizeof(int));
        size_t sockets = activation ? activation->n_fds : 0;
        size_t n = activation && activation->told ? MAX(sockets, preserve) : sockets + preserve;

        for (size_t i = 0; i < n; i++) {
                int fd = FIRST_FD + (int) i;

                if (!is_open(inherited, n_inherited, fd)) {
                        fail(error, "%s: file descriptor %d is not open",
                             i < sockets ? "LISTEN_FDS" : "--preserve-fds", fd);
                        return NULL;
                }
                g_array_append_val(fds, fd);
        }
        return g_steal_pointer(&fds);
}
