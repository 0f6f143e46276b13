/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Small files as a whole: read, replaced by rename, or written with one write(2). */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"

int file_read(int dir_fd, const char *path, size_t limit, char **ret_data, size_t *ret_size) {
        autoclose int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

        if (fd < 0)
                return -errno;
        return fd_read_all(fd, limit, ret_data, ret_size);
}

int file_replace(int dir_fd, const char *path, const void *data, size_t size, mode_t mode) {
        char temporary[256];
        autoclose int fd = -EBADF;
        int r;

        if (snprintf(temporary, sizeof(temporary), ".%s.new", path) >= (int) sizeof(temporary))
                return -ENAMETOOLONG;
        /* One that is there is left from somebody killed, or a trap: a FIFO, a hard link to another file. */
        if (unlinkat(dir_fd, temporary, 0) < 0 && errno != ENOENT)
                return -errno;
        fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0)
                return -errno;
        r = fd_write_all(fd, data, size);
        if (r >= 0 && renameat(dir_fd, temporary, dir_fd, path) < 0)
                r = -errno;
        if (r < 0)
                unlinkat(dir_fd, temporary, 0);
        return r;
}

int file_write(int dir_fd, const char *path, const char *text) {
        size_t size = strlen(text);
        autoclose int fd = openat(dir_fd, path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        ssize_t n;

        if (fd < 0)
                return -errno;
        do
                n = write(fd, text, size);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return (size_t) n == size ? 0 : -EIO;
}
