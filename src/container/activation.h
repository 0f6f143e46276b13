/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The file descriptors that a container's program gets from the caller: those of socket activation
 * (sd_listen_fds(3)), and those of --preserve-fds. */

typedef struct Activation {
        unsigned n_fds;    /* from 3 on; 0: the caller passes no sockets */
        const char *names; /* (nullable): LISTEN_FDNAMES */
        bool told;         /* the program's environment says so already: its engine has seen to it */
} Activation;

/**
 * activation_read:
 * @env: (nullable): of the program, as config.json has it
 * @ret_activation: has what points into our own environment
 *
 * Reads LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES of our own environment. Those for another process are not
 * for us.
 */
bool activation_read(char *const *env, Activation *ret_activation, GError **error);

/**
 * activation_find_fds:
 * @activation: (nullable)
 * @inherited: what was open when the program was started
 * @preserve: as many as --preserve-fds says. They stand behind the sockets, as with runc; of an engine that
 * has told the program of the sockets itself (podman) they are the same
 *
 * Returns (transfer full) (element-type int): fd 3 and what follows; NULL with @error set when one of them is
 * not open.
 */
GArray *activation_find_fds(const Activation *activation, const int *inherited, size_t n_inherited,
                            unsigned preserve, GError **error);
