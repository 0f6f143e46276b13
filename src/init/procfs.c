/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A procfs handle and checked writes through it. Links are not followed when a file is opened, "self" apart,
 * which stands in the root of every procfs and can't be covered in one that isn't mounted. */

#include "init/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "init/mount-api.h"

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

int procfs_write(int proc_fd, const char *path, const char *text) {
        size_t size = strlen(text);
        autoclose int fd = openat(proc_fd, path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
        ssize_t n;

        if (fd < 0)
                return -errno;
        if (!is_procfs(fd))
                return -EXDEV;
        do
                n = write(fd, text, size);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return (size_t) n == size ? 0 : -EIO;
}
