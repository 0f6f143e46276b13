/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "init/plan.h"
#include "protocol/failure.h"

/* What init knows while it builds the container. Made by the stage before it clones, so that both have it. */
typedef struct Init {
        const InitPlan *plan;
        int helper_fd;              /* to the helper, see init/helper.h; -EBADF: there is none */
        int stage_fd;               /* to the stage where that is not the helper, else -EBADF */
        int *id_map_fds;            /* the user namespaces of plan->id_maps */
        uint64_t join_later;        /* bit N: plan->join[N] could not be joined without the user namespace's
                                       privileges */
        pid_t outer_pid;            /* of init, as the front end sees it */
        bool moved;                 /* SETUP_MOVED came */
        char cgroup_path[PATH_MAX]; /* where to; noted before a new cgroup namespace hides it */
        int proc_fd;                /* a procfs that nobody else can mount anything in, see init/procfs.h */
        int rootfs_fd;              /* the root of the container's rootfs mount */
        int *readonly_later; /* mounts that turn read-only when nothing has to be made in them any more */
        size_t n_readonly_later;
        int console_fd;         /* the terminal's side of the program */
        void *seccomp_program;  /* struct sock_filter[], NULL: none */
        size_t seccomp_size;    /* in bytes */
        int gate_fd;            /* the supervisor's connection */
        int listener_fd;        /* a connection to the listener of seccomp notifications, or -EBADF */
        bool cwd_is_set;        /* chdir() succeeded with init's own privileges */
        char **env;             /* of the program: the config's, and HOME */
        char program[PATH_MAX]; /* what is executed */
} Init;

/**
 * init_run:
 * Everything from the clone to the user program. Does not return: the program runs, or the process ends after
 * it said why over the setup socket or the gate.
 */
void init_run(Init *init) __attribute__((noreturn));

/**
 * init_run_joined:
 * The same for a process that `exec` adds: plan->is_exec, and the stage has joined the container's
 * namespaces.
 */
void init_run_joined(Init *init) __attribute__((noreturn));
