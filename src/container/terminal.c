/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Between two terminals: ours, in raw mode, and the program's, of which we have the master. Two streams with
 * a buffer each; a stream waits for input while its buffer is empty and for room while it is not, so a reader
 * that stops reading stops the program and nothing else.
 *
 * We hold the program's side open as well. Otherwise reading the master would fail whenever nobody else has
 * it open, and a program such as systemd closes /dev/console and opens it again as it goes. Its end is seen
 * by the end of the process instead; what it has written until then can be read without waiting. */

#include "container/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/socket.h"

/* More than the kernel keeps of a terminal's output: a process that outlives the program may write on. */
#define LAST_OUTPUT ((size_t) 1 << 20)

typedef struct Stream {
        int from;
        int to;
        size_t begin; /* of what is still to be written */
        size_t end;
        bool ended;    /* nothing more to read */
        bool mid_line; /* what was read last was not a whole line */
        char buffer[16384];
} Stream;

struct Terminal {
        int socket; /* until the master has come */
        int master;
        int program; /* the program's side */
        int output;  /* our stdout once more, non-blocking, or -EBADF */
        bool own;    /* stdin is a terminal … */
        bool raw;    /* … in raw mode */
        struct termios saved;
        Stream in;
        Stream out;
};

Terminal *terminal_new(int *ret_socket, GError **error) {
        Terminal *terminal;
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
                fail_errno(error, errno, "cannot make a socket pair");
                return NULL;
        }
        terminal = g_new0(Terminal, 1);
        terminal->socket = pair[0];
        terminal->master = terminal->program = terminal->output = -EBADF;
        *ret_socket = pair[1];
        return terminal;
}

/* The shell may have made us a background job meanwhile; it is to have its terminal back all the same. */
static void restore(Terminal *terminal) {
        sigset_t background, before;

        if (!terminal->raw)
                return;
        terminal->raw = false;
        sigemptyset(&background);
        sigaddset(&background, SIGTTOU);
        sigprocmask(SIG_BLOCK, &background, &before);
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->saved);
        sigprocmask(SIG_SETMASK, &before, NULL);
}

void terminal_free(Terminal *terminal) {
        if (!terminal)
                return;
        restore(terminal);
        close_clear(&terminal->socket);
        close_clear(&terminal->program);
        close_clear(&terminal->master);
        close_clear(&terminal->output);
        g_free(terminal);
}

static void find_size(uint16_t *rows, uint16_t *columns) {
        for (int fd = 0; fd <= 2; fd++) {
                struct winsize size;

                /* A terminal that was never told its size has none to pass on. */
                if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0)
                        continue;
                *rows = size.ws_row;
                *columns = size.ws_col;
                return;
        }
}

void terminal_plan(InitPlan *init) {
        find_size(&init->console_rows, &init->console_columns);
        /* A program that moves the cursor asks its terminal whether that adds carriage returns: what shows it
         * must not do so in its place. A pipe or a file shows nothing. */
        init->console_plain_lines = !isatty(STDOUT_FILENO);
}

static void resize(const Terminal *terminal) {
        struct winsize size = {0};

        if (terminal->master < 0 || ioctl(terminal->master, TIOCGWINSZ, &size) < 0)
                return;
        find_size(&size.ws_row, &size.ws_col);
        /* The kernel tells the program, if the size is another one. */
        ioctl(terminal->master, TIOCSWINSZ, &size);
}

/* Our stdout is also somebody else's, who may not expect it to be non-blocking: we open it for ourselves.
 * Where that can't be done it is no pipe and no terminal, and hardly ever blocks. */
static int open_output(void) {
        struct stat status;
        char path[32];
        int fd;

        if (fstat(STDOUT_FILENO, &status) < 0 || (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)))
                return -EBADF;
        g_snprintf(path, sizeof(path), "/proc/self/fd/%d", STDOUT_FILENO);
        fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        return fd < 0 ? -EBADF : fd;
}

