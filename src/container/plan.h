/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "base/image.h"
#include "init/plan.h"
#include "oci/config.h"

/* From a config to what unitrun-init does: everything is decided and checked here, while errors are cheap and
 * nothing has happened yet. The fds on which init talks to others don't exist by then: whoever makes them
 * sets them in @init. */

/* Where it is mounted if the host has it. */
#define SELINUX_MOUNT "/sys/fs/selinux"

typedef struct PlanContext {
        const char *id;
        const char *bundle;      /* absolute; root.path and bind sources start here */
        const char *cgroup_root; /* where cgroup2 is mounted; NULL: "/sys/fs/cgroup" */

        const int
                *preserve_fds; /* open fds that the program keeps (--preserve-fds); they stay the caller's */
        size_t n_preserve_fds;
        unsigned listen_fds; /* the first of them are sockets that the program is told of; 0: it is told of
                                none */
        const char *listen_names; /* (nullable) */
        const char
                *notify_directory; /* (nullable): on the host, of the socket that NOTIFY_SOCKET is to name */
        const char *watchdog_usec; /* (nullable): the program is told how often to say that it is alive */
        const char *credentials_directory; /* (nullable): on the host, of what $CREDENTIALS_DIRECTORY is to
                                              have */
        const char *credentials_path;      /* and where it is in the container */
        bool console;                      /* there is a socket to send the terminal to */

        uint64_t lacking_capabilities; /* what can't be granted on the host (bit N is capability N) */
        bool selinux;                  /* is enabled on this host */
        bool no_pivot;
        bool no_new_keyring;
        pid_t container_pid; /* exec: of the container's init; and the word for its status */
        const char *container_status;
        bool rootless; /* no privilege on the host: what needs it is left alone where the spec allows */
} PlanContext;

typedef struct Plan {
        Image *image;
        InitPlan *init;          /* (owned by @image) */
        const OciConfig *config; /* (borrowed): init_spawn() compiles its seccomp rules */
        GArray *fds;             /* of int: fds made for the plan, owned */
        GPtrArray *warnings;     /* of char *: what the caller should tell the user, each a whole sentence */
        bool needs_id_maps;      /* a new user namespace: expect SETUP_NEED_MAPS */
        bool expects_console;    /* the terminal will be sent over console_fd */
} Plan;

void plan_free(Plan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

/**
 * plan_build:
 * @error: starts with the JSON path of what can't be done
 *
 * Translates @config, which must stay until init_spawn() has returned; the plan's strings are copies. Opens
 * the namespaces that are to be joined, touches nothing else.
 *
 * Returns (transfer full): the plan, or NULL.
 */
Plan *plan_build(const OciConfig *config, const PlanContext *context, GError **error);

/**
 * plan_build_exec:
 * @config: that of a container which is there; its process is the one that joins it
 * @pidfd: of the container's init; stays the caller's, and open until init_spawn() has returned
 * @namespaces: CLONE_NEW…: those of init to be joined
 *
 * Likewise for `exec`: all that concerns the process and nothing of what makes a container.
 */
Plan *plan_build_exec(const OciConfig *config, const PlanContext *context, int pidfd, uint32_t namespaces,
                      GError **error);

/**
 * plan_build_mounts:
 * Only the root, mounts and devices of a container that is there, for `checkpoint`.
 */
Plan *plan_build_mounts(const OciConfig *config, const PlanContext *context, GError **error);

/**
 * plan_to_text:
 * Returns (transfer full): the plan in words, one line per fact, for tests and debugging.
 */
char *plan_to_text(const Plan *plan);
