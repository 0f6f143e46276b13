/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* hook_call() with real hooks (/bin/sh and friends), as field reports describe them: hooks that don't read
 * stdin, never end, leave children behind, or can't be executed. */

#include "hook/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND 1000000

static char *long_state; /* more than a pipe holds */

typedef struct HookCase {
        const char *name;
        const char *path;
        const char *args[4];
        const char *env[3];
        bool with_env;
        int64_t timeout_usec;
        bool short_state;
        int error;
        int exit_status;
        const char *text; /* a pattern of the failure */
        const char *output;
} HookCase;

/* clang-format 14 pads rows of several lines into a slant. */
/* clang-format off */
static const HookCase cases[] = {
        {.name = "true reads nothing", .path = "/bin/true"},
        {.name = "args empty", .path = "/bin/true", .args = {NULL}},
        {.name = "false", .path = "/bin/false", .error = -EPERM, .exit_status = 1,
         .text = "poststart hook '/bin/false' exited with status 1"},
        {.name = "state is on stdin, whole", .path = "/bin/sh", .args = {"sh", "-c", "wc -c"},
         .output = "204800\n"},
        {.name = "stdin ends", .path = "/bin/sh", .args = {"sh", "-c", "cat"}, .short_state = true,
         .output = "{\"id\":\"a\"}"},
        {.name = "stdin can be opened by name", .path = "/bin/sh", .args = {"sh", "-c", "cat </dev/stdin"},
         .short_state = true, .output = "{\"id\":\"a\"}"},
        {.name = "stdin closed by the hook, which goes on", .path = "/bin/sh",
         .args = {"sh", "-c", "exec <&-; sleep 0.1; echo done"}, .output = "done\n"},
        {.name = "env as given", .path = "/usr/bin/env", .env = {"A=b", "C=d"}, .with_env = true,
         .output = "A=b\nC=d\n"},
        {.name = "env empty", .path = "/usr/bin/env", .with_env = true, .output = ""},
        {.name = "env of the caller", .path = "/usr/bin/env", .output = "FOO=bar\n"},
        {.name = "argv[0] is kept", .path = "/bin/sh",
         .args = {"other-name", "-c", "tr '\\0' ' ' </proc/$$/cmdline"},
         .output = "other-name -c tr '\\0' ' ' </proc/$$/cmdline "},
        {.name = "leads a process group", .path = "/bin/sh",
         .args = {"sh", "-c", "read a b c d group rest </proc/$$/stat; test $group = $$"}},
        {.name = "no fds but three", .path = "/bin/sh", .args = {"sh", "-c", "ls /proc/$$/fd; true"},
         .output = "0\n1\n2\n"},
        {.name = "SIGPIPE kills a hook", .path = "/bin/sh", .args = {"sh", "-c", "kill -PIPE $$"},
         .error = -EPERM, .exit_status = -1, .text = "poststart hook '/bin/sh' was killed by SIGPIPE"},
        {.name = "killed by a signal", .path = "/bin/sh", .args = {"sh", "-c", "echo oh >&2; kill -SEGV $$"},
         .error = -EPERM, .exit_status = -1, .text = "poststart hook '/bin/sh' was killed by SIGSEGV: oh",
         .output = "oh\n"},
        {.name = "stderr is quoted on one line", .path = "/bin/sh",
         .args = {"sh", "-c", "printf 'no bridge\\n\\tbr0 \\303\\244\\377\\n' >&2; exit 2"}, .error = -EPERM,
         .exit_status = 2, .text = "poststart hook '/bin/sh' exited with status 2: no bridge;  br0 ä?"},
        {.name = "high exit status", .path = "/bin/sh", .args = {"sh", "-c", "exit 255"}, .error = -EPERM,
         .exit_status = 255, .text = "*exited with status 255"},
        {.name = "missing", .path = "/no/such/hook", .error = -ENOENT, .exit_status = -1,
         .text = "poststart hook '/no/such/hook' could not be executed: No such file or directory"},
        {.name = "not executable", .path = "/etc/passwd", .error = -EACCES, .exit_status = -1,
         .text = "poststart hook '/etc/passwd' could not be executed: Permission denied"},
        {.name = "a directory", .path = "/etc", .error = -EACCES, .exit_status = -1,
         .text = "*could not be executed: Permission denied"},
        {.name = "time-out", .path = "/bin/sleep", .args = {"sleep", "600"}, .timeout_usec = SECOND,
         .error = -ETIMEDOUT, .exit_status = -1, .text = "poststart hook '/bin/sleep' timed out after 1 s"},
        {.name = "time-out with children and noise", .path = "/bin/sh",
         .args = {"sh", "-c", "trap '' TERM; sleep 600 & sleep 600 & echo waiting >&2; wait"},
         .timeout_usec = SECOND / 5, .error = -ETIMEDOUT, .exit_status = -1,
         .text = "poststart hook '/bin/sh' timed out after 200 ms: waiting"},
        {.name = "time-out while stdin is not read", .path = "/bin/sleep", .args = {"sleep", "600"},
         .timeout_usec = SECOND / 5, .error = -ETIMEDOUT, .exit_status = -1},
        {.name = "in time", .path = "/bin/true", .timeout_usec = 30 * SECOND},
        {.name = "a child in the background holds stderr and stdin", .path = "/bin/sh",
         .args = {"sh", "-c", "exec >/dev/null; sleep 5 & echo gone >&2"}, .output = "gone\n"},
};
/* clang-format on */

