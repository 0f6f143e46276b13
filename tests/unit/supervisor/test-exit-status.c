/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The exit status of children as somebody who does not reap them sees it, by each mechanism, and how a
 * process adopts it. */

#include "supervisor/exit-status.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/process.h"
#include "base/syscalls.h"

typedef struct StatusCase {
        int exit_code;
        int signal_number; /* 0: it exits */
} StatusCase;

static const StatusCase cases[] = {
        {.exit_code = 0},           {.exit_code = 1},           {.exit_code = 2},
        {.exit_code = 3},           {.exit_code = 42},          {.exit_code = 125},
        {.exit_code = 126},         {.exit_code = 127},         {.exit_code = 128},
        {.exit_code = 137},         {.exit_code = 200},         {.exit_code = 243},
        {.exit_code = 254},         {.exit_code = 255},         {.signal_number = SIGHUP},
        {.signal_number = SIGINT},  {.signal_number = SIGABRT}, {.signal_number = SIGKILL},
        {.signal_number = SIGSEGV}, {.signal_number = SIGPIPE}, {.signal_number = SIGTERM},
        {.signal_number = SIGSYS},  {.signal_number = 34},      {.signal_number = 64},
};

static pid_t spawn(const StatusCase *test) {
        pid_t pid = fork();

        if (pid == 0) {
                /* The sanitizers' handlers and core files are none of this test. */
                setrlimit(RLIMIT_CORE, &(struct rlimit){0});
                if (test->signal_number == 0)
                        _exit(test->exit_code);
                signal(test->signal_number, SIG_DFL);
                kill(getpid(), test->signal_number);
                pause();
        }
        g_assert_cmpint(pid, >, 0);
        return pid;
}

static void assert_status(const StatusCase *test, const ExitReport *status) {
        if (test->signal_number == 0) {
                g_assert_cmpint(status->code, ==, CLD_EXITED);
                g_assert_cmpint(status->status, ==, test->exit_code);
        } else {
                g_assert_true(status->code == CLD_KILLED || status->code == CLD_DUMPED);
                g_assert_cmpint(status->status, ==, test->signal_number);
        }
}

static bool kernel_tells(int pidfd) {
        ExitReport status;

        return exit_status_from_pidfd(pidfd, &status) == -EAGAIN;
}

static void test_pidfd(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                ExitReport status;
                pid_t pid = spawn(&cases[i]);
                autoclose int pidfd = sys_pidfd_open(pid, 0);

                g_assert_cmpint(process_wait_exit(pidfd, 5000), ==, 0);
                if (!kernel_tells(pidfd)) {
                        g_test_skip("PIDFD_GET_INFO with PIDFD_INFO_EXIT needs Linux 6.15");
                        waitpid(pid, NULL, 0);
                        return;
                }
                g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
                struct pollfd hang_up = {.fd = pidfd};
                g_assert_cmpint(poll(&hang_up, 1, 5000), ==, 1);
                g_assert_cmpint(hang_up.revents & POLLHUP, ==, POLLHUP);
                int r = exit_status_from_pidfd(pidfd, &status);
                if (r == -EOPNOTSUPP) {
                        g_test_skip("PIDFD_INFO_EXIT needs Linux 6.15");
                        return;
                }
                g_assert_cmpint(r, ==, 0);
                assert_status(&cases[i], &status);
        }
}

static void test_zombie(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                ExitReport status;
                pid_t pid = spawn(&cases[i]);
                autoclose int pidfd = sys_pidfd_open(pid, 0);

                g_assert_cmpint(process_wait_exit(pidfd, 5000), ==, 0);
                g_assert_cmpint(exit_status_from_zombie(pid, pidfd, &status), ==, 0);
                assert_status(&cases[i], &status);
                g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
                g_assert_cmpint(exit_status_from_zombie(pid, pidfd, &status), ==, -ESRCH);
        }
}

static void test_living_process(void) {
        pid_t pid = fork();
        ExitReport status;

        if (pid == 0) {
                pause();
                _exit(0);
        }
        autoclose int pidfd = sys_pidfd_open(pid, 0);
        g_assert_cmpint(exit_status_from_pidfd(pidfd, &status), <, 0);
        g_assert_cmpint(exit_status_from_zombie(pid, pidfd, &status), ==, -ESRCH);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
}

/* Who may not trace a process reads 0 for its exit code, which must not be taken for success. */
static void test_zombie_of_somebody_else(void) {
        static const StatusCase seven = {.exit_code = 7};
        pid_t zombie, reader;
        int wait_status;

        if (geteuid() != 0) {
                g_test_skip("needs root, to become somebody else");
                return;
        }
        zombie = spawn(&seven);
        autoclose int pidfd = sys_pidfd_open(zombie, 0);
        g_assert_cmpint(process_wait_exit(pidfd, 5000), ==, 0);
        reader = fork();
        if (reader == 0) {
                ExitReport status;
                if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
                        _exit(1);
                _exit(exit_status_from_zombie(zombie, pidfd, &status) == -EACCES ? 0 : 2);
        }
        g_assert_cmpint(waitpid(reader, &wait_status, 0), ==, reader);
        g_assert_cmpint(wait_status, ==, 0);
        waitpid(zombie, NULL, 0);
}

static void test_adopt(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                ExitReport status = {
                        .code = cases[i].signal_number ? CLD_KILLED : CLD_EXITED,
                        .status = cases[i].signal_number ? cases[i].signal_number : cases[i].exit_code,
                };
                int wait_status;
                pid_t pid = fork();

                if (pid == 0) {
                        sigset_t all;
                        sigfillset(&all);
                        sigprocmask(SIG_BLOCK, &all, NULL);
                        exit_status_adopt(&status);
                }
                g_assert_cmpint(waitpid(pid, &wait_status, 0), ==, pid);
                g_assert_false(WIFSIGNALED(wait_status) && WCOREDUMP(wait_status));
                if (cases[i].signal_number)
                        g_assert_cmpint(wait_status, ==, cases[i].signal_number);
                else
                        g_assert_cmpint(WEXITSTATUS(wait_status), ==, cases[i].exit_code);
        }
}

static void test_describe(void) {
        static const struct {
                ExitReport status;
                const char *text;
        } rows[] = {
                {{CLD_EXITED, 0},       "Exited with status 0"        },
                {{CLD_EXITED, 255},     "Exited with status 255"      },
                {{CLD_KILLED, SIGKILL}, "Killed by SIGKILL"           },
                {{CLD_DUMPED, SIGSEGV}, "Killed by SIGSEGV"           },
                {{CLD_KILLED, 37},      "Killed by SIGRTMIN+3"        },
                {{0, 0},                "Ended with an unknown status"},
        };
        char text[64];

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                exit_status_describe(&rows[i].status, text, sizeof(text));
                g_assert_cmpstr(text, ==, rows[i].text);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/exit-status/the kernel tells once init is reaped", test_pidfd);
        g_test_add_func("/exit-status/a zombie shows it in proc", test_zombie);
        g_test_add_func("/exit-status/a living process has none", test_living_process);
        g_test_add_func("/exit-status/a zombie of somebody else does not show 0",
                        test_zombie_of_somebody_else);
        g_test_add_func("/exit-status/a process ends in the same way", test_adopt);
        g_test_add_func("/exit-status/in words", test_describe);
        return g_test_run();
}
