/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The real unitrun-supervisor ($UNITRUN_SUPERVISOR) with this program as the other side of its protocols: it
 * is the front end (handover, gate, control), the engine (parent of init, reaps it) and the reader of the
 * notifications. Needs root and cgroup v2; on a v1 or hybrid host it mounts the v2 hierarchy for itself. */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <linux/magic.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "protocol/message.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"

#define CGROUP_ROOT  "/sys/fs/cgroup"
#define TIMEOUT_MSEC 20000

/* The shell forks what it runs: nothing long, or it would outlive a killed shell. */
#define FOREVER "while :; do sleep 0.05; done"

/* One container, as its front end and engine see it. */
typedef struct Container {
        char *directory, *group, *log;
        int dir_fd, handover_listener, gate_listener, notify_fd, handover_fd, log_fd, starter_fd;
        pid_t supervisor, init, reaper;
        GString *notified; /* all notifications so far, a line each */
} Container;

static Container *container_new(void) {
        static int counter;
        Container *container = g_new0(Container, 1);
        struct sockaddr_un address = {.sun_family = AF_UNIX};

        container->directory = g_dir_make_tmp("unitrun-supervisor-XXXXXX", NULL);
        container->dir_fd = open(container->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        container->handover_listener = socket_listen(container->dir_fd, STATE_SOCKET_HANDOVER);
        container->gate_listener = socket_listen(container->dir_fd, STATE_SOCKET_GATE);
        container->handover_fd = container->starter_fd = -EBADF;
        container->log = g_strdup_printf("%s/log", container->directory);
        container->log_fd = open(container->log, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        container->group = g_strdup_printf("/unitrun-test-%d-%d", (int) getpid(), ++counter);
        g_autofree char *path = g_strconcat(CGROUP_ROOT, container->group, NULL);
        g_assert_cmpint(mkdir(path, 0755), ==, 0);
        container->notified = g_string_new(NULL);
        container->notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        g_snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", container->group);
        g_assert_cmpint(
                bind(container->notify_fd, (struct sockaddr *) &address,
                     (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(container->group))),
                ==, 0);
        return container;
}

static void remove_group(const char *group) {
        static const char *const subs[] = {"/supervisor", "/payload", ""};

        for (size_t i = 0; i < G_N_ELEMENTS(subs); i++) {
                g_autofree char *path = g_strconcat(CGROUP_ROOT, group, subs[i], NULL);
                rmdir(path);
        }
}

static void container_free(Container *container) {
        g_autofree char *remove = g_strdup_printf("rm -rf '%s'", container->directory);

        g_assert_cmpint(system(remove), ==, 0);
        remove_group(container->group);
        auto_close_fd(&container->dir_fd);
        auto_close_fd(&container->handover_listener);
        auto_close_fd(&container->gate_listener);
        auto_close_fd(&container->handover_fd);
        auto_close_fd(&container->notify_fd);
        auto_close_fd(&container->log_fd);
        auto_close_fd(&container->starter_fd);
        g_string_free(container->notified, TRUE);
        g_free(container->directory);
        g_free(container->group);
        g_free(container->log);
        g_free(container);
}

static void take_notifications(Container *container) {
        char text[1024];
        int fds[SOCKET_MAX_FDS];
        size_t n_fds = SOCKET_MAX_FDS;
        ssize_t n;

        while ((n = socket_receive(container->notify_fd, text, sizeof(text), fds, &n_fds)) > 0) {
                g_string_append_len(container->notified, text, n);
                g_string_append_c(container->notified, '\n');
                /* The barrier. */
                for (size_t i = 0; i < n_fds; i++)
                        close(fds[i]);
                n_fds = SOCKET_MAX_FDS;
        }
}

/* Waits until @fd (or nothing else if -1) is readable, and meanwhile does systemd's part. */
static void wait_readable(Container *container, int fd, const char *notification) {
        gint64 deadline = g_get_monotonic_time() + TIMEOUT_MSEC * 1000;

        for (;;) {
                struct pollfd polled[] = {
                        {.fd = fd,                   .events = POLLIN},
                        {.fd = container->notify_fd, .events = POLLIN},
                };

                take_notifications(container);
                if (notification && strstr(container->notified->str, notification))
                        return;
                g_assert_cmpint(g_get_monotonic_time(), <, deadline);
                g_assert_cmpint(poll(polled, 2, 1000), >=, 0);
                if (polled[0].revents != 0) {
                        take_notifications(container);
                        return;
                }
        }
}

static void wait_notified(Container *container, const char *notification) {
        wait_readable(container, -1, notification);
}

static void assert_status(Container *container, StatusWord word, int value) {
        StatusWord found;
        int found_value;

        g_assert_cmpint(status_read(container->dir_fd, &found, &found_value), ==, 0);
        g_assert_cmpint(found, ==, word);
        g_assert_cmpint(found_value, ==, value);
}

static void assert_logged(Container *container, const char *text) {
        g_autofree char *log = NULL;

        g_assert_true(g_file_get_contents(container->log, &log, NULL, NULL));
        if (!strstr(log, text))
                g_error("'%s' is not in '%s'", text, log);
}

static void spawn_supervisor(Container *container) {
        g_autofree char *procs = g_strconcat(CGROUP_ROOT, container->group, "/cgroup.procs", NULL);
        g_autofree char *socket_name = g_strconcat("@", container->group, NULL);

        container->supervisor = fork();
        if (container->supervisor == 0) {
                const char *program = g_getenv("UNITRUN_SUPERVISOR");
                prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing stays behind when a test fails */
                if (file_write(AT_FDCWD, procs, "0") < 0)
                        _exit(99);
                setenv("NOTIFY_SOCKET", socket_name, 1);
                dup2(container->log_fd, 1);
                dup2(container->log_fd, 2);
                execl(program, program, container->directory, NULL);
                _exit(98);
        }
        g_assert_cmpint(container->supervisor, >, 0);
}

static void expect_hello(Container *container) {
        Message message;

        wait_readable(container, container->handover_listener, NULL);
        container->handover_fd = accept4(container->handover_listener, NULL, NULL, SOCK_CLOEXEC);
        g_assert_cmpint(message_receive(container->handover_fd, &message, NULL, NULL), ==, 1);
        g_assert_cmpint(message.type, ==, HANDOVER_HELLO);
        g_assert_cmpstr(message.failure.text, ==, container->group);
        g_autofree char *path = g_strdup_printf("/proc/%d/cgroup", (int) container->supervisor);
        g_autofree char *cgroup = NULL, *own = g_strdup_printf("0::%s/supervisor\n", container->group);
        g_assert_true(g_file_get_contents(path, &cgroup, NULL, NULL));
        g_assert_nonnull(strstr(cgroup, own));
}

/* A child that executes nothing would hold the front end's end of the handover. Returns the new number of
 * @fd. */
static int keep_only(int fd) {
        int kept = dup3(fd, 500, O_CLOEXEC);

        close_range(3, 499, 0);
        close_range(501, ~0U, 0);
        return kept;
}

/* What init does: waits at the gate, then becomes @script; "fail" can't, and "die" does not get there. */
static void be_init(Container *container, const char *script) {
        dup2(container->log_fd, 1);
        dup2(container->log_fd, 2);
        int fd = keep_only(accept4(container->gate_listener, NULL, NULL, SOCK_CLOEXEC));
        Message message;

        if (message_receive(fd, &message, NULL, NULL) != 1 || message.type != GATE_GO)
                _exit(97);
        if (strcmp(script, "fail") == 0) {
                SetupFailure failure;
                setup_failed_text(&failure, -ENOENT, FAILURE_EXEC,
                                  "exec: \"nothing\": no such file or directory");
                message_send_failure(fd, GATE_FAILED, &failure);
                _exit(127);
        }
        for (int i = 1; i < NSIG; i++)
                signal(i, SIG_DFL);
        if (strcmp(script, "die") == 0)
                raise(SIGKILL);
        message_send(fd, GATE_EXEC, 0);
        execl("/bin/sh", "sh", "-c", script, NULL);
        _exit(96);
}

static void spawn_init(Container *container, const char *script) {
        container->init = fork();
        if (container->init == 0)
                be_init(container, script);
        g_assert_cmpint(container->init, >, 0);
}

/* As unitrun-init in reaper mode: peeks at the end of init and leaves it to the engine. */
static int spawn_init_with_reaper(Container *container, const char *script, bool reports) {
        int report[2], pid_pipe[2];

        g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, report), ==, 0);
        g_assert_cmpint(pipe2(pid_pipe, O_CLOEXEC), ==, 0);
        container->reaper = fork();
        if (container->reaper == 0) {
                siginfo_t info;
                spawn_init(container, script);
                if (write(pid_pipe[1], &container->init, sizeof(pid_t)) < 0)
                        _exit(95);
                int report_fd = keep_only(report[1]);
                waitid(P_PID, (id_t) container->init, &info, WEXITED | WNOWAIT);
                ExitReport message = {.code = info.si_code, .status = info.si_status};
                if (reports)
                        socket_send(report_fd, &message, sizeof(message), NULL, 0);
                _exit(0);
        }
        close(report[1]);
        close(pid_pipe[1]);
        g_assert_cmpint(read(pid_pipe[0], &container->init, sizeof(pid_t)), ==, sizeof(pid_t));
        close(pid_pipe[0]);
        return report[0];
}

