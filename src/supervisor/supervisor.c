/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The supervisor proper: what it holds, and the loop in which it lives until init has ended. Each source of
 * events has one handler; the phase says what an event means. It allocates nothing: all of it is on the
 * stack, since it sits inside the container's memory limit. */

#include "supervisor/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/journal.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/socket.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"
#include "supervisor/control.h"
#include "supervisor/exit-status.h"
#include "supervisor/footprint.h"
#include "supervisor/handover.h"
#include "supervisor/init-process.h"
#include "supervisor/notify-relay.h"
#include "supervisor/notify.h"
#include "supervisor/oom-watch.h"
#include "supervisor/relay.h"
#include "supervisor/signals.h"
#include "supervisor/unit-group.h"

#define BARRIER_MSEC 5000
#define IDLE_MSEC    200

typedef enum Phase {
        PHASE_CREATED,  /* init waits at the gate */
        PHASE_STARTING, /* it was told to go */
        PHASE_RUNNING,  /* the program was executed */
        PHASE_FAILED,   /* the program can't be executed, init ends */
        PHASE_ENDED,    /* the status is known; poststart hooks still need the unit */
        PHASE_DONE,
} Phase;

typedef struct Supervisor {
        Phase phase;
        int dir_fd, group_fd, signal_fd, handover_fd, gate_fd;
        Control control;
        InitProcess init;
        Relay relay;
        NotifyRelay notify;
        OomWatch oom;
        char cgroup[CGROUP_PATH_SIZE]; /* of the unit */
        char name[INIT_NAME_SIZE];     /* of the program */
        int32_t start_way;             /* StartWay */
        bool executing;                /* init said that the program comes next */
        bool own_group;                /* there is a control group for it and the payload */
        bool stopping;                 /* it was sent what may be its stop signal */
        ExitReport status;
} Supervisor;

static int complain(const char *what, int error) {
        dprintf(STDERR_FILENO, "<3>unitrun-supervisor: %s: %s\n", what, error_text(error));
        return error;
}

/* Losing the status file or a notification is no reason to let the container down. The directory itself may
 * be gone: `delete --force` does not wait for us. */
static void note_status(const Supervisor *supervisor, StatusWord word, int value) {
        int r = status_write(supervisor->dir_fd, word, value);

        if (r < 0 && r != -ENOENT)
                complain("cannot write the container's status, ignoring", r);
}

static void note_notified(int r) {
        if (r < 0)
                complain("cannot notify systemd, ignoring", r);
}

static void describe_running(const Supervisor *supervisor, const char *first) {
        note_notified(notify_send("%sSTATUS=Running %s as PID %d", first, supervisor->name,
                                  (int) supervisor->init.pid));
}

static void describe_created(void) {
        note_notified(notify_send("STATUS=Created, waiting for start"));
}

/* What `pause` and `resume` have done. */
static void describe_frozen(const Supervisor *supervisor, bool frozen) {
        if (supervisor->phase == PHASE_CREATED && frozen)
                note_notified(notify_send("STATUS=Paused before its start"));
        else if (supervisor->phase == PHASE_CREATED)
                describe_created();
        else if (supervisor->phase == PHASE_RUNNING && frozen)
                note_notified(notify_send("STATUS=Paused, %s (PID %d) is frozen", supervisor->name,
                                          (int) supervisor->init.pid));
        else if (supervisor->phase == PHASE_RUNNING)
                describe_running(supervisor, "");
}

/* `start` and `restore` return to an engine that may ask systemd next. */
static void answer_starter(Supervisor *supervisor) {
        if (supervisor->start_way == START_SETTLED)
                note_notified(notify_wait_processed(BARRIER_MSEC));
        control_reply(&supervisor->control, supervisor->control.starter, CONTROL_STARTED);
}

static void program_runs(Supervisor *supervisor) {
        supervisor->phase = PHASE_RUNNING;
        init_process_name(&supervisor->init, supervisor->name);
        note_status(supervisor, STATUS_WORD_RUNNING, 0);
        describe_running(supervisor, "READY=1\n");
        answer_starter(supervisor);
}

