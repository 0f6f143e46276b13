/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* exec: decide what the process is, let unitrun-init join the container, move it into the container's group
 * when it is there, and hear whether the program runs. The stage joins the namespaces by the pidfd of init,
 * so it can't be those of somebody who got its number. */

#include "container/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/journal.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "container/activation.h"
#include "container/capability-name.h"
#include "container/console.h"
#include "container/exec-group.h"
#include "container/exec-process.h"
#include "container/foreground.h"
#include "container/interrupt.h"
#include "container/pid-file.h"
#include "container/plan-parts.h"
#include "container/plan.h"
#include "container/resources.h"
#include "container/spawn.h"
#include "protocol/message.h"

/* The init of a pid namespace kills all others in it before its own end can be seen. */
#define INIT_END_MSEC 1000

/* One execution. The fds are -EBADF until they are there. */
typedef struct Execution {
        const Container *container;
        const ExecOptions *options;
        OciConfig *config; /* the container's, with the process to be executed */
        Plan *plan;
        int init_pidfd; /* of the container's init */
        int root;       /* its root, where it shares our mount namespace */
        int setup;
        ContainerStatus status;
        int console;
        Terminal *terminal; /* that of the program, if it is for us to pass on */
        int listener;       /* of seccomp notifications */
        int pidfd_socket;
        int signals;
        int output[3]; /* the program's 0, 1, 2, if they are not the caller's */
        pid_t stage;   /* 0: none, or reaped */
        pid_t pid;
        int pidfd;
        bool ready;    /* nothing is left but to execute the program */
        bool executed; /* it was */
        bool vanished; /* or it may be that the container is about to end */
        bool finished; /* the process is the caller's, or its end is known */
} Execution;

static void close_output(Execution *execution) {
        for (size_t i = 0; i < G_N_ELEMENTS(execution->output); i++)
                close_clear(&execution->output[i]);
}

static void execution_clear(Execution *execution) {
        int *const fds[] = {&execution->init_pidfd, &execution->root,     &execution->setup,
                            &execution->console,    &execution->listener, &execution->pidfd_socket,
                            &execution->signals,    &execution->pidfd};

        if (!execution->finished) {
                if (execution->pidfd >= 0)
                        process_signal(execution->pidfd, SIGKILL);
                if (execution->stage > 0)
                        kill(execution->stage, SIGKILL);
                process_reap(execution->stage);
                process_reap(execution->pid);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
                close_clear(fds[i]);
        close_output(execution);
        terminal_free(execution->terminal);
        plan_free(execution->plan);
        oci_config_free(execution->config);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Execution, execution_clear)

static bool check_status(Execution *execution, GError **error) {
        const char *id = execution->container->dir->id;

        execution->status = container_status(execution->container);
        switch (execution->status) {
        case CONTAINER_CREATED:
        case CONTAINER_RUNNING:
                return true;
        case CONTAINER_PAUSED:
                return execution->options->ignore_paused ||
                       fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot exec in a paused container: '%s' (use --ignore-paused to override)",
                                 id);
        case CONTAINER_CREATING:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot exec in a container that is still being created: '%s'", id);
        case CONTAINER_STOPPED:
                break;
        }
        return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                         "cannot exec in a stopped container, container not running: '%s'", id);
}

/* Which of init's namespaces are not ours: setns(2) refuses our own user namespace. */
static bool find_namespaces(const Execution *execution, uint32_t *ret_namespaces, GError **error) {
        static const struct {
                const char *name;
                uint32_t type;
        } kinds[] = {
                {"cgroup", CLONE_NEWCGROUP},
                {"ipc",    CLONE_NEWIPC   },
                {"mnt",    CLONE_NEWNS    },
                {"net",    CLONE_NEWNET   },
                {"pid",    CLONE_NEWPID   },
                {"time",   CLONE_NEWTIME  },
                {"user",   CLONE_NEWUSER  },
                {"uts",    CLONE_NEWUTS   },
        };
        char path[64];

        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
                struct stat own, other;

                snprintf(path, sizeof(path), "/proc/self/ns/%s", kinds[i].name);
                if (stat(path, &own) < 0)
                        continue; /* a kernel without that kind */
                snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int) execution->container->facts->pid,
                         kinds[i].name);
                if (stat(path, &other) < 0)
                        return fail_errno(error, errno, "cannot look at the %s namespace of the container",
                                          kinds[i].name);
                if (own.st_dev != other.st_dev || own.st_ino != other.st_ino)
                        *ret_namespaces |= kinds[i].type;
        }
        return true;
}

/* A container without a mount namespace of its own has a root all the same. That it is init's is sure as long
 * as init lives. */
static bool open_root(Execution *execution, uint32_t namespaces, GError **error) {
        char path[64];

        if (namespaces & CLONE_NEWNS && !execution->container->facts->mounts.place)
                return true;
        snprintf(path, sizeof(path), "/proc/%d/root", (int) execution->container->facts->pid);
        execution->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        return execution->root < 0 ? fail_errno(error, errno, "cannot open the container's root") : true;
}

