/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "container/host-mounts.h"
#include "container/resctrl.h"

/* What is written down about a container and never changes: STATE_FACTS, and before the container exists
 * STATE_INTENT with the unit only. Both are key files (GKeyFile) with one group. */

typedef struct Facts {
        char *unit;        /* "unitrun-web.service"; NULL: container/home.h */
        bool no_unit;      /* says that it is not missing by mistake */
        bool service;      /* systemd starts and stops it: container/service.h */
        bool user_manager; /* the unit belongs to the caller's user manager */
        char *bundle;      /* absolute */
        char *rootfs;      /* absolute */
        HostMounts mounts;
        char *cgroup;         /* of the unit, below the mount of cgroup2: "/system.slice/unitrun-web.service";
                               * without a unit the group made for the container, or NULL */
        uint64_t payload_id;  /* cgroup_get_id() of the container's group in it; 0: not known */
        pid_t pid;            /* init, as create's pid namespace counts */
        uint64_t start_ticks; /* its start time, proc(5) field 22 */
        int64_t created_usec; /* CLOCK_REALTIME */
        uid_t owner;
        bool own_pid_namespace; /* init is PID 1 of a namespace that ends with it */
        bool no_poststop_hooks; /* nothing of the config is needed at the end */
        bool has_process;       /* there is something to start */
        char *seccomp_listener; /* where the fd of SCMP_ACT_NOTIFY goes at start; NULL: there is none */
        ResctrlGroup resctrl;   /* linux.intelRdt */
        bool no_new_keyring;    /* the container has its creator's session keyring */
        char *stdio[3];         /* what the program's fds 0, 1, 2 were: "pipe:[1234]"; NULL: not known */
} Facts;

void facts_free(Facts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Facts, facts_free)

/**
 * facts_write:
 * @name: STATE_FACTS or STATE_INTENT
 * Replaces the file; for STATE_FACTS this is the commit of create.
 */
bool facts_write(const Facts *facts, int dir_fd, const char *name, GError **error);

/**
 * facts_load:
 * Fails with UNITRUN_ERROR_NOT_FOUND when there is no such file.
 */
Facts *facts_load(int dir_fd, const char *name, GError **error);