static void program_failed(Supervisor *supervisor, const SetupFailure *failure) {
        supervisor->phase = PHASE_FAILED;
        note_status(supervisor, STATUS_WORD_FAILED, 0);
        note_notified(notify_send("STATUS=The program could not be started"));
        if (journal_tell("unitrun-supervisor", LOG_ERR, MESSAGE_ID_PROGRAM_FAILED,
                         unit_group_name(supervisor->cgroup), failure->text) < 0)
                dprintf(STDERR_FILENO, "<3>%s\n", failure->text);
        process_signal(supervisor->init.pidfd, SIGKILL);
        control_reply_failure(&supervisor->control, supervisor->control.starter, failure);
}

/* End of file is good news after GATE_EXEC only: the connection was closed by exec. Before, init is dying and
 * its pidfd will tell the rest. */
static void handle_gate(Supervisor *supervisor) {
        Message message;
        int r = message_receive(supervisor->gate_fd, &message, NULL, NULL);

        if (r > 0 && message.type == GATE_EXEC && supervisor->phase == PHASE_STARTING) {
                struct pollfd more = {.fd = supervisor->gate_fd, .events = POLLIN};

                supervisor->executing = true;
                /* A program may have ended by now: the end of file behind this word comes before that. */
                if (poll(&more, 1, 0) <= 0)
                        return;
                r = message_receive(supervisor->gate_fd, &message, NULL, NULL);
        }
        if (r > 0 && message.type == GATE_FAILED) {
                program_failed(supervisor, &message.failure);
        } else if (r > 0 || r == -EBADMSG) {
                setup_failed_text(&message.failure, -EBADMSG, FAILURE_GENERIC,
                                  "unexpected message from init");
                program_failed(supervisor, &message.failure);
        } else if (supervisor->executing && supervisor->phase == PHASE_STARTING) {
                program_runs(supervisor);
        }
        auto_close_fd(&supervisor->gate_fd);
        supervisor->gate_fd = -EBADF;
}

/* @listener_fd: for init, which sends its seccomp notifications' fd there; -EBADF: none. */
static int let_go(int gate_fd, int listener_fd) {
        Message message = {.type = GATE_GO};

        return gate_fd < 0 ? -EPIPE
                           : socket_send(gate_fd, &message, sizeof(message), &listener_fd, listener_fd >= 0);
}

static void handle_start(Supervisor *supervisor, int index, int32_t way, int listener_fd) {
        bool stopped = supervisor->phase >= PHASE_FAILED || supervisor->init.exited;
        SetupFailure failure;
        int r;

        if (supervisor->phase == PHASE_CREATED && !stopped) {
                r = let_go(supervisor->gate_fd, listener_fd);
                if (r >= 0) {
                        supervisor->phase = PHASE_STARTING;
                        supervisor->control.starter = index;
                        supervisor->start_way = way;
                        return;
                }
                stopped = true;
        }
        setup_failed_text(&failure, -EPERM, FAILURE_STATE, "%s",
                          stopped ? "cannot start a container that has stopped"
                                  : "cannot start an already running container");
        control_reply_failure(&supervisor->control, index, &failure);
}

/* Nobody has to be let go: who restored the container waits until systemd knows that it runs. */
static void handle_restored(Supervisor *supervisor, int index, int32_t way) {
        supervisor->control.starter = index;
        supervisor->start_way = way;
        answer_starter(supervisor);
}

static void handle_control(Supervisor *supervisor, const struct pollfd polled[static CONTROL_N_POLL]) {
        MessageType type;
        int32_t value;
        int fd;

        if (polled[0].revents != 0)
                control_accept(&supervisor->control);
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++) {
                if (polled[1 + i].revents == 0 ||
                    !control_receive(&supervisor->control, i, &type, &value, &fd))
                        continue;
                if (type == CONTROL_START)
                        handle_start(supervisor, i, value, fd);
                else if (type == CONTROL_RESTORED)
                        handle_restored(supervisor, i, value);
                else if (type == CONTROL_FROZEN)
                        describe_frozen(supervisor, value != 0);
                auto_close_fd(&fd);
        }
        if (supervisor->phase == PHASE_ENDED && supervisor->control.starter < 0)
                supervisor->phase = PHASE_DONE;
}