static int open_program(int master) {
        return ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

bool terminal_take(Terminal *terminal, GError **error) {
        char name[64];
        size_t n_fds = 1;
        ssize_t n = socket_receive(terminal->socket, name, sizeof(name), &terminal->master, &n_fds);

        if (n <= 0 || n_fds != 1)
                return fail_errno(error, n < 0 ? (int) n : -EPROTO, "cannot receive the terminal");
        close_clear(&terminal->socket);
        terminal->program = open_program(terminal->master);
        if (terminal->program < 0 || fcntl(terminal->master, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
                return fail_errno(error, errno, "cannot use the terminal");
        terminal->own = isatty(STDIN_FILENO);
        terminal->output = open_output();
        terminal->in.from = STDIN_FILENO;
        terminal->in.to = terminal->out.from = terminal->master;
        terminal->out.to = terminal->output >= 0 ? terminal->output : STDOUT_FILENO;
        return true;
}

static void make_raw(Terminal *terminal) {
        struct termios raw = terminal->saved;

        cfmakeraw(&raw);
        /* What shows there then comes from others, as from tee(1) behind us. */
        if (!isatty(STDOUT_FILENO))
                raw.c_oflag = terminal->saved.c_oflag;
        if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) < 0)
                warn("cannot set the terminal to raw mode: %s, ignoring", g_strerror(errno));
}

void terminal_begin(Terminal *terminal) {
        if (!terminal->own || terminal->raw || tcgetattr(STDIN_FILENO, &terminal->saved) < 0)
                return;
        terminal->raw = true;
        make_raw(terminal);
}

static void hang_up(Terminal *terminal) {
        Stream *const streams[] = {&terminal->in, &terminal->out};

        for (size_t i = 0; i < G_N_ELEMENTS(streams); i++) {
                streams[i]->ended = true;
                streams[i]->begin = streams[i]->end = 0;
        }
        close_clear(&terminal->program);
        close_clear(&terminal->master);
}

static bool is_empty(const Stream *stream) {
        return stream->begin == stream->end;
}

static void poll_stream(const Stream *stream, struct pollfd polled[2]) {
        bool reads = is_empty(stream) && !stream->ended;

        /* An fd that is not waited for must not be there: its hang-up would end every poll(2) at once. */
        polled[0] = (struct pollfd){.fd = reads ? stream->from : -1, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = is_empty(stream) ? -1 : stream->to, .events = POLLOUT};
}

void terminal_poll(const Terminal *terminal, struct pollfd polled[TERMINAL_POLLED]) {
        poll_stream(&terminal->in, polled);
        poll_stream(&terminal->out, polled + 2);
}

static bool is_transient(int error_number) {
        return error_number == EAGAIN || error_number == EINTR;
}

/* Returns what read(2) does; the bytes are in the buffer, which was empty. */
static ssize_t fill(Stream *stream) {
        ssize_t n = read(stream->from, stream->buffer, sizeof(stream->buffer));

        stream->begin = 0;
        stream->end = n > 0 ? (size_t) n : 0;
        return n;
}

/* Returns false when @stream has nobody at its other end. */
static bool drain(Stream *stream) {
        size_t left = stream->end - stream->begin;
        /* A pipe that has room at all takes that much. */
        ssize_t n = write(stream->to, stream->buffer + stream->begin, MIN(left, PIPE_BUF));

        if (n < 0)
                return is_transient(errno);
        stream->begin += (size_t) n;
        return true;
}

/* One end-of-file key ends the line that was begun, if one was, the next says that there is none. */
static void send_end_of_file(Terminal *terminal) {
        struct termios modes;

        terminal->in.ended = true;
        if (tcgetattr(terminal->master, &modes) < 0)
                return;
        memset(terminal->in.buffer, modes.c_cc[VEOF], 2);
        terminal->in.begin = terminal->in.mid_line ? 0 : 1;
        terminal->in.end = 2;
}

static void read_input(Terminal *terminal) {
        Stream *in = &terminal->in;
        ssize_t n = fill(in);

        if (n > 0)
                in->mid_line = in->buffer[n - 1] != '\n';
        else if (n < 0 && is_transient(errno))
                return;
        else if (terminal->own)
                hang_up(terminal);
        else
                send_end_of_file(terminal);
}

/* Somebody in the container has called vhangup(2), as getty does before it opens the terminal anew. */
static void open_again(Terminal *terminal) {
        close_clear(&terminal->program);
        terminal->program = open_program(terminal->master);
        terminal->out.ended = terminal->program < 0;
}

void terminal_pass(Terminal *terminal, const struct pollfd polled[TERMINAL_POLLED]) {
        Stream *in = &terminal->in, *out = &terminal->out;

        if (polled[2].revents != 0 && fill(out) < 0 && !is_transient(errno))
                open_again(terminal);
        if (polled[3].revents != 0 && !drain(out)) {
                hang_up(terminal);
                return;
        }
        if (polled[1].revents != 0 && !drain(in))
                in->begin = in->end = 0;
        if (polled[0].revents != 0)
                read_input(terminal);
}

bool terminal_signal(Terminal *terminal, int signal) {
        if (signal == SIGCONT && terminal->raw)
                make_raw(terminal);
        if (signal == SIGWINCH || signal == SIGCONT)
                resize(terminal);
        return signal == SIGWINCH;
}

static bool wants_end(int signals_fd) {
        struct signalfd_siginfo info;

        return read(signals_fd, &info, sizeof(info)) == sizeof(info) &&
               (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP ||
                info.ssi_signo == SIGQUIT);
}

/* Returns false when it is no use to go on. */
static bool wait_for_room(const Stream *out, int signals_fd) {
        struct pollfd polled[] = {
                {.fd = out->to,    .events = POLLOUT},
                {.fd = signals_fd, .events = POLLIN }
        };

        if (poll(polled, G_N_ELEMENTS(polled), -1) < 0)
                return errno == EINTR;
        return polled[1].revents == 0 || !wants_end(signals_fd);
}

void terminal_end(Terminal *terminal, int signals_fd) {
        Stream *out = &terminal->out;
        size_t shown = 0;

        while (terminal->master >= 0 && shown < LAST_OUTPUT) {
                if (is_empty(out) && fill(out) <= 0)
                        break;
                shown += out->end - out->begin;
                while (!is_empty(out))
                        if (!wait_for_room(out, signals_fd) || !drain(out))
                                hang_up(terminal);
        }
        restore(terminal);
}
