/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The seccomp program. With SCMP_ACT_NOTIFY, loading it gives an fd that has to reach the listener, but
 * whoever loads it may get stuck in the first system call after that. So a second thread, which the program
 * does not bind, sends the fd; the first one waits for it without any system call. No process, because nobody
 * could reap it: a thread vanishes with exec. */

#include "init/seccomp.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/socket.h"
#include "protocol/message.h"

#define STACK_SIZE   ((size_t) 64 << 10)
#define NOT_YET      (-1000000) /* no fd and no errno */
#define LOOK_NSEC    50000
#define SENDER_FLAGS (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM)

/* Between the two threads. */
typedef struct Sender {
        const Init *init;
        char *state;   /* the container process state */
        atomic_int fd; /* of the notifications; a negative errno when the program could not be loaded */
        atomic_int sent;
} Sender;

int seccomp_map(Init *init, SetupFailure *reterr_failure) {
        int fd = init->plan->seccomp_fd;
        struct stat status;
        void *program;

        if (fd < 0)
                return 0;
        if (fstat(fd, &status) < 0)
                return setup_failed(reterr_failure, -errno, "look at", "linux.seccomp");
        if (status.st_size == 0)
                return setup_failed_text(reterr_failure, -ENODATA, FAILURE_GENERIC,
                                         "linux.seccomp: the front end sent no filter");
        program = mmap(NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (program == MAP_FAILED)
                return setup_failed(reterr_failure, -errno, "map", "linux.seccomp");
        init->seccomp_program = program;
        init->seccomp_size = (size_t) status.st_size;
        return 0;
}

/* Returns 0 or the fd of the notifications, or a negative errno. */
static int set_filter(const Init *init, unsigned long more_flags) {
        struct sock_fprog program = {
                .len = (unsigned short) (init->seccomp_size / sizeof(struct sock_filter)),
                .filter = init->seccomp_program,
        };
        long r = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, init->plan->seccomp_flags | more_flags,
                         &program);

        return r < 0 ? -errno : (int) r;
}

static int set_failed(int error, SetupFailure *reterr_failure) {
        return setup_failed(reterr_failure, error, "load", "linux.seccomp");
}

static void report_failure(const Init *init, const SetupFailure *failure) {
        if (init->plan->is_exec)
                message_send_failure(init->plan->setup_fd, SETUP_FAILED, failure);
        else
                message_send_failure(init->gate_fd, GATE_FAILED, failure);
}

static int run_sender(void *data) {
        static const struct timespec pause = {.tv_nsec = LOOK_NSEC};
        Sender *sender = data;
        SetupFailure failure;
        int fd, r;

        while ((fd = atomic_load(&sender->fd)) == NOT_YET)
                nanosleep(&pause, NULL);
        if (fd < 0)
                return 0;
        r = socket_send(sender->init->listener_fd, sender->state, strlen(sender->state), &fd, 1);
        if (r < 0) {
                setup_failed_text(
                        &failure, r, FAILURE_GENERIC,
                        "linux.seccomp.listenerPath: cannot send the notification fd to the seccomp "
                        "agent: %s",
                        error_text(r));
                report_failure(sender->init, &failure);
                _exit(EXIT_FAILURE);
        }
        close(sender->init->listener_fd);
        close(fd);
        atomic_store(&sender->sent, 1);
        return 0;
}

static int start_sender(Sender *sender, SetupFailure *reterr_failure) {
        const InitPlan *plan = sender->init->plan;
        const char *const *state = (const char *const *) plan->seccomp_state;
        int pid = (int) sender->init->outer_pid, r;
        char *stack;

        /* Waiting without a system call, on a single CPU this one would never let the other thread run. */
        if (sched_getscheduler(0) != SCHED_OTHER && sched_getscheduler(0) != SCHED_BATCH &&
            sched_getscheduler(0) != SCHED_IDLE)
                return setup_failed_text(reterr_failure, -EINVAL, FAILURE_GENERIC,
                                         "linux.seccomp: SCMP_ACT_NOTIFY cannot be used along with real-time "
                                         "scheduling, which is the caller's");
        if (sender->init->listener_fd < 0)
                return setup_failed_text(reterr_failure, -ENOTCONN, FAILURE_GENERIC,
                                         "linux.seccomp.listenerPath: start passed no connection to it");
        r = plan->is_exec ? asprintf(&sender->state, "%s%d%s", state[0], pid, state[1])
                          : asprintf(&sender->state, "%s%d%s%d%s", state[0], pid, state[1], pid, state[2]);
        if (r < 0)
                return setup_failed(reterr_failure, -ENOMEM, "load", "linux.seccomp");
        stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1,
                     0);
        if (stack == MAP_FAILED || clone(run_sender, stack + STACK_SIZE, SENDER_FLAGS, sender) < 0)
                return setup_failed_text(reterr_failure, -errno, FAILURE_GENERIC,
                                         "linux.seccomp: cannot start a thread for SCMP_ACT_NOTIFY: %s",
                                         error_text(errno));
        return 0;
}

static int load_with_listener(const Init *init, SetupFailure *reterr_failure) {
        static Sender sender; /* the thread may outlast this function */
        int r;

        sender.init = init;
        atomic_store(&sender.fd, NOT_YET);
        r = start_sender(&sender, reterr_failure);
        if (r < 0)
                return r;
        r = set_filter(init, SECCOMP_FILTER_FLAG_NEW_LISTENER);
        atomic_store(&sender.fd, r);
        if (r < 0)
                return set_failed(r, reterr_failure);
        while (!atomic_load(&sender.sent))
                ;
        return 0;
}

int seccomp_load(Init *init, SetupFailure *reterr_failure) {
        int r;

        if (!init->seccomp_program)
                return 0;
        if (init->plan->seccomp_notify)
                return load_with_listener(init, reterr_failure);
        r = set_filter(init, 0);
        return r < 0 ? set_failed(r, reterr_failure) : 0;
}