static void hand_over(Container *container, int reaper_fd) {
        Message message = {.type = HANDOVER_INIT, .pid = container->init};
        autoclose int pidfd = sys_pidfd_open(container->init, 0);
        int fds[] = {pidfd, reaper_fd};

        g_assert_cmpint(socket_send(container->handover_fd, &message, offsetof(Message, failure), fds,
                                    reaper_fd >= 0 ? 2 : 1),
                        ==, 0);
        auto_close_fd(&container->gate_listener);
        container->gate_listener = -EBADF;
}

static void commit(Container *container) {
        g_assert_cmpint(file_replace(container->dir_fd, STATE_FACTS, "", 0, 0600), ==, 0);
        auto_close_fd(&container->handover_fd);
        container->handover_fd = -EBADF;
        auto_close_fd(&container->handover_listener);
        container->handover_listener = -EBADF;
}

static Container *create(const char *script) {
        Container *container = container_new();

        spawn_supervisor(container);
        expect_hello(container);
        spawn_init(container, script);
        hand_over(container, -EBADF);
        commit(container);
        wait_notified(container, "STATUS=Created, waiting for start\n");
        assert_status(container, STATUS_WORD_CREATED, 0);
        return container;
}

static int connect_control(Container *container) {
        int fd = socket_connect(container->dir_fd, STATE_SOCKET_CONTROL);

        g_assert_cmpint(fd, >=, 0);
        return fd;
}