/* A terminal goes to whoever listens on the console socket, or is ours to pass on. */
static bool open_console(Execution *execution, GError **error) {
        bool terminal = execution->config->process->terminal, socket = execution->options->console_socket;

        if (terminal && !socket && execution->options->detach)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "a terminal is asked for: --console-socket has to say where it goes "
                                 "(without --detach it needs none)");
        if (!terminal && socket)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--console-socket is given, but no terminal is asked for");
        if (!terminal || socket)
                return console_connect(execution->options->console_socket, &execution->console, error);
        execution->terminal = terminal_new(&execution->console, error);
        return execution->terminal != NULL;
}

static bool plan_joiner(Execution *execution, GError **error) {
        const ExecOptions *options = execution->options;
        const Facts *facts = execution->container->facts;
        g_autoptr(GArray) preserved =
                activation_find_fds(/* activation= */ NULL, options->inherited_fds, options->n_inherited_fds,
                                    options->preserve_fds, error);
        uint32_t namespaces = 0;

        if (!preserved)
                return false;
        const PlanContext context = {
                .id = execution->container->dir->id,
                .bundle = facts->bundle,
                .preserve_fds = (const int *) preserved->data,
                .n_preserve_fds = preserved->len,
                .console = execution->console >= 0,
                .lacking_capabilities = capability_lacking(),
                .selinux = access(SELINUX_MOUNT "/enforce", F_OK) == 0,
                .no_new_keyring = facts->no_new_keyring,
                .container_pid = facts->pid,
                .container_status = container_status_name(execution->status),
                .rootless = facts->user_manager,
        };

        execution->vanished = true;
        if (!find_namespaces(execution, &namespaces, error) || !open_root(execution, namespaces, error))
                return false;
        execution->plan =
                plan_build_exec(execution->config, &context, execution->init_pidfd, namespaces, error);
        if (!execution->plan)
                return false;
        execution->plan->init->exec_root_fd = execution->root;
        execution->plan->init->console_fd = execution->console;
        if (execution->terminal)
                terminal_plan(execution->plan->init);
        if (execution->plan->init->seccomp_notify &&
            !listener_connect(plan_seccomp_listener(execution->config), &execution->listener, error))
                return false;
        execution->plan->init->exec_listener_fd = execution->listener;
        for (guint i = 0; i < execution->plan->warnings->len; i++)
                warn("%s", (const char *) g_ptr_array_index(execution->plan->warnings, i));
        return true;
}

/* What was looked up by init's number was init's. */
static bool container_is_alive(const Execution *execution, GError **error) {
        return process_wait_exit(execution->init_pidfd, 0) == -ETIMEDOUT ||
               fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                         execution->container->dir->id);
}

