/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Single file descriptors: flags, whole reads and writes, and which ones are open. Messages with descriptors
 * in them are in socket.c. */

#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"

int fd_set_cloexec(int fd, bool cloexec) {
        int flags = fcntl(fd, F_GETFD);

        if (flags < 0)
                return -errno;
        flags = cloexec ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC;
        return fcntl(fd, F_SETFD, flags) < 0 ? -errno : 0;
}

int fd_open_standard(void) {
        int fd;

        /* The lowest free number is what open(2) takes. */
        do
                fd = open("/dev/null", O_RDWR | O_NOCTTY);
        while (fd >= 0 && fd <= STDERR_FILENO);
        if (fd < 0)
                return -errno;
        close(fd);
        return 0;
}

static int compare_int(const void *a, const void *b) {
        int x = *(const int *) a, y = *(const int *) b;

        return (x > y) - (x < y);
}

int fd_list_open(int first, int **ret_fds, size_t *ret_n) {
        autofree int *fds = NULL;
        size_t n = 0, room = 0;
        DIR *dir = opendir("/proc/self/fd");

        if (!dir)
                return -errno;
        for (struct dirent *entry; (entry = readdir(dir));) {
                int fd = atoi(entry->d_name);

                if (entry->d_name[0] == '.' || fd < first || fd == dirfd(dir))
                        continue;
                if (n == room) {
                        room = room ? room * 2 : 16;
                        int *larger = reallocarray(fds, room, sizeof(*fds));
                        if (!larger) {
                                closedir(dir);
                                return -ENOMEM;
                        }
                        fds = larger;
                }
                fds[n++] = fd;
        }
        closedir(dir);
        if (n > 0)
                qsort(fds, n, sizeof(*fds), compare_int);
        *ret_fds = steal_pointer(fds);
        *ret_n = n;
        return 0;
}

int fd_cloexec_from(int first) {
        autofree int *fds = NULL;
        size_t n = 0;
        int r;

        if (syscall(SYS_close_range, (unsigned) first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
                return 0;
        /* ENOSYS before 5.9, EINVAL in 5.9 and 5.10: those don't know the flag. */
        r = fd_list_open(first, &fds, &n);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = fd_set_cloexec(fds[i], true);
        return r;
}

int fd_write_all(int fd, const void *data, size_t size) {
        const char *at = data;

        while (size > 0) {
                ssize_t n = write(fd, at, size);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                at += n;
                size -= (size_t) n;
        }
        return 0;
}

int fd_read_all(int fd, size_t limit, char **ret_data, size_t *ret_size) {
        autofree char *data = NULL;
        size_t size = 0, room = 0;

        for (;;) {
                if (size + 1 >= room) {
                        room = room ? room * 2 : 4096;
                        char *larger = realloc(data, room);
                        if (!larger)
                                return -ENOMEM;
                        data = larger;
                }
                ssize_t n = read(fd, data + size, room - size - 1);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                size += (size_t) n;
                if (size > limit)
                        return -EFBIG;
        }
        data[size] = '\0';
        *ret_data = steal_pointer(data);
        if (ret_size)
                *ret_size = size;
        return 0;
}
