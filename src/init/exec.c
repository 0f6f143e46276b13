/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Working directory, look-up, gate, exec. */

#include "init/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "protocol/message.h"

#define SIGNAL_STATUS 128 /* plus the signal, as shells have it */

#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* The system call, since a C library may make up a path of its own where the kernel says "(unreachable)". */
static bool cwd_is_inside(void) {
        char path[PATH_MAX];

        return syscall(SYS_getcwd, path, sizeof(path)) > 0 && path[0] == '/';
}

int exec_enter_cwd(Init *init, bool is_last_try, SetupFailure *reterr_failure) {
        const char *cwd = init->plan->cwd;

        if (init->cwd_is_set)
                return 0;
        if (chdir(cwd) < 0) {
                int error = -errno;

                if (!is_last_try && (error == -EACCES || error == -EPERM))
                        return 0;
                return setup_failed_text(reterr_failure, error, FAILURE_EXEC,
                                         "process.cwd: chdir to '%s': %s", cwd, error_text(error));
        }
        if (!cwd_is_inside())
                return setup_failed_text(reterr_failure, -EXDEV, FAILURE_GENERIC,
                                         "process.cwd: '%s' is outside of the container's root", cwd);
        init->cwd_is_set = true;
        return 0;
}

/* Can it be executed, by us, now? Directories give EACCES, as execve(2) has it. */
static int check_program(const char *path) {
        struct stat status;

        if (stat(path, &status) < 0)
                return -errno;
        if (!S_ISREG(status.st_mode))
                return -EACCES;
        return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static const char *find_path(char *const *env) {
        const char *found = DEFAULT_PATH;

        for (char *const *entry = env; entry && *entry; entry++) {
                if (strncmp(*entry, "PATH=", 5) == 0)
                        found = *entry + 5;
        }
        return found;
}

/* Returns the error to tell: that of a file that was there but could not be executed wins over "not found".
 */
static int search(Init *init, const char *name) {
        const char *at = find_path(init->plan->env);
        int result = -ENOENT;

        for (;;) {
                size_t n = strcspn(at, ":");
                int r;

                if (snprintf(init->program, sizeof(init->program), "%.*s%s%s", (int) n, at,
                             n > 0 ? "/" : "./", name) < (int) sizeof(init->program)) {
                        r = check_program(init->program);
                        if (r == 0)
                                return 0;
                        if (r == -EACCES || r == -EPERM)
                                result = -EACCES;
                }
                if (at[n] == '\0')
                        return result;
                at += n + 1;
        }
}

static int program_failed(const char *name, int error, SetupFailure *reterr_failure) {
        const char *why = error == -EACCES || error == -EPERM     ? "permission denied"
                          : error == -ENOENT || error == -ENOTDIR ? "no such file or directory"
                                                                  : error_text(error);

        return setup_failed_text(reterr_failure, error, FAILURE_EXEC, "exec: \"%s\": %s", name, why);
}

int exec_find_program(Init *init, SetupFailure *reterr_failure) {
        const char *name = init->plan->args[0];
        int r;

        if (strchr(name, '/')) {
                if (snprintf(init->program, sizeof(init->program), "%s", name) >= (int) sizeof(init->program))
                        return program_failed(name, -ENAMETOOLONG, reterr_failure);
                r = check_program(name);
                return r < 0 ? program_failed(name, r, reterr_failure) : 0;
        }
        r = *name ? search(init, name) : -ENOENT;
        if (r == -ENOENT)
                return setup_failed_text(reterr_failure, r, FAILURE_EXEC,
                                         "exec: \"%s\": executable file not found in $PATH", name);
        return r < 0 ? program_failed(name, r, reterr_failure) : 0;
}

static void end_by(int signal) {
        _exit(SIGNAL_STATUS + signal);
}

/* The first process of a pid namespace only gets the signals that it handles; who stops a container that was
 * never started shall not have to wait until he kills it. Exec makes them the default ones again. */
static void let_signals_end(void) {
        static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

        for (size_t i = 0; getpid() == 1 && i < ELEMENTSOF(signals); i++)
                sigaction(signals[i], &(struct sigaction){.sa_handler = end_by}, NULL);
}

int exec_wait_at_gate(Init *init, SetupFailure *reterr_failure) {
        Message message;
        int r, fds[1];
        size_t n_fds = 1;

        let_signals_end();
        do
                init->gate_fd = accept4(init->plan->gate_fd, NULL, NULL, SOCK_CLOEXEC);
        while (init->gate_fd < 0 && errno == EINTR);
        if (init->gate_fd < 0)
                return setup_failed(reterr_failure, -errno, "wait at the gate", NULL);
        close(init->plan->gate_fd);
        do
                r = message_receive(init->gate_fd, &message, fds, &n_fds);
        while (r == -EINTR);
        if (r == 0)
                _exit(1); /* the supervisor has gone */
        if (r < 0)
                return setup_failed(reterr_failure, r, "wait at the gate", NULL);
        if (n_fds == 1)
                init->listener_fd = fds[0];
        return message.type == GATE_GO
                       ? 0
                       : setup_failed_text(reterr_failure, -EPROTO, FAILURE_GENERIC,
                                           "the supervisor said %u at the gate", message.type);
}

int exec_program(const Init *init, SetupFailure *reterr_failure) {
        const InitPlan *plan = init->plan;

        execve(init->program, plan->args, init->env);
        /* ENOENT of a file that was there a moment ago: the interpreter is missing. */
        return program_failed(init->program, -errno, reterr_failure);
}

int exec_exit_status(int error) {
        return error == -ENOENT || error == -ENOTDIR ? 127 : 126;
}
