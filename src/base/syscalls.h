/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* System calls and constants that glibc 2.36 or the kernel headers of the floor (Linux 5.10, Debian 12) lack.
 * Thin wrappers: they return what the kernel returns, -1 with errno set on failure. */

#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int sys_openat2(int dir_fd, const char *path, const struct open_how *how) {
        return (int) syscall(SYS_openat2, dir_fd, path, how, sizeof(*how));
}

static inline int sys_pidfd_open(pid_t pid, unsigned flags) {
        return (int) syscall(SYS_pidfd_open, pid, flags);
}

static inline int sys_pidfd_send_signal(int pidfd, int signal_number) {
        return (int) syscall(SYS_pidfd_send_signal, pidfd, signal_number, NULL, 0);
}

static inline pid_t sys_clone3(struct clone_args *args) {
        return (pid_t) syscall(SYS_clone3, args, sizeof(*args));
}

/* linux/pidfd.h of Linux 6.13 (PIDFD_GET_INFO) and 6.15 (PIDFD_INFO_EXIT). The structure grows at its end;
 * the ioctl number carries the size of the first version, 64 bytes. */
struct pidfd_info_v0 {
        uint64_t mask;
        uint64_t cgroupid;
        uint32_t pid;
        uint32_t tgid;
        uint32_t ppid;
        uint32_t ruid;
        uint32_t rgid;
        uint32_t euid;
        uint32_t egid;
        uint32_t suid;
        uint32_t sgid;
        uint32_t fsuid;
        uint32_t fsgid;
        int32_t exit_code;
};

#define SYS_PIDFD_GET_INFO  _IOWR(0xFF, 11, struct pidfd_info_v0)
#define SYS_PIDFD_INFO_PID  (UINT64_C(1) << 0)
#define SYS_PIDFD_INFO_EXIT (UINT64_C(1) << 3)
