/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Scoped resources for plain C: a variable marked autoclose, autofree, … is released when it goes out of
 * scope. Hand over with steal_fd() or steal_pointer(). An empty fd is -EBADF, never -1 by convention only:
 * every negative value is taken as empty. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void auto_close_fd(int *fd) {
        int saved = errno;

        if (*fd >= 0)
                close(*fd);
        errno = saved;
}

static inline void auto_free_pointer(void *pointer) {
        free(*(void **) pointer);
}

static inline void auto_close_file(FILE **file) {
        if (*file)
                fclose(*file);
}

#define autoclose __attribute__((cleanup(auto_close_fd)))
#define autofree  __attribute__((cleanup(auto_free_pointer)))
#define autofile  __attribute__((cleanup(auto_close_file)))

static inline int steal_fd(int *fd) {
        int taken = *fd;

        *fd = -EBADF;
        return taken;
}

/* Closes now what would be closed at the end of the scope. */
static inline void close_clear(int *fd) {
        auto_close_fd(fd);
        *fd = -EBADF;
}

#define steal_pointer(pointer)                                                                               \
        __extension__({                                                                                      \
                __typeof__(pointer) *slot_ = &(pointer);                                                     \
                __typeof__(pointer) taken_ = *slot_;                                                         \
                *slot_ = NULL;                                                                               \
                taken_;                                                                                      \
        })

#define ELEMENTSOF(array) (sizeof(array) / sizeof((array)[0]))