static void request_start(Container *container, int fd, Message *ret_message) {
        g_assert_cmpint(message_send(fd, CONTROL_START, 0), ==, 0);
        wait_readable(container, fd, NULL);
        g_assert_cmpint(message_receive(fd, ret_message, NULL, NULL), ==, 1);
}

static void start(Container *container) {
        Message message;

        container->starter_fd = connect_control(container);
        request_start(container, container->starter_fd, &message);
        g_assert_cmpint(message.type, ==, CONTROL_STARTED);
        g_assert_nonnull(strstr(container->notified->str, "READY=1\nSTATUS=Running sh as PID "));
        g_assert_nonnull(strstr(container->notified->str, "BARRIER=1\n"));
}

static int reap(pid_t pid) {
        int wait_status;

        g_assert_cmpint(waitpid(pid, &wait_status, 0), ==, pid);
        return wait_status;
}

/* Reaps the supervisor; it must end soon. */
static int end_of_supervisor(Container *container) {
        autoclose int pidfd = sys_pidfd_open(container->supervisor, 0);

        wait_readable(container, pidfd, NULL);
        return reap(container->supervisor);
}

static void assert_exited(int wait_status, int code) {
        g_assert_true(WIFEXITED(wait_status));
        g_assert_cmpint(WEXITSTATUS(wait_status), ==, code);
}