/* STOPPING=1 is not sent: it would put the unit into stop-sigterm with systemd's SIGKILL to follow, which is
 * wrong for a signal that the program survives (`systemctl kill -s HUP`), and when systemd stops the unit it
 * needs no telling. */
static void forward(Supervisor *supervisor, int signal_number) {
        char name[SIGNAL_NAME_SIZE];
        int r = process_signal(supervisor->init.pidfd, signal_number);

        if (r < 0 && r != -ESRCH)
                complain("cannot pass a signal on to the container", r);
        if (!signals_terminates(signal_number))
                return;
        r = supervisor->own_group ? unit_group_thaw_payload(supervisor->group_fd) : 0;
        if (r < 0 && r != -ENODEV)
                complain("cannot thaw the container", r);
        if (signals_means_stop(signal_number))
                note_notified(notify_send("STATUS=Stopping, %s sent to %s (PID %d)",
                                          signal_to_name(signal_number, name), supervisor->name,
                                          (int) supervisor->init.pid));
        else if (r > 0)
                describe_running(supervisor, "");
}

static void kill_init(const Supervisor *supervisor, const char *reason) {
        process_signal(supervisor->init.pidfd, SIGKILL);
        note_notified(notify_send("STATUS=Stopping, %s", reason));
}

/* systemd stops the unit because of its ExecStartPost=. There is nothing to end gracefully for a program that
 * may ignore the stop signal (as PID 1 of its namespace it does unless it has a handler) while `start` waits.
 */
static bool poststart_failed(const Supervisor *supervisor) {
        return supervisor->control.starter >= 0 &&
               faccessat(supervisor->dir_fd, STATE_HOOK_FAILURE, F_OK, 0) == 0;
}

static void handle_signal(Supervisor *supervisor) {
        bool from_manager = false;
        int signal_number = signals_take(supervisor->signal_fd, &from_manager);
        bool ends = signals_terminates(signal_number);

        if (signal_number == 0)
                return;
        /* A container's stop signal can be one that does nothing by default (SIGWINCH for Apache); systemd
         * sends SIGCONT along with it. */
        ends = ends || (from_manager && signal_number != SIGCONT);
        supervisor->stopping = supervisor->stopping || ends;
        switch (supervisor->phase) {
        case PHASE_CREATED:
        case PHASE_STARTING:
                /* Init is PID 1 of its namespace, without handlers: it would not notice. */
                if (ends)
                        kill_init(supervisor, "it was not started");
                else
                        process_signal(supervisor->init.pidfd, signal_number);
                break;
        case PHASE_RUNNING:
                if (from_manager && poststart_failed(supervisor)) {
                        kill_init(supervisor, "a poststart hook has failed");
                        supervisor->init.hasty = true;
                } else {
                        forward(supervisor, signal_number);
                }
                break;
        case PHASE_ENDED:
                if (ends)
                        supervisor->phase = PHASE_DONE;
                break;
        case PHASE_FAILED:
        case PHASE_DONE:
                break;
        }
}

static void init_ended(Supervisor *supervisor) {
        const ExitReport *status = &supervisor->status;
        char text[64];
        bool hooks;

        exit_status_describe(status, text, sizeof(text));
        if (supervisor->phase == PHASE_STARTING) {
                SetupFailure failure;
                setup_failed_text(&failure, -ESRCH, FAILURE_GENERIC,
                                  "the container ended before its program was executed");
                control_reply_failure(&supervisor->control, supervisor->control.starter, &failure);
        }
        if (status->code == 0)
                complain("cannot find out how the container ended", -ENODATA);
        if (supervisor->phase != PHASE_FAILED)
                note_status(supervisor, status->code == CLD_EXITED ? STATUS_WORD_EXITED : STATUS_WORD_KILLED,
                            status->code == 0 ? SIGKILL : status->status);
        note_notified(notify_send("STATUS=%s", text));
        /* A program that ends at once must not take the unit away from its poststart hooks; but when systemd
         * stops the unit (one of them has failed), the starter waits for us. */
        hooks = supervisor->phase == PHASE_RUNNING && !supervisor->stopping &&
                supervisor->control.starter >= 0 && faccessat(supervisor->dir_fd, STATE_HOOKS, F_OK, 0) == 0;
        supervisor->phase = hooks ? PHASE_ENDED : PHASE_DONE;
}