/* Straight into the journal: nobody stays to pass it on. */
static bool open_output(Execution *execution, GError **error) {
        const Facts *facts = execution->container->facts;

        if (!execution->options->journal)
                return true;
        if (execution->config->process->terminal)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--stdio=journal and a terminal exclude each other");
        execution->output[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        execution->output[1] = journal_open(execution->container->dir->id, facts->unit, LOG_INFO);
        execution->output[2] = journal_open(execution->container->dir->id, facts->unit, LOG_WARNING);
        for (size_t i = 0; i < G_N_ELEMENTS(execution->output); i++)
                if (execution->output[i] < 0)
                        return fail(error, "--stdio: cannot open a stream to the journal");
        memcpy(execution->plan->init->stdio_fds, execution->output, sizeof(execution->output));
        return true;
}

static bool prepare(Execution *execution, GError **error) {
        if (!check_status(execution, error))
                return false;
        execution->init_pidfd = container_open_init(execution->container, error);
        if (execution->init_pidfd < 0)
                return false;
        execution->config = container_load_config(execution->container, error);
        if (!execution->config)
                return false;
        return exec_process_plan(execution->config, execution->options, error) &&
               open_console(execution, error) &&
               pidfd_socket_connect(execution->options->pidfd_socket, &execution->pidfd_socket, error) &&
               plan_joiner(execution, error) && open_output(execution, error) &&
               container_is_alive(execution, error);
}

static bool start(Execution *execution, GError **error) {
        autoclose int child_setup = -EBADF;
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return fail_errno(error, errno, "cannot make a socket pair");
        execution->setup = pair[0];
        child_setup = pair[1];
        execution->plan->init->setup_fd = child_setup;
        if (!init_spawn(execution->plan, &execution->stage, error))
                return false;
        close_clear(&execution->console);
        close_clear(&execution->listener);
        close_output(execution);
        return true;
}

/* The stage has ended, or is about to. */
static bool take_fork(Execution *execution, pid_t pid, GError **error) {
        int r;

        execution->pid = pid;
        g_debug("process %d is about to execute '%s' in container '%s'", (int) pid,
                execution->config->process->args[0], execution->container->dir->id);
        process_reap(execution->stage);
        execution->stage = 0;
        execution->pidfd = sys_pidfd_open(pid, 0);
        if (execution->pidfd < 0)
                return fail_errno(error, errno, "cannot watch the process");
        execution->vanished = true; /* until it is known better */
        if (!exec_group_enter(execution->container, execution->options->cgroup, pid, error) ||
            !resctrl_join(&execution->container->facts->resctrl, pid, error))
                return false;
        r = message_send(execution->setup, SETUP_MOVED, 0);
        return r < 0 && r != -EPIPE ? fail_errno(error, r, "cannot talk to the process") : true;
}

/* The end of file without a word before it. */
static bool vanished(Execution *execution, GError **error) {
        execution->vanished = true;
        g_autofree char *hint = resources_memory_hint(execution->config->linux.resources);
        siginfo_t info = {0};
        char name[SIGNAL_NAME_SIZE];

        if (execution->pidfd >= 0 &&
            waitid(P_PIDFD, (id_t) execution->pidfd, &info, WEXITED | WNOWAIT) == 0 &&
            (info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)) {
                signal_to_name(info.si_status, name);
                /* A pid namespace's init does not end before its last process is reaped. */
                process_reap(execution->pid);
                execution->pid = 0;
                return fail(error, "the process was killed by %s before its program ran%s", name, hint);
        }
        /* Killed before it could say its number: stage and process are our only children. */
        if (execution->pid == 0) {
                while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
                        ;
                execution->stage = 0;
        }
        return fail(error, "the process ended before its program ran%s", hint);
}

static bool handle_setup(Execution *execution, GError **error) {
        Message message;
        int r = message_receive(execution->setup, &message, NULL, NULL);

        if (r == 0 || r == -ECONNRESET) {
                execution->executed = execution->ready;
                return execution->executed || vanished(execution, error);
        }
        if (r < 0)
                return fail_errno(error, r, "cannot hear the process");
        switch (message.type) {
        case SETUP_FORKED:
                return take_fork(execution, message.pid, error);
        case SETUP_CREATED:
                execution->ready = true;
                return true;
        case SETUP_FAILED:
                execution->vanished = message.failure.code != FAILURE_EXEC;
                return fail(error, "%s", message.failure.text);
        default:
                return fail(error, "unexpected message %u from the process", message.type);
        }
}

/* Until the program runs. In a frozen container this may take long. */
static bool wait_until_executed(Execution *execution, GError **error) {
        while (!execution->executed) {
                struct pollfd polled[] = {
                        {.fd = execution->setup,   .events = POLLIN},
                        {.fd = execution->signals, .events = POLLIN}
                };

                if (poll(polled, G_N_ELEMENTS(polled), -1) < 0) {
                        if (errno == EINTR)
                                continue;
                        return fail_errno(error, errno, "cannot wait for events");
                }
                if (polled[0].revents != 0 && !handle_setup(execution, error))
                        return false;
                if (polled[1].revents != 0 && !execution->executed &&
                    !interrupt_check(execution->signals, error))
                        return false;
        }
        return true;
}

static bool run(Execution *execution, GError **error) {
        return interrupt_open(&execution->signals, error) && prepare(execution, error) &&
               start(execution, error) && wait_until_executed(execution, error) &&
               (!execution->terminal || terminal_take(execution->terminal, error)) &&
               pidfd_socket_send(execution->pidfd_socket, execution->options->pidfd_socket, execution->pidfd,
                                 error) &&
               pid_file_write(execution->options->pid_file, execution->pid, error);
}

/* A container that ends meanwhile makes every step fail in its own way: say what it comes from. */
static bool explain(const Execution *execution, GError **error) {
        if (execution->init_pidfd >= 0 &&
            process_wait_exit(execution->init_pidfd, execution->vanished ? INIT_END_MSEC : 0) == 0) {
                g_clear_error(error);
                fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                          execution->container->dir->id);
        }
        fail_on_one_line(error);
        return fail_prefix(error, "cannot exec in container '%s'", execution->container->dir->id);
}

bool container_exec(const Container *container, const ExecOptions *options, int *ret_status, GError **error) {
        g_auto(Execution) execution = {
                .container = container,
                .options = options,
                .init_pidfd = -EBADF,
                .root = -EBADF,
                .setup = -EBADF,
                .console = -EBADF,
                .listener = -EBADF,
                .pidfd_socket = -EBADF,
                .signals = -EBADF,
                .output = {-EBADF, -EBADF, -EBADF},
                .pidfd = -EBADF,
        };

        if (!options->detach && !foreground_block_signals(error))
                return false;
        if (!run(&execution, error))
                return explain(&execution, error);
        execution.finished = true;
        *ret_status = 0;
        return options->detach || foreground_wait_process(execution.pid, execution.pidfd, execution.terminal,
                                                          /* timeout_msec= */ -1, ret_status, error);
}