static void test_case(const void *data) {
        const HookCase *test = data;
        char *caller_env[] = {(char *) "FOO=bar", NULL};
        Hook hook = {
                .path = (char *) test->path,
                .args = test->args[0] ? (char **) test->args : NULL,
                .env = test->with_env ? (char **) test->env : NULL,
                .timeout_usec = test->timeout_usec,
        };
        g_autofree char *output_path = NULL, *output = NULL;
        int output_fd = g_file_open_tmp("unitrun-hook-XXXXXX", &output_path, NULL);
        HookCall call = {
                .kind = "poststart",
                .state = test->short_state ? "{\"id\":\"a\"}" : long_state,
                .env = caller_env,
                .output_fd = output_fd,
        };
        SetupFailure failure = {0};
        int exit_status, r;

        gint64 start = g_get_monotonic_time();
        r = hook_call(&hook, &call, &exit_status, &failure);
        g_assert_cmpint(g_get_monotonic_time() - start, <, 3 * SECOND);
        g_assert_cmpint(r, ==, test->error);
        g_assert_cmpint(exit_status, ==, test->exit_status);
        if (test->text && !g_pattern_match_simple(test->text, failure.text))
                g_error("'%s' is not '%s'", failure.text, test->text);
        if (r < 0) {
                g_assert_cmpint(failure.code, ==, FAILURE_HOOK);
                g_assert_cmpint(failure.error, ==, r);
        }
        g_assert_true(g_file_get_contents(output_path, &output, NULL, NULL));
        if (test->output)
                g_assert_cmpstr(output, ==, test->output);
        g_unlink(output_path);
        close(output_fd);
}

/* What a killed hook started must be gone: this process is a subreaper, so it would get to know. */
static void test_group_is_killed(void) {
        const char *args[] = {"sh", "-c", "sleep 600 & sh -c 'sleep 600 & wait' & wait", NULL};
        Hook hook = {.path = (char *) "/bin/sh", .args = (char **) args, .timeout_usec = SECOND / 2};

        prctl(PR_SET_CHILD_SUBREAPER, 1);
        g_assert_cmpint(hook_run(&hook, "prestart", 0, "{}", NULL, NULL), ==, -ETIMEDOUT);
        prctl(PR_SET_CHILD_SUBREAPER, 0);
        /* ECHILD: neither running nor a zombie. */
        g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
        g_assert_cmpint(errno, ==, ECHILD);
}

static void test_index_is_named(void) {
        Hook hook = {.path = (char *) "/bin/false"};
        SetupFailure failure;

        g_assert_cmpint(hook_run(&hook, "createRuntime", 1, "{}", NULL, &failure), ==, -EPERM);
        g_assert_cmpstr(failure.text, ==,
                        "createRuntime hook '/bin/false' (hooks.createRuntime[1]) exited with status 1");
}