/* Gives pages back only when nothing happens for a while: on a container's way to its start and to its end
 * they would be mapped again at once. Returns the number of events, or a negative errno. */
static int wait_for_events(struct pollfd *polled, nfds_t n, int timeout_msec) {
        int r = poll(polled, n, timeout_msec < 0 ? IDLE_MSEC : timeout_msec);

        if (r == 0 && timeout_msec < 0)
                r = footprint_wait(polled, n);
        return r < 0 ? -errno : r;
}

static void pass_notifications_on(const Supervisor *supervisor) {
        int r = notify_relay_pass_on(&supervisor->notify, supervisor->init.pid);

        if (r < 0)
                complain("a notification of the container is lost", r);
}

static int step(Supervisor *supervisor) {
        enum {
                SIGNALS,
                GATE,
                NOTIFY,
                OOM,
                INIT,
                RELAY = INIT + INIT_N_POLL,
                CONTROL = RELAY + RELAY_N_POLL,
                N_POLL = CONTROL + CONTROL_N_POLL
        };
        struct pollfd polled[N_POLL] = {
                [SIGNALS] = {.fd = supervisor->signal_fd, .events = POLLIN},
                [GATE] = {.fd = supervisor->gate_fd,                           .events = POLLIN},
                [NOTIFY] = {.fd = supervisor->notify.fd,.events = POLLIN},
                [OOM] = {.fd = supervisor->oom.fd, .events = POLLIN},
                [INIT] = {.fd = -1                          },
                [INIT + 1] = {.fd = -1          },
        };
        int timeout_msec = -1, r;

        if (supervisor->phase < PHASE_ENDED)
                init_process_poll(&supervisor->init, &polled[INIT], &timeout_msec);
        relay_poll(&supervisor->relay, &polled[RELAY]);
        control_poll(&supervisor->control, &polled[CONTROL]);
        r = wait_for_events(polled, N_POLL, timeout_msec);
        if (r < 0)
                return r == -EINTR ? 0 : r;
        /* The gate before init: a program that has ended already was executed first. */
        if (polled[GATE].revents != 0)
                handle_gate(supervisor);
        if (polled[SIGNALS].revents != 0)
                handle_signal(supervisor);
        /* And its last notification before its end. */
        pass_notifications_on(supervisor);
        /* At the end as well: it may have been init itself. */
        if (polled[OOM].revents != 0 || supervisor->init.exited)
                oom_watch_step(&supervisor->oom, supervisor->cgroup);
        if (supervisor->phase < PHASE_ENDED &&
            init_process_step(&supervisor->init, &polled[INIT], &supervisor->status) > 0)
                init_ended(supervisor);
        relay_step(&supervisor->relay, &polled[RELAY]);
        handle_control(supervisor, &polled[CONTROL]);
        return 0;
}

/* The directory is the way to the sockets of the container: what stands in it must be ours. */
static int open_state_dir(const char *path) {
        autoclose int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct stat status;

        if (fd < 0 || fstat(fd, &status) < 0)
                return complain(path, -errno);
        if (status.st_uid != geteuid() || (status.st_mode & 07777) != 0700) {
                dprintf(STDERR_FILENO, "<3>unitrun-supervisor: '%s' must be ours and of mode 0700\n", path);
                return -EPERM;
        }
        return steal_fd(&fd);
}

static int connect_handover(int dir_fd) {
        int fd = socket_connect(dir_fd, STATE_SOCKET_HANDOVER);

        if (fd == -ENOENT || fd == -ECONNREFUSED)
                dprintf(STDERR_FILENO,
                        "<3>this container was not handed over: use the engine (e.g. podman restart …) or "
                        "unitrun create, not systemctl restart\n");
        else if (fd < 0)
                complain("cannot reach unitrun create", fd);
        return fd;
}

