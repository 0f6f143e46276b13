/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "init/clone.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/syscalls.h"

/* This way init can say itself how the front end sees it, before anything else that it says. */
pid_t clone_process(uint64_t flags, pid_t *shared_pid) {
        struct clone_args args = {
                .flags = flags | CLONE_PARENT_SETTID,
                .parent_tid = (uint64_t) (uintptr_t) shared_pid,
                .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD, /* with CLONE_PARENT that of the stage */
        };
        pid_t pid = sys_clone3(&args);

        /* Container engines' seccomp profiles answer ENOSYS, since they can't look into the struct. */
        if (pid < 0 && errno == ENOSYS)
                pid = (pid_t) syscall(SYS_clone, args.flags | SIGCHLD, NULL, shared_pid, NULL, NULL);
        return pid < 0 ? -errno : pid;
}
