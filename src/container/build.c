/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The event loop of create. Four parties speak: systemd (the unit's job), the supervisor (handover), stage
 * and init (setup), and whoever sends us a signal. protocol/message.h has the words. */

#include "container/build.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "container/handover.h"
#include "container/id-map.h"
#include "container/interrupt.h"
#include "container/placement.h"
#include "container/restore.h"
#include "protocol/message.h"

static bool send_to_init(Creation *creation, MessageType type, GError **error) {
        int r = message_send(creation->setup, type, 0);

        /* It has failed meanwhile: what it said is still to be read, by handle_setup(). */
        if (r == -EPIPE || r == -ECONNRESET)
                return true;
        return r < 0 ? fail_errno(error, r, "cannot talk to the container's init") : true;
}

/* Init goes into the unit as soon as both are there. */
static bool place_init(Creation *creation, GError **error) {
        bool restore = creation->options->restore != NULL;
        pid_t pid = restore ? creation->criu_pid : creation->init;

        if (creation->moved || !creation->cgroup || pid <= 0)
                return true;
        if (!placement_apply(creation, pid, error) || !resctrl_join(&creation->resctrl, pid, error))
                return false;
        if (restore) {
                creation->moved = true;
                return handover_output(creation, error) && restore_begin(creation, error);
        }
        /* A service's supervisor is systemd. */
        if (creation->home != HOME_SERVICE &&
            (!handover_output(creation, error) || !handover_init(creation, HANDOVER_INIT, error)))
                return false;
        creation->moved = true;
        return send_to_init(creation, SETUP_MOVED, error);
}

/* Init was cloned into its network namespace, or goes on to join the one that the config names. */
static bool move_devices(Creation *creation, GError **error) {
        const OciNamespace *network = oci_config_namespace(creation->config, CLONE_NEWNET);
        g_autofree char *own = g_strdup_printf("/proc/%d/ns/net", (int) creation->init);

        if (creation->config->linux.net_devices.n == 0)
                return true;
        creation->net_devices =
                net_devices_move(creation->config, network->path ? network->path : own, error);
        return creation->net_devices || fail_prefix(error, "config.json");
}

/* criu: what it restores is known later. */
static bool take_criu(Creation *creation, pid_t pid, GError **error) {
        creation->criu_pid = pid;
        creation->criu_pidfd = sys_pidfd_open(pid, 0);
        if (creation->criu_pidfd < 0)
                return fail_errno(error, errno, "cannot watch criu (PID %d)", pid);
        return place_init(creation, error);
}

static bool take_fork(Creation *creation, pid_t pid, GError **error) {
        if (creation->options->restore)
                return take_criu(creation, pid, error);
        creation->init = pid;
        g_debug("init of container '%s' is PID %d", creation->options->id, (int) pid);
        creation->init_pidfd = sys_pidfd_open(pid, 0);
        if (creation->init_pidfd < 0)
                return fail_errno(error, errno, "cannot watch the container's init (PID %d)", pid);
        return move_devices(creation, error) && place_init(creation, error);
}

/* Not before init has been created: until then the stage may be its helper (init/helper.h). */
static void reap_stage(Creation *creation) {
        if (creation->plan->init->reaper_fd >= 0)
                return;
        process_reap(creation->stage);
        creation->stage = 0;
}

static bool run_runtime_hooks(Creation *creation, GError **error) {
        return handover_run_hooks(creation, error) && send_to_init(creation, SETUP_HOOKS_DONE, error);
}

static bool accept_supervisor(Creation *creation, GError **error) {
        uid_t uid;
        int fd = accept4(creation->handover_listener, NULL, NULL, SOCK_CLOEXEC);

        if (fd < 0)
                return errno == EINTR || errno == EAGAIN || errno == ECONNABORTED
                               ? true
                               : fail_errno(error, errno, "cannot accept the supervisor of '%s'",
                                            creation->unit);
        if (socket_peer_uid(fd, &uid) < 0 || uid != geteuid()) {
                close(fd);
                return true;
        }
        creation->handover = fd;
        close_clear(&creation->handover_listener);
        return true;
}

static bool handle_handover(Creation *creation, GError **error) {
        Message message;
        int r = message_receive(creation->handover, &message, NULL, NULL);

        if ((r == 0 || r == -ECONNRESET) && creation->home != HOME_UNIT)
                return fail(error, "the supervisor of '%s' has ended, see: journalctl -t unitrun",
                            creation->unit);
        if (r == 0 || r == -ECONNRESET) {
                g_autofree char *hint = creation_memory_hint(creation);

                return fail(error,
                            "unit '%s' was stopped while its container was created%s, see: journalctl -u %s",
                            creation->unit, hint, creation->unit);
        }
        if (r < 0)
                return fail_errno(error, r, "cannot hear the supervisor of '%s'", creation->unit);
        if (message.type == HANDOVER_FAILED)
                return fail(error, "the supervisor of '%s' cannot start: %s", creation->unit,
                            message.failure.text);
        if (message.type != HANDOVER_HELLO || creation->cgroup)
                return fail(error, "unexpected message %u from the supervisor of '%s'", message.type,
                            creation->unit);
        creation->cgroup = g_strdup(message.failure.text);
        g_debug("unit '%s' runs in the cgroup '%s'", creation->unit, creation->cgroup);
        return place_init(creation, error);
}

/* Init is gone without a word: say at least how. */
static bool init_vanished(Creation *creation, GError **error) {
        g_autofree char *hint = creation_memory_hint(creation);
        siginfo_t info = {0};
        char name[SIGNAL_NAME_SIZE];

        if (creation->init <= 0)
                return fail(error, "unitrun-init ended before the container was there%s", hint);
        if (waitid(P_PIDFD, (id_t) creation->init_pidfd, &info, WEXITED | WNOWAIT) == 0 &&
            (info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)) {
                struct pollfd supervisor = {.fd = creation->handover, .events = POLLIN};

                /* systemd kills it with its unit: then that is what there is to tell. */
                if (creation->handover >= 0 && poll(&supervisor, 1, 0) > 0 &&
                    !handle_handover(creation, error))
                        return false;
                signal_to_name(info.si_status, name);
                return fail(error, "the container's init was killed by %s while it was set up%s", name, hint);
        }
        return fail(error, "the container's init ended while it was set up%s", hint);
}

static bool handle_setup(Creation *creation, GError **error) {
        Message message;
        int r = message_receive(creation->setup, &message, NULL, NULL);

        /* Init has ended and not read all we sent. The kernel says so before it hands out init's last word.
         */
        if (r == -ECONNRESET)
                r = message_receive(creation->setup, &message, NULL, NULL);
        /* The stage has started criu and ended; from now on that is listened to. */
        if (r == 0 && creation->criu_pid > 0 && creation->plan->init->reaper_fd < 0) {
                close_clear(&creation->setup);
                return true;
        }
        if (r == 0 || r == -ECONNRESET)
                return init_vanished(creation, error);
        if (r < 0)
                return fail_errno(error, r, "cannot hear the container's init");
        switch (message.type) {
        case SETUP_FORKED:
                return take_fork(creation, message.pid, error);
        case SETUP_NEED_MAPS:
                return id_map_write(creation->config, creation->init, error) &&
                       send_to_init(creation, SETUP_MAPPED, error);
        case SETUP_MOUNTED:
                return run_runtime_hooks(creation, error);
        case SETUP_CREATED:
                reap_stage(creation);
                creation->finished = true;
                return true;
        case SETUP_FAILED:
                return fail(error, "%s", message.failure.text);
        default:
                return fail(error, "unexpected message %u from the container's init", message.type);
        }
}

/* One that we have started ourselves: nobody else would tell. What it has said before comes first. */
static bool supervisor_vanished(Creation *creation, GError **error) {
        return creation->handover >= 0
                       ? handle_handover(creation, error)
                       : fail(error, "the supervisor of '%s' has ended, see: journalctl -t unitrun",
                              creation->unit);
}

typedef struct Source {
        int fd;
        short events;
        bool (*handle)(Creation *creation, GError **error);
} Source;

static bool handle_signal(Creation *creation, GError **error) {
        return interrupt_check(creation->signals, error);
}

static bool handle_bus(Creation *creation, GError **error) {
        return !creation->bus || creation_watch_job(creation, error);
}

/* One round: waits for any of the sources and lets each that has something to say speak. */
static bool build_step(Creation *creation, GError **error) {
        UnitBus *bus = creation->bus;
        const Source sources[] = {
                {creation->setup,                     POLLIN,                             handle_setup       },
                {creation->handover_listener,         POLLIN,                             accept_supervisor  },
                {creation->handover,                  POLLIN,                             handle_handover    },
                {bus ? unit_bus_get_fd(bus) : -EBADF, bus ? unit_bus_get_events(bus) : 0, handle_bus         },
                {creation->supervisor_pidfd,          POLLIN,                             supervisor_vanished},
                {creation->criu,                      POLLIN,                             restore_handle     },
                {creation->signals,                   POLLIN,                             handle_signal      },
        };
        struct pollfd polled[G_N_ELEMENTS(sources)];

        for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
                polled[i] = (struct pollfd){.fd = sources[i].fd, .events = sources[i].events};
        if (poll(polled, G_N_ELEMENTS(polled), bus ? unit_bus_get_timeout_msec(bus) : -1) < 0)
                return errno == EINTR ? true : fail_errno(error, errno, "cannot wait for events");
        for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
                if ((polled[i].revents != 0 || sources[i].handle == handle_bus) &&
                    !sources[i].handle(creation, error))
                        return false;
        return true;
}

bool creation_build(Creation *creation, GError **error) {
        /* What has come with the reply to an earlier call does not wake poll(). */
        if (!handle_bus(creation, error))
                return false;
        while (!creation->finished || !creation->moved)
                if (!build_step(creation, error))
                        return false;
        return true;
}
