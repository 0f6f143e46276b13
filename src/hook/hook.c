/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Runs one hook: a child in a process group of its own, the state on its stdin, its stderr through a tee, all
 * in one poll loop until the hook itself has exited (whoever else holds its pipes is not waited for) or its
 * time is over. Nothing here allocates or takes a lock, see signal-safety(7); snprintf(3) is the exception
 * that protocol/failure.c explains. */

#include "hook/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/syscalls.h"
#include "hook/tee.h"

/* The fds of a child that is about to become the hook. */
typedef struct ChildFds {
        int stdin_fd, stdout_fd, stderr_fd;
        int exec_fd; /* close-on-exec; gets the errno when there is no exec */
} ChildFds;

typedef struct HookProcess {
        pid_t pid;
        int pidfd;
        int stdin_fd; /* non-blocking; -EBADF when the state is written or nobody wants it */
        const char *state;
        size_t n_state; /* still to be written */
        int exec_fd;
        Tee tee;
} HookProcess;

static int64_t now_usec(void) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Puts the fds at 0 to 3 and closes all others. They may have any number, 0 to 3 too. */
static int arrange_fds(ChildFds *fds) {
        int *const order[] = {&fds->stdin_fd, &fds->stdout_fd, &fds->stderr_fd, &fds->exec_fd};

        for (size_t i = 0; i < ELEMENTSOF(order); i++) {
                int high = fcntl(*order[i], F_DUPFD_CLOEXEC, 4);
                if (high < 0)
                        return -errno;
                *order[i] = high;
        }
        for (size_t i = 0; i < ELEMENTSOF(order); i++)
                if (dup3(*order[i], (int) i, i == 3 ? O_CLOEXEC : 0) < 0)
                        return -errno;
        fds->exec_fd = 3;
        /* A seccomp filter may refuse the call (the kernel has it since 5.9). */
        if (syscall(SYS_close_range, 4U, ~0U, 0U) < 0)
                for (int fd = 4; fd < 1024; fd++)
                        close(fd);
        return 0;
}

__attribute__((noreturn)) static void become_hook(const Hook *hook, ChildFds *fds, pid_t parent, char **env) {
        char *only_path[] = {hook->path, NULL};
        int r;

        setpgid(0, 0);
        process_reset_signals();
        r = arrange_fds(fds);
        if (r >= 0) {
                /* So that a caller that is killed leaves no hook behind. It may be dead already. */
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (getppid() != parent)
                        _exit(127);
                execve(hook->path, hook->args && hook->args[0] ? hook->args : only_path, env);
                r = -errno;
        }
        if (write(fds->exec_fd, &r, sizeof(r)) < 0)
                _exit(126);
        _exit(127);
}

static int spawn(const Hook *hook, const HookCall *call, HookProcess *process) {
        int stdin_pipe[2] = {-EBADF, -EBADF}, stderr_pipe[2] = {-EBADF, -EBADF},
            exec_pipe[2] = {-EBADF, -EBADF};
        char **env = hook->env ? hook->env : call->env ? call->env : environ;
        pid_t parent = getpid();
        int r = 0;

        if (pipe2(stdin_pipe, O_CLOEXEC) < 0 || pipe2(stderr_pipe, O_CLOEXEC) < 0 ||
            pipe2(exec_pipe, O_CLOEXEC | O_NONBLOCK) < 0 || fcntl(stdin_pipe[1], F_SETFL, O_NONBLOCK) < 0 ||
            fcntl(stderr_pipe[0], F_SETFL, O_NONBLOCK) < 0)
                r = -errno;
        if (r >= 0) {
                process->pid = _Fork(); /* fork() takes locks and runs handlers */
                if (process->pid < 0)
                        r = -errno;
        }
        if (r >= 0 && process->pid == 0) {
                ChildFds fds = {stdin_pipe[0], call->output_fd, stderr_pipe[1], exec_pipe[1]};
                become_hook(hook, &fds, parent, env);
        }
        auto_close_fd(&stdin_pipe[0]);
        auto_close_fd(&stderr_pipe[1]);
        auto_close_fd(&exec_pipe[1]);
        process->stdin_fd = stdin_pipe[1];
        process->tee.source_fd = stderr_pipe[0];
        process->exec_fd = exec_pipe[0];
        if (r < 0)
                return r;
        setpgid(process->pid, process->pid); /* whoever of both comes first */
        process->pidfd = sys_pidfd_open(process->pid, 0);
        return process->pidfd < 0 ? -errno : 0;
}