typedef struct EndCase {
        const char *script;
        int exit_code, signal_number;
        const char *words;
} EndCase;

static const EndCase ends[] = {
        {"exit 0",                     0,   0,       "Exited with status 0"  },
        {"exit 1",                     1,   0,       "Exited with status 1"  },
        {"sleep 0.1; exit 3",          3,   0,       "Exited with status 3"  },
        {"exit 143",                   143, 0,       "Exited with status 143"},
        {"exit 203",                   203, 0,       "Exited with status 203"},
        {"exit 255",                   255, 0,       "Exited with status 255"},
        {"kill -TERM $$",              0,   SIGTERM, "Killed by SIGTERM"     },
        {"kill -KILL $$",              0,   SIGKILL, "Killed by SIGKILL"     },
        {"ulimit -c 0; kill -SEGV $$", 0,   SIGSEGV, "Killed by SIGSEGV"     },
        {"sleep 0.1; kill -40 $$",     0,   40,      "Killed by SIGRTMIN+6"  },
};

static void check_end(Container *container, const EndCase *test) {
        start(container);
        int init_status = reap(container->init), status = end_of_supervisor(container);

        g_assert_cmpint(status & ~0x80, ==, init_status & ~0x80);
        g_autofree char *notification = g_strdup_printf("STATUS=%s\n", test->words);
        wait_notified(container, notification);
        if (test->signal_number) {
                g_assert_cmpint(status, ==, test->signal_number);
                assert_status(container, STATUS_WORD_KILLED, test->signal_number);
        } else {
                assert_exited(status, test->exit_code);
                assert_status(container, STATUS_WORD_EXITED, test->exit_code);
        }
        g_assert_cmpint(socket_connect(container->dir_fd, STATE_SOCKET_CONTROL), ==, -ENOENT);
        container_free(container);
}

static void test_ends(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
                check_end(create(ends[i].script), &ends[i]);
}

static Container *create_with_reaper(const char *script, bool reports) {
        Container *container = container_new();

        spawn_supervisor(container);
        expect_hello(container);
        autoclose int reaper_fd = spawn_init_with_reaper(container, script, reports);
        hand_over(container, reaper_fd);
        commit(container);
        return container;
}

static void test_ends_with_reaper(void) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
                Container *container = create_with_reaper(ends[i].script, /* reports= */ true);
                start(container);
                int status = end_of_supervisor(container);

                /* The supervisor did not wait for the engine. Init is ours once the reaper is gone. */
                assert_exited(reap(container->reaper), 0);
                g_assert_cmpint(status & ~0x80, ==, reap(container->init) & ~0x80);
                container_free(container);
        }
}

static void test_reaper_says_nothing(void) {
        Container *container = create_with_reaper("exit 9", /* reports= */ false);
        start(container);

        prctl(PR_SET_CHILD_SUBREAPER, 1);
        assert_exited(reap(container->reaper), 0);
        assert_exited(reap(container->init), 9);
        assert_exited(end_of_supervisor(container), 9);
        container_free(container);
}

/* After ten seconds the zombie's word is taken. */
static void test_engine_does_not_reap(void) {
        Container *container = create("exit 5");
        start(container);

        assert_exited(end_of_supervisor(container), 5);
        assert_exited(reap(container->init), 5);
        container_free(container);
}

static void test_start_is_once(void) {
        Container *container = create(FOREVER);
        autoclose int second = connect_control(container);
        start(container);
        Message message;

        assert_status(container, STATUS_WORD_RUNNING, 0);
        request_start(container, second, &message);
        g_assert_cmpint(message.type, ==, CONTROL_FAILED);
        g_assert_cmpint(message.failure.code, ==, FAILURE_STATE);
        g_assert_cmpstr(message.failure.text, ==, "cannot start an already running container");
        kill(container->init, SIGKILL);
        reap(container->init);
        g_assert_cmpint(end_of_supervisor(container), ==, SIGKILL);
        container_free(container);
}

