/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "container/container.h"
#include "container/criu.h"
#include "container/home.h"
#include "container/service-unit.h"
#include "container/terminal.h"
#include "unit/job.h"
#include "unit/unit.h"

typedef struct CreateOptions {
        const char *root; /* state root, absolute */
        const char *id;
        const char *bundle;           /* NULL: the working directory */
        const char *config;           /* NULL: BUNDLE/config.json */
        const char *config_text;      /* instead of a file; NULL: none */
        const CriuOptions *restore;   /* from this image; NULL: a new container */
        const ServiceUnit *service;   /* we are the main process of this unit, which becomes the container's;
                                         NULL: it   gets one, or what cgroup_manager says */
        const char *pid_file;         /* NULL: none */
        const char *console_socket;   /* NULL: none */
        const char *pidfd_socket;     /* NULL: none */
        char *const *poststart_hooks; /* command lines, behind the config's own; NULL: none */
        bool notify;     /* with @service: the program's notifications are passed on to systemd */
        bool journal;    /* the output goes there, stdin is empty; else all three are the caller's */
        bool foreground; /* the caller waits, and passes a terminal on to its own if nobody else takes it */
        HomeManager cgroup_manager;
        bool no_pivot;
        bool no_new_keyring;
        unsigned preserve_fds;    /* fds 3 … 2+N are the container's, those of them that are open */
        const int *inherited_fds; /* what was open when the program was started, ascending */
        size_t n_inherited_fds;
} CreateOptions;

/* What create leaves to a command that goes on in the same process (`run`). */
typedef struct Created {
        Container *container;
        bool restored; /* its program runs: container_start_restored() */
        UnitBus *bus;
        UnitJob *job;         /* the unit's start job: done when the poststart hooks are */
        UnitRemoval *removal; /* with CreateOptions.foreground; NULL: there is no unit */
        Terminal *terminal; /* with CreateOptions.foreground; NULL: none, or it went to the console socket */
} Created;

void created_free(Created *created);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Created, created_free)

/**
 * container_create:
 * The OCI create operation as one transaction: on success the container is created, its init waits at the
 * gate and is a child of this process; on failure, or when the process is killed at any instant, nothing
 * stays that would be in the way of the next command with the same ID.
 *
 * Fails with UNITRUN_ERROR_EXISTS when the ID or the name of the unit is taken.
 */
Created *container_create(const CreateOptions *options, GError **error);