static void write_state(HookProcess *process) {
        ssize_t n = write(process->stdin_fd, process->state, process->n_state);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n > 0) {
                process->state += n;
                process->n_state -= (size_t) n;
        }
        /* All is written, or the hook does not want it (EPIPE). */
        if (n < 0 || process->n_state == 0) {
                close(process->stdin_fd);
                process->stdin_fd = -EBADF;
        }
}

/* Feeds the hook until it has exited (0) or @deadline_usec (0: none) has come (-ETIMEDOUT). */
static int serve(HookProcess *process, int64_t deadline_usec) {
        for (;;) {
                struct pollfd fds[3] = {
                        {.fd = process->pidfd,    .events = POLLIN },
                        {.fd = process->stdin_fd, .events = POLLOUT},
                };
                int64_t left = deadline_usec > 0 ? deadline_usec - now_usec() : 0;
                struct timespec wait = {.tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000};

                if (left < 0)
                        return -ETIMEDOUT;
                tee_poll(&process->tee, &fds[2]);
                int n = ppoll(fds, ELEMENTSOF(fds), deadline_usec > 0 ? &wait : NULL, NULL);
                if (n < 0 && errno != EINTR)
                        return -errno;
                if (n <= 0)
                        continue;
                if (fds[0].revents != 0)
                        return 0;
                if (fds[1].revents != 0)
                        write_state(process);
                if (fds[2].revents != 0)
                        tee_step(&process->tee);
        }
}

static void kill_group(const HookProcess *process) {
        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL); /* it may have changed its group */
}

static int reap(pid_t pid, int *ret_wait_status) {
        pid_t r;

        do
                r = waitpid(pid, ret_wait_status, 0);
        while (r < 0 && errno == EINTR);
        return r < 0 ? -errno : 0;
}

/* Where the caller is a subreaper or PID 1 of a container, the orphans of a killed group come to it. */
static void reap_group(pid_t group) {
        while (reap(-group, NULL) >= 0)
                ;
}

/* "poststart hook 'PATH' " in @text, for all sentences below. */
static void name_hook(char *text, size_t size, const Hook *hook, const HookCall *call) {
        if (call->index == 0)
                snprintf(text, size, "%s hook '%.1024s'", call->kind, hook->path);
        else
                snprintf(text, size, "%s hook '%.1024s' (hooks.%s[%zu])", call->kind, hook->path, call->kind,
                         call->index);
}

static int failed(const Hook *hook, const HookCall *call, const Tee *tee, int error, const char *what,
                  SetupFailure *reterr_failure) {
        char name[1200], quote[TEE_TAIL_SIZE * 2];

        name_hook(name, sizeof(name), hook, call);
        tee_quote(tee, quote, sizeof(quote));
        return setup_failed_text(reterr_failure, error, FAILURE_HOOK, "%s %s%s%s", name, what,
                                 quote[0] ? ": " : "", quote);
}

static int timed_out(const Hook *hook, const HookCall *call, const Tee *tee, SetupFailure *reterr_failure) {
        char what[64];

        if (hook->timeout_usec % 1000000 == 0)
                snprintf(what, sizeof(what), "timed out after %" PRId64 " s", hook->timeout_usec / 1000000);
        else
                snprintf(what, sizeof(what), "timed out after %" PRId64 " ms", hook->timeout_usec / 1000);
        return failed(hook, call, tee, -ETIMEDOUT, what, reterr_failure);
}