static int settle(Supervisor *supervisor, SetupFailure *reterr_failure) {
        int r;

        if (supervisor->own_group) {
                supervisor->group_fd = unit_group_enter(supervisor->cgroup, reterr_failure);
                if (supervisor->group_fd < 0)
                        return supervisor->group_fd;
        }
        r = notify_relay_open(&supervisor->notify, supervisor->dir_fd);
        if (r < 0)
                return setup_failed(reterr_failure, r, "make the container's notification socket", NULL);
        r = control_listen(&supervisor->control, supervisor->dir_fd);
        if (r < 0)
                return setup_failed(reterr_failure, r, "listen on", STATE_SOCKET_CONTROL);
        supervisor->gate_fd = socket_connect(supervisor->dir_fd, STATE_SOCKET_GATE);
        if (supervisor->gate_fd < 0)
                return setup_failed(reterr_failure, supervisor->gate_fd, "connect to", STATE_SOCKET_GATE);
        r = handover_hello(supervisor->handover_fd, supervisor->cgroup);
        return r < 0 ? setup_failed(reterr_failure, r, "greet unitrun create", NULL) : 0;
}

/* Everything up to the commit. */
static int receive_container(Supervisor *supervisor) {
        SetupFailure failure;
        int r = settle(supervisor, &failure);

        if (r < 0) {
                dprintf(STDERR_FILENO, "<3>unitrun-supervisor: %s\n", failure.text);
                handover_fail(supervisor->handover_fd, &failure);
                return r;
        }
        r = handover_wait(supervisor->handover_fd, supervisor->dir_fd, supervisor->signal_fd,
                          &supervisor->init, &supervisor->relay);
        if (r < 0 && r != -ECANCELED && r != -EINTR)
                complain("cannot take the container over", r);
        auto_close_fd(&supervisor->handover_fd);
        supervisor->handover_fd = -EBADF;
        return r;
}

static int supervise(Supervisor *supervisor) {
        int r;

        supervisor->handover_fd = connect_handover(supervisor->dir_fd);
        if (supervisor->handover_fd < 0)
                return supervisor->handover_fd;
        r = receive_container(supervisor);
        if (r < 0)
                return r;
        if (supervisor->init.restored) {
                supervisor->start_way = START_QUICK;
                program_runs(supervisor);
        } else {
                note_status(supervisor, STATUS_WORD_CREATED, 0);
                describe_created();
        }
        oom_watch_open(&supervisor->oom, supervisor->group_fd);
        while (supervisor->phase != PHASE_DONE) {
                r = step(supervisor);
                if (r < 0)
                        return complain("cannot wait for events", r);
        }
        relay_finish(&supervisor->relay);
        unlinkat(supervisor->dir_fd, STATE_SOCKET_CONTROL, 0);
        return 0;
}

int supervisor_run(const char *state_dir, bool own_group, ExitReport *ret_status) {
        Supervisor supervisor = {
                .phase = PHASE_CREATED,
                .own_group = own_group,
                .group_fd = -EBADF,
                .handover_fd = -EBADF,
                .gate_fd = -EBADF,
                .control = {.listener = -EBADF, .starter = -1      },
                .init = {.pidfd = -EBADF,    .reaper_fd = -EBADF},
        };
        autoclose int signal_fd = signals_open();
        int r;

        if (signal_fd < 0)
                return complain("cannot block signals", signal_fd);
        autoclose int dir_fd = open_state_dir(state_dir);
        if (dir_fd < 0)
                return dir_fd;
        relay_init(&supervisor.relay);
        oom_watch_init(&supervisor.oom);
        supervisor.notify.fd = -EBADF;
        for (int i = 0; i < CONTROL_MAX_CONNECTIONS; i++)
                supervisor.control.connections[i] = -EBADF;
        supervisor.signal_fd = signal_fd;
        supervisor.dir_fd = dir_fd;
        r = supervise(&supervisor);
        if (r >= 0)
                *ret_status = supervisor.status;
        control_clear(&supervisor.control);
        init_process_clear(&supervisor.init);
        relay_clear(&supervisor.relay);
        oom_watch_clear(&supervisor.oom);
        notify_relay_clear(&supervisor.notify);
        auto_close_fd(&supervisor.gate_fd);
        auto_close_fd(&supervisor.handover_fd);
        auto_close_fd(&supervisor.group_fd);
        return r;
}
