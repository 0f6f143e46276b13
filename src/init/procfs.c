/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A procfs handle and checked writes through it. Links are not followed when a file is opened, "self" apart,
 * which stands in the root of every procfs and can't be covered in one that isn't mounted. */

#include "init/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/syscalls.h"
#include "init/mount-api.h"

#define ROOT_INODE 1 /* PROC_ROOT_INO, fs/proc/internal.h */

static bool is_procfs(int fd) {
        struct statfs status;

        return fstatfs(fd, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

int procfs_open(Init *init, SetupFailure *reterr_failure) {
        autoclose int fd = mount_create("proc", NULL, NULL, 0, NULL);

        if (fd < 0)
                fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return setup_failed(reterr_failure, -errno, "open", "/proc");
        if (!is_procfs(fd))
                return setup_failed_text(reterr_failure, -EINVAL, FAILURE_GENERIC,
                                         "the host's '/proc' is not a procfs");
        init->proc_fd = steal_fd(&fd);
        return 0;
}

int procfs_open_joined(void) {
        static char subset[] = "subset=pid"; /* Linux 5.8 */
        autoclose int fd = mount_create("proc", NULL, (char *const[]){subset, NULL}, 0, NULL);
        struct stat status;

        if (fd >= 0)
                return steal_fd(&fd);
        fd = open("/proc", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &status) < 0)
                return -errno;
        return is_procfs(fd) && status.st_ino == ROOT_INODE ? steal_fd(&fd) : -EXDEV;
}

/* Nothing that is mounted over a file or directory is taken for it. */
static int open_for_writing(int proc_fd, const char *path) {
        const struct open_how how = {
                .flags = O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
                .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS,
        };
        int fd = sys_openat2(proc_fd, path, &how);

        return fd < 0 ? -errno : fd;
}

int procfs_write(int proc_fd, const char *path, const char *text) {
        size_t size = strlen(text);
        autoclose int fd = open_for_writing(proc_fd, path);
        ssize_t n;

        if (fd < 0)
                return fd;
        if (!is_procfs(fd))
                return -EXDEV;
        do
                n = write(fd, text, size);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return (size_t) n == size ? 0 : -EIO;
}
