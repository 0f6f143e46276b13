/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The pass-through for a hook's stderr. Everything is non-blocking and driven by the poll loop in hook.c: a
 * hook's time-out must hold although the journal hangs. */

#include "hook/tee.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"

#define PIPE_CAPACITY (64 * 1024)

static void keep(Tee *tee, const char *data, size_t size) {
        for (size_t i = 0; i < size; i++)
                tee->tail[tee->n_total++ % TEE_TAIL_SIZE] = data[i];
}

static void close_source(Tee *tee) {
        close(tee->source_fd);
        tee->source_fd = -EBADF;
}

/* Sockets are written without waiting; poll(2) says POLLOUT for a stream while less than all has room. */
static ssize_t write_output(int fd, const char *data, size_t size) {
        ssize_t n = send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);

        return n < 0 && errno == ENOTSOCK ? write(fd, data, size) : n;
}

static bool write_pending(Tee *tee) {
        ssize_t n;

        n = write_output(tee->output_fd, tee->pending + tee->pending_start, tee->n_pending);
        if (n < 0) {
                if (errno == EAGAIN || errno == EINTR)
                        return false;
                tee->output_fd = -EBADF;
                n = (ssize_t) tee->n_pending;
        }
        tee->pending_start += (size_t) n;
        tee->n_pending -= (size_t) n;
        return true;
}

static bool read_source(Tee *tee) {
        ssize_t n = read(tee->source_fd, tee->pending, sizeof(tee->pending));

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return false;
        if (n <= 0) {
                close_source(tee);
                return true;
        }
        keep(tee, tee->pending, (size_t) n);
        tee->pending_start = 0;
        tee->n_pending = tee->output_fd < 0 ? 0 : (size_t) n;
        return true;
}

void tee_poll(const Tee *tee, struct pollfd *ret) {
        *ret = (struct pollfd){.fd = -1};
        if (tee->n_pending > 0)
                *ret = (struct pollfd){.fd = tee->output_fd, .events = POLLOUT};
        else if (tee->source_fd >= 0)
                *ret = (struct pollfd){.fd = tee->source_fd, .events = POLLIN};
}

bool tee_step(Tee *tee) {
        if (tee->n_pending > 0)
                return write_pending(tee);
        return tee->source_fd >= 0 && read_source(tee);
}

void tee_finish(Tee *tee) {
        size_t limit = tee->n_total + PIPE_CAPACITY;

        while (tee->n_pending > 0 || (tee->source_fd >= 0 && tee->n_total < limit)) {
                struct pollfd poll_fd;

                if (tee_step(tee))
                        continue;
                /* Nothing more in the pipe, although somebody may still hold it; or the output is full. */
                if (tee->n_pending == 0)
                        break;
                tee_poll(tee, &poll_fd);
                if (poll(&poll_fd, 1, 1000) == 0)
                        break;
        }
        if (tee->source_fd >= 0)
                close_source(tee);
}

/* The length of the well-formed UTF-8 character at @text, or 0 (Unicode, table 3-7, without its finer bounds
 * on the second byte but for overlong forms and surrogates). */
static size_t utf8_length(const unsigned char *text, size_t size) {
        size_t n = text[0] < 0x80 ? 1 : text[0] < 0xc2 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
        uint32_t code;

        if (n <= 1 || text[0] > 0xf4 || n > size)
                return n == 1 ? 1 : 0;
        code = text[0] & (0xffU >> (n + 1));
        for (size_t i = 1; i < n; i++) {
                if ((text[i] & 0xc0) != 0x80)
                        return 0;
                code = code << 6 | (text[i] & 0x3fU);
        }
        if ((n == 3 && code < 0x800) || (n == 4 && (code < 0x10000 || code > 0x10ffff)) ||
            (code >= 0xd800 && code < 0xe000))
                return 0;
        return n;
}

/* Copies the ring into @line in order. Returns its size; what is left of a cut line is dropped if whole lines
 * follow it. */
static size_t unroll(const Tee *tee, char line[static TEE_TAIL_SIZE]) {
        size_t size = tee->n_total < TEE_TAIL_SIZE ? tee->n_total : TEE_TAIL_SIZE;
        size_t start = tee->n_total - size;

        for (size_t i = 0; i < size; i++)
                line[i] = tee->tail[(start + i) % TEE_TAIL_SIZE];
        while (size > 0 && (line[size - 1] == '\n' || line[size - 1] == ' ' || line[size - 1] == '\r'))
                size--;
        const char *newline = tee->n_total > TEE_TAIL_SIZE ? memchr(line, '\n', size) : NULL;
        if (newline) {
                size -= (size_t) (newline + 1 - line);
                memmove(line, newline + 1, size);
        }
        return size;
}

void tee_quote(const Tee *tee, char *text, size_t size) {
        char line[TEE_TAIL_SIZE];
        size_t n_line = unroll(tee, line), n = 0;

        for (size_t i = 0; i < n_line && n + 5 < size;) {
                size_t length = utf8_length((const unsigned char *) line + i, n_line - i);

                if (length > 1) {
                        memcpy(text + n, line + i, length);
                        n += length;
                } else if (line[i] == '\n') {
                        memcpy(text + n, "; ", 2);
                        n += 2;
                } else {
                        text[n++] = length == 0                                       ? '?'
                                    : (unsigned char) line[i] < ' ' || line[i] == 127 ? ' '
                                                                                      : line[i];
                }
                i += length > 0 ? length : 1;
        }
        text[n] = '\0';
}
