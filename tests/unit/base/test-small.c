/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The small helpers: signal names, processes, fds, packets, whole files. */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/process.h"
#include "base/signal-name.h"
#include "base/socket.h"

static const struct {
        const char *text;
        int number;
} signal_cases[] = {
        {"TERM",        SIGTERM},
        {"SIGTERM",     SIGTERM},
        {"sigkill",     SIGKILL},
        {"Hup",         SIGHUP },
        {"15",          15     },
        {"0",           0      },
        {"37",          37     },
        {"RTMIN+3",     37     },
        {"SIGRTMIN",    34     },
        {"SIGRTMAX-1",  63     },
        {"rtmax",       64     },
        {"CLD",         SIGCHLD},
        {"",            -EINVAL},
        {"SIG",         -EINVAL},
        {"-9",          -EINVAL},
        {"65",          -EINVAL},
        {"9x",          -EINVAL},
        {" 9",          -EINVAL},
        {"RTMIN-1",     -EINVAL},
        {"RTMIN+31",    -EINVAL},
        {"RTMAX+1",     -EINVAL},
        {"RTMIN+",      -EINVAL},
        {"99999999999", -EINVAL},
        {"NOPE",        -EINVAL},
};

static void test_signal_names(void) {
        char name[SIGNAL_NAME_SIZE];

        for (size_t i = 0; i < G_N_ELEMENTS(signal_cases); i++) {
                g_test_message("'%s'", signal_cases[i].text);
                g_assert_cmpint(signal_from_name(signal_cases[i].text), ==, signal_cases[i].number);
        }
        for (int number = 1; number <= SIGRTMAX; number++)
                if (number < 32 || number >= SIGRTMIN)
                        g_assert_cmpint(signal_from_name(signal_to_name(number, name)), ==, number);
}

static void test_process(void) {
        uint64_t ticks;
        pid_t child = fork();

        if (child == 0) {
                pause();
                _exit(0);
        }
        g_assert_cmpint(process_start_time(child, &ticks), ==, 0);
        autoclose int pidfd = process_open(child, ticks);
        g_assert_cmpint(pidfd, >=, 0);
        g_assert_cmpint(process_open(child, ticks + 1), ==, -ESRCH);
        g_assert_cmpint(process_wait_exit(pidfd, 0), ==, -ETIMEDOUT);
        g_assert_false(process_is_ending(child));
        g_assert_cmpint(process_signal(pidfd, SIGKILL), ==, 0);
        g_assert_true(process_is_ending(child) || process_wait_exit(pidfd, 0) == 0);
        g_assert_cmpint(process_wait_exit(pidfd, 10000), ==, 0);
        /* A zombie is still there for the kernel, not for us. */
        g_assert_cmpint(process_start_time(child, &ticks), ==, 0);
        g_assert_cmpint(process_open(child, ticks), ==, -ESRCH);
        waitpid(child, NULL, 0);
        g_assert_cmpint(process_open(child, 0), ==, -ESRCH);
        g_assert_cmpint(process_start_time(child, &ticks), ==, -ESRCH);
        g_assert_cmpint(process_open(0, 0), ==, -ESRCH);
}

static void *stay(void *unused) {
        pause();
        return unused;
}

/* It is a zombie for ps(1), and lives. */
static void test_process_without_its_first_thread(void) {
        g_autofree char *path = NULL, *text = NULL;
        pthread_t thread;
        pid_t child = fork();

        if (child == 0) {
                pthread_create(&thread, NULL, stay, NULL);
                pthread_exit(NULL);
        }
        path = g_strdup_printf("/proc/%d/stat", (int) child);
        do
                g_clear_pointer(&text, g_free);
        while (g_file_get_contents(path, &text, NULL, NULL) && !strstr(text, ") Z "));
        autoclose int pidfd = process_open(child, 0);
        g_assert_cmpint(pidfd, >=, 0);
        g_assert_false(process_is_ending(child));
        kill(child, SIGKILL);
        g_assert_cmpint(process_wait_exit(pidfd, 10000), ==, 0);
        g_assert_cmpint(process_open(child, 0), ==, -ESRCH);
        waitpid(child, NULL, 0);
}