static void test_program_fails(void) {
        Container *container = create("fail");
        autoclose int starter = connect_control(container);
        Message message;

        request_start(container, starter, &message);
        g_assert_cmpint(message.type, ==, CONTROL_FAILED);
        g_assert_cmpint(message.failure.code, ==, FAILURE_EXEC);
        g_assert_cmpstr(message.failure.text, ==, "exec: \"nothing\": no such file or directory");
        assert_status(container, STATUS_WORD_FAILED, 0);
        int init_status = reap(container->init);
        g_assert_cmpint(end_of_supervisor(container), ==, init_status);
        assert_status(container, STATUS_WORD_FAILED, 0);
        g_assert_null(strstr(container->notified->str, "READY=1"));
        container_free(container);
}

/* Killed by somebody while its hooks run, say: end of file at the gate is no exec then. */
static void test_init_dies_before_its_program(void) {
        Container *container = create("die");
        autoclose int starter = connect_control(container);
        Message message;

        g_assert_cmpint(message_send(starter, CONTROL_START, START_QUICK), ==, 0);
        int init_status = reap(container->init);
        g_assert_cmpint(message_receive(starter, &message, NULL, NULL), ==, 1);
        g_assert_cmpint(message.type, ==, CONTROL_FAILED);
        g_assert_cmpstr(message.failure.text, ==, "the container ended before its program was executed");
        g_assert_cmpint(end_of_supervisor(container), ==, init_status);
        g_assert_null(strstr(container->notified->str, "READY=1"));
        container_free(container);
}

/* Who waits for the unit's job needs no barrier. */
static void test_quick_start(void) {
        Container *container = create("exit 3");
        autoclose int starter = connect_control(container);
        Message message;

        g_assert_cmpint(message_send(starter, CONTROL_START, START_QUICK), ==, 0);
        g_assert_cmpint(message_receive(starter, &message, NULL, NULL), ==, 1);
        g_assert_cmpint(message.type, ==, CONTROL_STARTED);
        int init_status = reap(container->init);
        g_assert_cmpint(end_of_supervisor(container), ==, init_status);
        wait_notified(container, "READY=1\n");
        g_assert_null(strstr(container->notified->str, "BARRIER=1"));
        container_free(container);
}

static void test_poststart_hooks_keep_the_unit(void) {
        static const bool by_signal[] = {false, true};

        for (size_t i = 0; i < G_N_ELEMENTS(by_signal); i++) {
                Container *container = container_new();
                Message message;

                spawn_supervisor(container);
                expect_hello(container);
                spawn_init(container, "exit 4");
                hand_over(container, -EBADF);
                g_assert_cmpint(file_replace(container->dir_fd, STATE_HOOKS, "", 0, 0600), ==, 0);
                commit(container);
                start(container);
                reap(container->init);
                wait_notified(container, "STATUS=Exited with status 4\n");
                assert_status(container, STATUS_WORD_EXITED, 4);
                autoclose int late = connect_control(container);
                request_start(container, late, &message);
                g_assert_cmpstr(message.failure.text, ==, "cannot start a container that has stopped");
                g_assert_cmpint(waitpid(container->supervisor, NULL, WNOHANG), ==, 0);
                if (by_signal[i]) {
                        kill(container->supervisor, SIGTERM);
                } else {
                        auto_close_fd(&container->starter_fd);
                        container->starter_fd = -EBADF;
                }
                assert_exited(end_of_supervisor(container), 4);
                container_free(container);
        }
}

static void test_signal_before_start(void) {
        /* The second is a stop signal that does nothing by default; the parent of the supervisor sends it. */
        static const int signals[] = {SIGTERM, SIGWINCH, SIGHUP, 37};

        for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
                Container *container = create("exit 0");

                kill(container->supervisor, SIGCONT);
                kill(container->supervisor, signals[i]);
                g_assert_cmpint(reap(container->init), ==, SIGKILL);
                g_assert_cmpint(end_of_supervisor(container), ==, SIGKILL);
                assert_status(container, STATUS_WORD_KILLED, SIGKILL);
                container_free(container);
        }
}

