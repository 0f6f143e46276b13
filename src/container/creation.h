/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/create.h"
#include "container/criu.h"
#include "container/home.h"
#include "container/hooks.h"
#include "container/host-mounts.h"
#include "container/net-devices.h"
#include "container/output.h"
#include "container/plan.h"
#include "container/resctrl.h"
#include "container/resources.h"
#include "container/state-dir.h"
#include "container/terminal.h"
#include "oci/config.h"
#include "unit/bus.h"
#include "unit/job.h"
#include "unit/properties.h"

/* A container in the making: what create.c prepares, build.c drives and creation.c undoes. */

typedef struct Creation {
        const CreateOptions *options;
        StateDir *dir;
        OciConfig *config;
        char *bundle; /* absolute */
        char *rootfs;
        HostMounts mounts;
        ResctrlGroup resctrl;
        HomeKind home;
        char *group;      /* HOME_GROUP: the control group that is made for the container */
        bool group_begun; /* what is in its sub-groups is ours */
        char *unit;       /* without one, where the container is instead, for messages */
        char *slice;      /* NULL: the manager's default */

        UnitBus *bus;
        ResourcePlan *resources;
        PropertySet *properties;
        UnitJob *job;         /* set: systemd was asked for the unit */
        UnitRemoval *removal; /* see Created */
        bool reclaimed;       /* a dead unit of ours was in the way and is cleared */

        Plan *plan;
        int handover_listener;
        int handover; /* to the supervisor, once it has come */
        int setup;    /* our end of the socket to stage and init */
        int gate;     /* listening; init's once it is spawned */
        int console;  /* connected console socket, or our own end of one */
        Terminal *terminal;
        int pidfd_socket;
        Output output;
        char *stdio[3]; /* see Facts */
        int reaper;     /* our end of the socket on which the reaper reports; the supervisor gets it */
        int signals;    /* see container/interrupt.h */

        NetDevices *net_devices;   /* moved into the container, or NULL */
        const char *notify_socket; /* of the caller, or NULL */
        pid_t supervisor;          /* our child when there is no unit */
        int supervisor_pidfd;
        pid_t stage; /* our child; in reaper mode it stays */
        pid_t init;
        int init_pidfd;
        CriuDirs criu_dirs; /* restore: the image */
        int criu;           /* the socket to criu */
        int criu_child;     /* its other end, until criu has it */
        pid_t criu_pid;     /* our child, or the reaper's */
        int criu_pidfd;
        char *cgroup;  /* of the unit, known when the supervisor has said hello */
        bool moved;    /* init sits in the payload group */
        bool finished; /* init waits at the gate */
        bool committed;
} Creation;

/**
 * creation_free:
 * Undoes everything unless @creation is committed: init killed and reaped, the unit stopped and forgotten,
 * poststop hooks run if there was an environment to run in, pid file and state directory removed.
 */
void creation_free(Creation *creation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Creation, creation_free)

/**
 * creation_new:
 * @options: must outlive the creation
 */
Creation *creation_new(const CreateOptions *options);

/**
 * creation_memory_hint:
 * Returns (transfer full): "" or, where the config's memory limit is so low that not even the setup may fit,
 * a question after it, to be put behind an error that has no reason of its own.
 */
char *creation_memory_hint(const Creation *creation);

/**
 * creation_hook_subject:
 * Returns: what the hooks of the container are told. Valid as long as @creation.
 */
HookSubject creation_hook_subject(const Creation *creation);

/**
 * creation_watch_job:
 * Hears what systemd has to say of the unit's job and returns false once it has failed. When the name is
 * taken by a dead unit of ours (a failed one that nobody reset), that is cleared and systemd is asked again,
 * once.
 */
bool creation_watch_job(Creation *creation, GError **error);