static void test_fds(void) {
        autofree int *fds = NULL;
        size_t n;
        int fd = open("/dev/null", O_RDONLY), high = fcntl(fd, F_DUPFD, 100);

        g_assert_cmpint(fd_cloexec_from(high), ==, 0);
        g_assert_cmpint(fcntl(fd, F_GETFD), ==, 0);
        g_assert_cmpint(fcntl(high, F_GETFD), ==, FD_CLOEXEC);
        g_assert_cmpint(fd_list_open(fd, &fds, &n), ==, 0);
        g_assert_cmpint(fds[0], ==, fd);
        g_assert_cmpint(fds[n - 1], ==, high);
        close(fd);
        close(high);
        g_assert_cmpint(fd_set_cloexec(high, true), ==, -EBADF);
}

static void test_packets(void) {
        int pair[2], fds[2] = {0, 1}, taken[1];
        size_t n = 1;
        char data[8];

        g_assert_no_errno(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
        g_assert_cmpint(socket_send(pair[0], "hello", 5, fds, 2), ==, 0);
        g_assert_cmpint(socket_send(pair[0], "much too long", 13, NULL, 0), ==, 0);
        g_assert_cmpint(socket_receive(pair[1], data, sizeof(data), taken, &n), ==, 5);
        g_assert_cmpuint(n, ==, 1); /* the second fd had no room and is closed */
        g_assert_cmpint(fcntl(taken[0], F_GETFD), ==, FD_CLOEXEC);
        close(taken[0]);
        g_assert_cmpint(socket_receive(pair[1], data, sizeof(data), NULL, NULL), ==, -EMSGSIZE);
        close(pair[0]);
        g_assert_cmpint(socket_receive(pair[1], data, sizeof(data), NULL, NULL), ==, 0);
        close(pair[1]);
}

static void test_files(void) {
        g_autofree char *directory = g_dir_make_tmp("test-small-XXXXXX", NULL);
        autoclose int dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        autofree char *text = NULL, *victim = NULL;
        uid_t uid;
        size_t size;

        /* What stands where the new content is prepared is not written to, nor waited for. */
        g_assert_cmpint(file_replace(dir_fd, "victim", "kept", 4, 0600), ==, 0);
        g_assert_no_errno(linkat(dir_fd, "victim", dir_fd, ".file.new", 0));
        g_assert_cmpint(file_replace(dir_fd, "file", "one", 3, 0600), ==, 0);
        g_assert_cmpint(file_read(dir_fd, "victim", 100, &victim, NULL), ==, 0);
        g_assert_cmpstr(victim, ==, "kept");
        g_assert_no_errno(mkfifoat(dir_fd, ".file.new", 0600));
        g_assert_cmpint(file_replace(dir_fd, "file", "second", 6, 0600), ==, 0);
        g_assert_cmpint(file_read(dir_fd, "file", 100, &text, &size), ==, 0);
        g_assert_cmpstr(text, ==, "second");
        g_assert_cmpuint(size, ==, 6);
        g_assert_cmpint(file_read(dir_fd, "file", 5, &(char *){NULL}, NULL), ==, -EFBIG);
        g_assert_cmpint(file_write(dir_fd, "missing", "x"), ==, -ENOENT);

        autoclose int listener = socket_listen(dir_fd, "socket");
        autoclose int client = socket_connect(dir_fd, "socket");
        g_assert_cmpint(socket_peer_uid(client, &uid), ==, 0);
        g_assert_cmpuint(uid, ==, geteuid());
        close_clear(&listener);
        g_assert_cmpint(socket_connect(dir_fd, "socket"), ==, -ECONNREFUSED);
        unlinkat(dir_fd, "socket", 0);
        unlinkat(dir_fd, "file", 0);
        unlinkat(dir_fd, "victim", 0);
        g_assert_no_errno(rmdir(directory)); /* no temporary file is left */
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/base/signal-name", test_signal_names);
        g_test_add_func("/base/process", test_process);
        g_test_add_func("/base/process/without-its-first-thread", test_process_without_its_first_thread);
        g_test_add_func("/base/fd", test_fds);
        g_test_add_func("/base/socket", test_packets);
        g_test_add_func("/base/file", test_files);
        return g_test_run();
}