static int judge(const Hook *hook, const HookCall *call, const HookProcess *process, int wait_status,
                 int *ret_exit_status, SetupFailure *reterr_failure) {
        char what[128], name[SIGNAL_NAME_SIZE];
        int error;

        if (read(process->exec_fd, &error, sizeof(error)) == sizeof(error)) {
                snprintf(what, sizeof(what), "could not be executed: %s", error_text(error));
                return failed(hook, call, &process->tee, error, what, reterr_failure);
        }
        if (WIFEXITED(wait_status)) {
                *ret_exit_status = WEXITSTATUS(wait_status);
                if (*ret_exit_status == 0)
                        return 0;
                snprintf(what, sizeof(what), "exited with status %d", *ret_exit_status);
        } else {
                snprintf(what, sizeof(what), "was killed by %s", signal_to_name(WTERMSIG(wait_status), name));
        }
        return failed(hook, call, &process->tee, -EPERM, what, reterr_failure);
}

static int run(const Hook *hook, const HookCall *call, HookProcess *process, int *ret_exit_status,
               SetupFailure *reterr_failure) {
        int wait_status = 0;
        int r = spawn(hook, call, process), reaped;

        if (process->pid <= 0)
                return failed(hook, call, &process->tee, r, error_text(r), reterr_failure);
        if (r >= 0)
                r = serve(process, hook->timeout_usec > 0 ? now_usec() + hook->timeout_usec : 0);
        if (r < 0)
                kill_group(process);
        reaped = reap(process->pid, &wait_status);
        if (r < 0)
                reap_group(process->pid);
        tee_finish(&process->tee);
        if (r == -ETIMEDOUT)
                return timed_out(hook, call, &process->tee, reterr_failure);
        if (r >= 0)
                r = reaped;
        if (r < 0)
                return failed(hook, call, &process->tee, r, error_text(r), reterr_failure);
        return judge(hook, call, process, wait_status, ret_exit_status, reterr_failure);
}

int hook_call(const Hook *hook, const HookCall *call, int *ret_exit_status, SetupFailure *reterr_failure) {
        HookProcess process = {
                .pid = -1,
                .pidfd = -EBADF,
                .stdin_fd = -EBADF,
                .exec_fd = -EBADF,
                .state = call->state,
                .n_state = strlen(call->state),
                .tee = {.source_fd = -EBADF, .output_fd = call->output_fd},
        };
        struct sigaction child_action, pipe_action;
        int exit_status = -1, r;

        /* A caller may have inherited an ignored SIGCHLD, with which the kernel reaps for it and the status
         * is lost; and a hook that does not read must not kill us. */
        sigaction(SIGCHLD, NULL, &child_action);
        if (child_action.sa_handler == SIG_IGN)
                sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &pipe_action);

        r = run(hook, call, &process, &exit_status, reterr_failure);

        sigaction(SIGPIPE, &pipe_action, NULL);
        sigaction(SIGCHLD, &child_action, NULL);
        auto_close_fd(&process.pidfd);
        auto_close_fd(&process.stdin_fd);
        auto_close_fd(&process.exec_fd);
        auto_close_fd(&process.tee.source_fd);
        if (ret_exit_status)
                *ret_exit_status = exit_status;
        return r;
}

int hook_run(const Hook *hook, const char *kind, size_t index, const char *state, char **env,
             SetupFailure *reterr_failure) {
        autoclose int output_fd = hook_journal_open(NULL);
        HookCall call = {.kind = kind, .index = index, .state = state, .env = env, .output_fd = output_fd};

        if (output_fd < 0)
                return setup_failed(reterr_failure, output_fd, "open", "/dev/null");
        return hook_call(hook, &call, NULL, reterr_failure);
}