static void test_much_stderr(void) {
        const char *args[] = {"sh", "-c", "yes 'a long line' | head -n 100000 >&2; echo last >&2; exit 1",
                              NULL};
        Hook hook = {.path = (char *) "/bin/sh", .args = (char **) args};
        SetupFailure failure;

        g_assert_cmpint(hook_run(&hook, "prestart", 0, "{}", NULL, &failure), ==, -EPERM);
        g_assert_true(g_str_has_prefix(failure.text,
                                       "prestart hook '/bin/sh' exited with status 1: a long line; "));
        g_assert_true(g_str_has_suffix(failure.text, "a long line; last"));
        g_assert_cmpuint(strlen(failure.text), <, 1300);
}

/* An output that nobody reads must not stop the clock. */
static void test_output_is_stuck(void) {
        const char *args[] = {"sh", "-c", "yes >&2", NULL};
        Hook hook = {.path = (char *) "/bin/sh", .args = (char **) args, .timeout_usec = SECOND / 2};
        int sockets[2];

        g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), ==, 0);
        HookCall call = {.kind = "poststop", .state = "{}", .output_fd = sockets[1]};
        gint64 start = g_get_monotonic_time();
        g_assert_cmpint(hook_call(&hook, &call, NULL, NULL), ==, -ETIMEDOUT);
        g_assert_cmpint(g_get_monotonic_time() - start, <, 3 * SECOND);
        close(sockets[0]);
        close(sockets[1]);
}

/* What the caller has ignored or blocked is not the hook's; an ignored SIGCHLD does not lose its status. */
static void test_signals_are_reset(void) {
        const char *args[] = {
                "sh", "-c", "! grep -E '^Sig(Blk|Ign).*[1-9a-f]' /proc/self/status || exit 1; exit 7", NULL};
        Hook hook = {.path = (char *) "/bin/sh", .args = (char **) args};
        pid_t pid = fork();
        int wait_status;

        if (pid == 0) {
                HookCall call = {.kind = "poststop", .state = "{}", .output_fd = 2};
                int exit_status = 0;
                sigset_t set;

                signal(SIGTERM, SIG_IGN);
                signal(SIGCHLD, SIG_IGN);
                sigfillset(&set);
                sigprocmask(SIG_BLOCK, &set, NULL);
                hook_call(&hook, &call, &exit_status, NULL);
                _exit(exit_status);
        }
        g_assert_cmpint(waitpid(pid, &wait_status, 0), ==, pid);
        g_assert_cmpint(WEXITSTATUS(wait_status), ==, 7);
}

/* An engine may have closed 0, 1 and 2; the pipes then get these numbers. */
static void test_closed_stdio(void) {
        const char *args[] = {"sh", "-c", "test \"$(cat)\" = '{}' && echo out && echo err >&2", NULL};
        Hook hook = {.path = (char *) "/bin/sh", .args = (char **) args};
        pid_t pid = fork();
        int wait_status;

        if (pid == 0) {
                close(0);
                close(1);
                close(2);
                _exit(hook_run(&hook, "prestart", 0, "{}", NULL, NULL) == 0 ? 0 : 1);
        }
        g_assert_cmpint(waitpid(pid, &wait_status, 0), ==, pid);
        g_assert_cmpint(wait_status, ==, 0);
}

static void test_many_runs(void) {
        Hook hook = {.path = (char *) "/bin/true"};

        for (int i = 0; i < 200; i++)
                g_assert_cmpint(hook_run(&hook, "prestart", 0, long_state, NULL, NULL), ==, 0);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        long_state = g_strnfill(200 * 1024, 'x');
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                g_autofree char *path = g_strdup_printf("/hook/%s", cases[i].name);
                g_test_add_data_func(path, &cases[i], test_case);
        }
        g_test_add_func("/hook/what a timed-out hook started is gone", test_group_is_killed);
        g_test_add_func("/hook/the index is named from the second on", test_index_is_named);
        g_test_add_func("/hook/only the end of much stderr is kept", test_much_stderr);
        g_test_add_func("/hook/output that is not read", test_output_is_stuck);
        g_test_add_func("/hook/signals are reset", test_signals_are_reset);
        g_test_add_func("/hook/closed stdio", test_closed_stdio);
        g_test_add_func("/hook/200 hooks that don't read", test_many_runs);
        return g_test_run();
}
