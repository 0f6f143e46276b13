/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* pty COMMAND…: somebody at a terminal of 24 rows and 80 columns, who runs COMMAND. What is typed comes from
 * stdin, the whole screen goes to stdout. SIGUSR1 makes the window 30x90. Ends as COMMAND ends, but with 99
 * and a message if the terminal is not then as COMMAND has found it. */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int master_fd;

static void grow(int signal) {
        const struct winsize size = {.ws_row = 30, .ws_col = 90};

        (void) signal;
        ioctl(master_fd, TIOCSWINSZ, &size);
}

static pid_t run(char **command, int terminal_fd) {
        pid_t pid = fork();

        if (pid < 0)
                err(EXIT_FAILURE, "fork");
        if (pid > 0)
                return pid;
        setsid();
        if (ioctl(terminal_fd, TIOCSCTTY, 0) < 0)
                err(127, "cannot take the terminal");
        for (int fd = 0; fd <= 2; fd++)
                dup2(terminal_fd, fd);
        execvp(command[0], command);
        err(127, "%s", command[0]);
}

/* pass: returns 0 once @from has no more to give */
static int pass(int from, int to) {
        char buffer[4096];
        ssize_t n = read(from, buffer, sizeof buffer);

        if (n < 0 && (errno == EINTR || errno == EAGAIN))
                return errno == EINTR;
        if (n <= 0)
                return 0;
        for (ssize_t done = 0; done < n;) {
                ssize_t w = write(to, buffer + done, n - done);

                if (w < 0 && errno != EINTR)
                        err(EXIT_FAILURE, "write");
                done += w < 0 ? 0 : w;
        }
        return 1;
}

/* Until @pid has ended; its status. */
static int attend(pid_t pid) {
        struct pollfd fds[] = {
                {master_fd,    POLLIN, 0},
                {STDIN_FILENO, POLLIN, 0}
        };
        int status;

        while (waitpid(pid, &status, WNOHANG) == 0) {
                if (poll(fds, 2, 100) <= 0)
                        continue;
                if (fds[0].revents != 0)
                        pass(master_fd, STDOUT_FILENO);
                if (fds[1].revents != 0 && !pass(STDIN_FILENO, master_fd))
                        fds[1].fd = -1;
        }
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
        const struct winsize size = {.ws_row = 24, .ws_col = 80};
        struct termios before, after;
        int terminal_fd, status;

        if (argc < 2)
                errx(2, "usage: pty COMMAND…");
        master_fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (master_fd < 0 || unlockpt(master_fd) < 0 || ioctl(master_fd, TIOCSWINSZ, &size) < 0)
                err(EXIT_FAILURE, "posix_openpt");
        terminal_fd = ioctl(master_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (terminal_fd < 0 || tcgetattr(terminal_fd, &before) < 0)
                err(EXIT_FAILURE, "the terminal");
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = grow}, NULL);
        status = attend(run(argv + 1, terminal_fd));
        fcntl(master_fd, F_SETFL, O_RDWR | O_NONBLOCK);
        while (pass(master_fd, STDOUT_FILENO))
                ;
        if (tcgetattr(terminal_fd, &after) < 0 || memcmp(&before, &after, sizeof before) != 0)
                errx(99, "the terminal has been left in another mode");
        return status;
}
