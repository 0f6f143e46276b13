/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Starting unitrun-init. The child is made by vfork(2): it shares our memory, which costs nothing however
 * large GLib has made us, and only does system calls before it executes the program. */

#include "container/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "config.h"
#include "container/plan-parts.h"

#define PROGRAM  UNITRUN_LIBEXECDIR "/unitrun-init"
#define MAX_COPY ((size_t) 64 << 20)

/* A mount of nothing but the program, read-only, in no namespace. Returns an O_PATH fd. */
static int open_readonly_mount(void) {
        struct mount_attr readonly = {.attr_set = MOUNT_ATTR_RDONLY};
        autoclose int fd = open_tree(AT_FDCWD, PROGRAM, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);

        if (fd < 0 || mount_setattr(fd, "", AT_EMPTY_PATH, &readonly, sizeof(readonly)) < 0)
                return -errno;
        return steal_fd(&fd);
}

static int open_sealed_copy(void) {
        autoclose int program_fd = open(PROGRAM, O_RDONLY | O_CLOEXEC);
        autoclose int fd = -EBADF;
        ssize_t n;

        if (program_fd < 0)
                return -errno;
        /* MFD_EXEC (Linux 6.3) says what older kernels take for granted, and refuse as unknown. */
        fd = memfd_create("unitrun-init", MFD_CLOEXEC | MFD_ALLOW_SEALING | 0x0010U);
        if (fd < 0 && errno == EINVAL)
                fd = memfd_create("unitrun-init", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (fd < 0 || fchmod(fd, 0555) < 0)
                return -errno;
        while ((n = sendfile(fd, program_fd, NULL, MAX_COPY)) > 0)
                ;
        if (n < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
                return -errno;
        return steal_fd(&fd);
}

static int write_plan(const Plan *plan) {
        autoclose int fd = memfd_create("unitrun-plan", MFD_CLOEXEC);
        int r = fd < 0 ? -errno : image_write(plan->image, plan->init, fd);

        return r < 0 ? r : steal_fd(&fd);
}

/* What the child needs, gathered before there is one. */
typedef struct Child {
        int program_fd;
        const int *fds;
        size_t n_fds;
        char *const *args;
        char *const *env;
        volatile int error; /* set by the child, in our memory */
} Child;

static void run_child(Child *child) {
        /* Until the program has set it again itself; exec doesn't clear it. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (size_t i = 0; i < child->n_fds; i++) {
                if (fcntl(child->fds[i], F_SETFD, 0) < 0) {
                        child->error = errno;
                        _exit(EXIT_FAILURE);
                }
        }
        syscall(SYS_execveat, child->program_fd, "", child->args, child->env, AT_EMPTY_PATH);
        child->error = errno;
        _exit(EXIT_FAILURE);
}

static pid_t start_child(Child *child) {
        pid_t pid = vfork();

        if (pid == 0)
                run_child(child);
        return pid;
}

static GArray *list_fds(const Plan *plan, int plan_fd) {
        const InitPlan *init = plan->init;
        const int single[] = {plan_fd,
                              init->setup_fd,
                              init->gate_fd,
                              init->console_fd,
                              init->reaper_fd,
                              init->is_exec ? init->exec_pidfd : -EBADF,
                              init->is_exec ? init->exec_root_fd : -EBADF,
                              init->is_exec ? init->exec_listener_fd : -EBADF,
                              init->is_restore ? init->criu_fd : -EBADF,
                              init->stdio_fds[0],
                              init->stdio_fds[1],
                              init->stdio_fds[2]};
        GArray *fds = g_array_new(FALSE, FALSE, sizeof(int));

        for (size_t i = 0; i < G_N_ELEMENTS(single); i++)
                if (single[i] >= 0)
                        g_array_append_val(fds, single[i]);
        g_array_append_vals(fds, init->preserve_fds, (guint) init->n_preserve_fds);
        g_array_append_vals(fds, plan->fds->data, plan->fds->len);
        return fds;
}

bool init_spawn(const Plan *plan, pid_t *ret_stage_pid, GError **error) {
        autoclose int program_fd = -EBADF, plan_fd = -EBADF;
        g_autoptr(GArray) fds = NULL;
        char number[16];
        char *const args[] = {(char *) "unitrun-init", number, NULL};
        pid_t pid;
        int r;

        program_fd = open_readonly_mount();
        if (program_fd < 0 && program_fd != -ENOENT)
                program_fd = open_sealed_copy();
        if (program_fd < 0)
                return fail_errno(error, program_fd, "cannot open '%s'", PROGRAM);
        plan_fd = write_plan(plan);
        if (plan_fd < 0)
                return fail_errno(error, plan_fd, "cannot write the plan for unitrun-init");
        /* Whatever the caller left open stays out of the container. */
        r = fd_cloexec_from(3);
        if (r < 0)
                return fail_errno(error, r, "cannot mark file descriptors close-on-exec");
        fds = list_fds(plan, plan_fd);
        g_snprintf(number, sizeof(number), "%d", plan_fd);

        Child child = {
                .program_fd = program_fd,
                .fds = (const int *) fds->data,
                .n_fds = fds->len,
                .args = args,
                .env = environ,
        };
        pid = start_child(&child);
        if (pid < 0)
                return fail_errno(error, errno, "cannot start unitrun-init");
        if (child.error != 0) {
                waitpid(pid, NULL, 0);
                return fail_errno(error, child.error, "cannot execute '%s'", PROGRAM);
        }
        if (!plan_compile_seccomp(plan, error)) {
                kill(pid, SIGKILL);
                waitpid(pid, NULL, 0);
                return false;
        }
        *ret_stage_pid = pid;
        return true;
}