static void test_signals_are_forwarded(void) {
        static const struct {
                int number;
                bool stopping;
        } rows[] = {
                {SIGTERM,  true },
                {SIGINT,   true },
                {SIGHUP,   false},
                {SIGUSR1,  false},
                {SIGWINCH, false},
                {37,       true },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *script =
                        g_strdup_printf("trap 'exit 7' %d; kill -STOP $$; " FOREVER, rows[i].number);
                Container *container = create(script);
                start(container);
                siginfo_t info;

                /* It stops itself once the trap is set. */
                waitid(P_PID, (id_t) container->init, &info, WSTOPPED);
                kill(container->init, SIGCONT);
                kill(container->supervisor, rows[i].number);
                assert_exited(reap(container->init), 7);
                assert_exited(end_of_supervisor(container), 7);
                g_assert_cmpint(strstr(container->notified->str, "STATUS=Stopping") != NULL, ==,
                                rows[i].stopping);
                g_assert_null(strstr(container->notified->str, "STOPPING=1"));
                container_free(container);
        }
}

static void test_paused_container_is_stopped(void) {
        Container *container = create(FOREVER);
        start(container);
        g_autofree char *payload = g_strconcat(CGROUP_ROOT, container->group, "/payload", NULL);
        g_autofree char *pid = g_strdup_printf("%d", (int) container->init);

        g_assert_cmpint(mkdir(payload, 0755), ==, 0);
        autoclose int payload_fd = open(payload, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        g_assert_cmpint(file_write(payload_fd, "cgroup.procs", pid), ==, 0);
        g_assert_cmpint(file_write(payload_fd, "cgroup.freeze", "1"), ==, 0);
        kill(container->supervisor, SIGTERM);
        g_assert_cmpint(reap(container->init), ==, SIGTERM);
        g_assert_cmpint(end_of_supervisor(container), ==, SIGTERM);
        container_free(container);
}

static void test_poststart_failure_kills(void) {
        Container *container = create("trap '' TERM; kill -STOP $$; " FOREVER);
        siginfo_t info;

        start(container);
        waitid(P_PID, (id_t) container->init, &info, WSTOPPED);
        kill(container->init, SIGCONT);
        g_assert_cmpint(file_replace(container->dir_fd, STATE_HOOKS, "", 0, 0600), ==, 0);
        g_assert_cmpint(file_replace(container->dir_fd, STATE_HOOK_FAILURE, "no", 2, 0600), ==, 0);
        kill(container->supervisor, SIGTERM);
        g_assert_cmpint(reap(container->init), ==, SIGKILL);
        g_assert_cmpint(end_of_supervisor(container), ==, SIGKILL);
        g_assert_nonnull(strstr(container->notified->str, "STATUS=Stopping, a poststart hook has failed\n"));
        container_free(container);
}

static void test_front_end_dies(void) {
        static const bool with_init[] = {false, true};

        for (size_t i = 0; i < G_N_ELEMENTS(with_init); i++) {
                Container *container = container_new();

                spawn_supervisor(container);
                expect_hello(container);
                if (with_init[i]) {
                        spawn_init(container, "exit 0");
                        hand_over(container, -EBADF);
                }
                auto_close_fd(&container->handover_fd);
                container->handover_fd = -EBADF;
                assert_exited(end_of_supervisor(container), 1);
                if (with_init[i])
                        g_assert_cmpint(reap(container->init), !=, 0);
                g_assert_cmpint(status_read(container->dir_fd, &(StatusWord){0}, NULL), ==, -ENOENT);
                container_free(container);
        }
}

static void test_signal_before_commit(void) {
        Container *container = container_new();

        spawn_supervisor(container);
        expect_hello(container);
        spawn_init(container, "exit 0");
        hand_over(container, -EBADF);
        kill(container->supervisor, SIGTERM);
        assert_exited(end_of_supervisor(container), 1);
        g_assert_cmpint(reap(container->init), !=, 0);
        container_free(container);
}

static void test_no_front_end(void) {
        static const bool stale[] = {false, true};

        for (size_t i = 0; i < G_N_ELEMENTS(stale); i++) {
                Container *container = container_new();

                auto_close_fd(&container->handover_listener);
                container->handover_listener = -EBADF;
                if (!stale[i])
                        unlinkat(container->dir_fd, STATE_SOCKET_HANDOVER, 0);
                spawn_supervisor(container);
                assert_exited(end_of_supervisor(container), 1);
                assert_logged(container, "<3>this container was not handed over: use the engine");
                container_free(container);
        }
}

static void test_directory_of_somebody_else(void) {
        Container *container = container_new();

        fchmod(container->dir_fd, 0755);
        spawn_supervisor(container);
        assert_exited(end_of_supervisor(container), 1);
        assert_logged(container, "must be ours and of mode 0700");
        container_free(container);
}

static void test_no_gate(void) {
        Container *container = container_new();
        Message message;

        unlinkat(container->dir_fd, STATE_SOCKET_GATE, 0);
        spawn_supervisor(container);
        wait_readable(container, container->handover_listener, NULL);
        container->handover_fd = accept4(container->handover_listener, NULL, NULL, SOCK_CLOEXEC);
        g_assert_cmpint(message_receive(container->handover_fd, &message, NULL, NULL), ==, 1);
        g_assert_cmpint(message.type, ==, HANDOVER_FAILED);
        g_assert_cmpstr(message.failure.text, ==, "connect to 'gate': No such file or directory");
        assert_exited(end_of_supervisor(container), 1);
        container_free(container);
}

/* delete --force does not wait for the supervisor. */
static void test_state_directory_is_removed(void) {
        Container *container = create(FOREVER);
        start(container);
        g_autofree char *remove = g_strdup_printf("rm -rf '%s'", container->directory);

        g_assert_cmpint(system(remove), ==, 0);
        kill(container->init, SIGKILL);
        reap(container->init);
        g_assert_cmpint(end_of_supervisor(container), ==, SIGKILL);
        container_free(container);
}

/* The name that a program is executed by may hold a newline. */
static void test_name_makes_no_assignment(void) {
        Container *container = container_new();
        g_autofree char *program = g_strconcat(container->directory, "/x\nMAINPID=1", NULL);
        Message message;

        g_assert_cmpint(symlink("/bin/sleep", program), ==, 0);
        spawn_supervisor(container);
        expect_hello(container);
        container->init = fork();
        if (container->init == 0) {
                int fd = keep_only(accept4(container->gate_listener, NULL, NULL, SOCK_CLOEXEC));
                message_receive(fd, &message, NULL, NULL);
                message_send(fd, GATE_EXEC, 0);
                execl(program, "sleep", "600", NULL);
                _exit(94);
        }
        hand_over(container, -EBADF);
        commit(container);
        autoclose int starter = connect_control(container);
        request_start(container, starter, &message);
        g_assert_cmpint(message.type, ==, CONTROL_STARTED);
        g_assert_nonnull(strstr(container->notified->str, "STATUS=Running x?MAINPID=1 as PID"));
        kill(container->init, SIGKILL);
        reap(container->init);
        end_of_supervisor(container);
        container_free(container);
}

/* More than it holds wait in the backlog, and are served when others go. */
static void test_many_connections(void) {
        Container *container = create("exit 0");
        int fds[20];

        for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
                fds[i] = connect_control(container);
        container->starter_fd = fds[G_N_ELEMENTS(fds) - 1];
        g_assert_cmpint(message_send(container->starter_fd, CONTROL_START, 0), ==, 0);
        for (size_t i = 0; i < G_N_ELEMENTS(fds) - 1; i++)
                close(fds[i]);
        wait_notified(container, "READY=1\n");
        reap(container->init);
        assert_exited(end_of_supervisor(container), 0);
        container_free(container);
}

static long read_private_kib(pid_t pid) {
        g_autofree char *path = g_strdup_printf("/proc/%d/smaps_rollup", (int) pid), *text = NULL;
        long kib = 0;

        g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
        for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
                if (g_str_has_prefix(line, "Private_"))
                        kib += atol(strchr(line, ':') + 1);
        return kib;
}

static void test_memory(void) {
        Container *container = create(FOREVER);
        long kib = 0;

        start(container);
        /* It gives pages back when nothing happens for a moment. */
        for (int i = 0; i < 300 && (kib == 0 || kib >= 300); i++) {
                kib = read_private_kib(container->supervisor);
                g_usleep(10000);
        }
        g_test_message("private memory: %ld KiB", kib);
        g_assert_cmpint(kib, >, 0);
        g_assert_cmpint(kib, <, 300);
        kill(container->init, SIGKILL);
        reap(container->init);
        end_of_supervisor(container);
        container_free(container);
}

static bool have_cgroup_v2(void) {
        struct statfs status;

        return statfs(CGROUP_ROOT, &status) == 0 && status.f_type == CGROUP2_SUPER_MAGIC;
}

/* Returns why the tests can't run here, or NULL. */
static const char *missing_requirement(void) {
        if (!g_getenv("UNITRUN_SUPERVISOR"))
                return "UNITRUN_SUPERVISOR names no program";
        if (geteuid() != 0)
                return "needs root";
        if (!have_cgroup_v2() &&
            (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
             mount("cgroup2", CGROUP_ROOT, "cgroup2", 0, NULL) < 0))
                return "needs cgroup v2";
        if (access(CGROUP_ROOT "/cgroup.procs", W_OK) < 0)
                return "needs to write the cgroup v2 hierarchy";
        return NULL;
}

int main(int argc, char **argv) {
        static const struct {
                const char *path;
                void (*function)(void);
        } tests[] = {
                {"/supervisor/ends as the container ended",                test_ends                         },
                {"/supervisor/ends as the container ended, with a reaper", test_ends_with_reaper             },
                {"/supervisor/a reaper that says nothing",                 test_reaper_says_nothing          },
                {"/supervisor/an engine that does not reap",               test_engine_does_not_reap         },
                {"/supervisor/starts once",                                test_start_is_once                },
                {"/supervisor/a program that can't be executed",           test_program_fails                },
                {"/supervisor/poststart hooks keep the unit alive",        test_poststart_hooks_keep_the_unit},
                {"/supervisor/a failed poststart hook kills",              test_poststart_failure_kills      },
                {"/supervisor/a signal before the start kills",            test_signal_before_start          },
                {"/supervisor/signals are forwarded",                      test_signals_are_forwarded        },
                {"/supervisor/a paused container can be stopped",          test_paused_container_is_stopped  },
                {"/supervisor/a front end that dies takes it along",       test_front_end_dies               },
                {"/supervisor/a signal before the commit",                 test_signal_before_commit         },
                {"/supervisor/no front end",                               test_no_front_end                 },
                {"/supervisor/a directory that others may enter",          test_directory_of_somebody_else   },
                {"/supervisor/no gate",                                    test_no_gate                      },
                {"/supervisor/init dies before its program",               test_init_dies_before_its_program },
                {"/supervisor/quick start",                                test_quick_start                  },
                {"/supervisor/the state directory is removed",             test_state_directory_is_removed   },
                {"/supervisor/a program's name makes no assignment",       test_name_makes_no_assignment     },
                {"/supervisor/more connections than it takes",             test_many_connections             },
                {"/supervisor/has little private memory",                  test_memory                       },
        };
        const char *missing;

        g_test_init(&argc, &argv, NULL);
        missing = missing_requirement();
        if (missing) {
                g_print("1..0 # SKIP %s\n", missing);
                return 0;
        }
        for (size_t i = 0; i < G_N_ELEMENTS(tests); i++)
                g_test_add_func(tests[i].path, tests[i].function);
        return g_test_run();
}
