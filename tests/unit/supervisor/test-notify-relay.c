/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What gets through the relay, to whom, and what does not. */

#include "supervisor/notify-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "protocol/state-dir.h"

typedef struct Fixture {
        char *path;
        int dir_fd, caller, unit, program;
        NotifyRelay relay;
} Fixture;

static int datagram_socket(const char *path, bool listen) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        g_assert_cmpint(g_snprintf(address.sun_path, sizeof(address.sun_path), "%s", path), <,
                        (int) sizeof(address.sun_path));
        g_assert_no_errno(listen ? bind(fd, (const struct sockaddr *) &address, sizeof(address))
                                 : connect(fd, (const struct sockaddr *) &address, sizeof(address)));
        return fd;
}

/* @pid: as in STATE_NOTIFY_TO */
static void set_up(Fixture *fixture, const char *pid) {
        g_autofree char *caller = NULL, *unit = NULL, *to = NULL, *program = NULL;

        fixture->path = g_dir_make_tmp("notify-XXXXXX", NULL);
        fixture->dir_fd = open(fixture->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        caller = g_build_filename(fixture->path, "caller", NULL);
        unit = g_build_filename(fixture->path, "unit", NULL);
        program = g_build_filename(fixture->path, STATE_NOTIFY_DIRECTORY, NOTIFY_SOCKET_NAME, NULL);
        fixture->caller = datagram_socket(caller, true);
        fixture->unit = datagram_socket(unit, true);
        g_setenv("NOTIFY_SOCKET", unit, TRUE);
        to = g_strdup_printf("%s\n%s\n", caller, pid);
        g_assert_cmpint(file_replace(fixture->dir_fd, STATE_NOTIFY_TO, to, strlen(to), 0600), ==, 0);
        g_assert_no_errno(mkdirat(fixture->dir_fd, STATE_NOTIFY_DIRECTORY, 0700));
        g_assert_cmpint(notify_relay_open(&fixture->relay, fixture->dir_fd), ==, 0);
        g_assert_cmpint(fixture->relay.fd, >=, 0);
        fixture->program = datagram_socket(program, false);
}

static void tear_down(Fixture *fixture) {
        g_autofree char *command = g_strdup_printf("rm -rf '%s'", fixture->path);

        notify_relay_clear(&fixture->relay);
        close(fixture->caller);
        close(fixture->unit);
        close(fixture->program);
        close(fixture->dir_fd);
        g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
        g_free(fixture->path);
        g_unsetenv("NOTIFY_SOCKET");
}

/* What has come there: "" for nothing. */
static char *come(int fd) {
        char text[8192];
        ssize_t n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);

        text[MAX(n, 0)] = '\0';
        return g_strdup(text);
}

static void test_assignments(void) {
        static const struct {
                const char *sent, *caller, *unit;
        } rows[] = {
                {"READY=1",                                 "READY=1\nMAINPID=77\n",                     ""                          },
                {"READY=1\nREADY=1\nSTATUS=up",             "READY=1\nREADY=1\nSTATUS=up\nMAINPID=77\n", "STATUS=up\n"               },
                {"MAINPID=2\nREADY=1\nMAINPID=1",           "READY=1\nMAINPID=77\n",                     ""                          },
                {"MAINPID=2",                               "",                                          ""                          },
                {"STATUS=50 %s\nWATCHDOG=1\n",              "STATUS=50 %s\nWATCHDOG=1\n",                "STATUS=50 %s\nWATCHDOG=1\n"},
                {"STOPPING=1",                              "STOPPING=1\n",                              ""                          },
                {"RELOADING=1\nMONOTONIC_USEC=5",           "RELOADING=1\nMONOTONIC_USEC=5\n",           ""                          },
                {"EXTEND_TIMEOUT_USEC=9",                   "EXTEND_TIMEOUT_USEC=9\n",                   "EXTEND_TIMEOUT_USEC=9\n"   },
                {"ERRNO=2\nBUSERROR=a.b",                   "ERRNO=2\nBUSERROR=a.b\n",                   ""                          },
                {"FDSTORE=1\nFDNAME=x\nBARRIER=1",          "",                                          ""                          },
                {"NOTIFYACCESS=all\nUNIT=x\n\n=\nREADYX=1", "",                                          ""                          },
                {"",                                        "",                                          ""                          },
        };
        Fixture fixture;

        set_up(&fixture, "0");
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *caller = NULL, *unit = NULL;

                g_assert_cmpint(send(fixture.program, rows[i].sent, strlen(rows[i].sent), 0), ==,
                                (int) strlen(rows[i].sent));
                g_assert_cmpint(notify_relay_pass_on(&fixture.relay, 77), ==, 0);
                caller = come(fixture.caller);
                unit = come(fixture.unit);
                g_assert_cmpstr(caller, ==, rows[i].caller);
                g_assert_cmpstr(unit, ==, rows[i].unit);
        }
        tear_down(&fixture);
}

static void test_several_at_once_and_long_ones(void) {
        g_autofree char *many = NULL, *longest = g_strnfill(4095, 'x'), *too_long = g_strnfill(5000, 'x');
        g_autoptr(GString) ready = g_string_new(NULL);
        Fixture fixture;

        for (int i = 0; i < 500; i++)
                g_string_append(ready, "READY=1\n");
        memcpy(longest, "STATUS=", 7);
        set_up(&fixture, "0");
        g_assert_cmpint(send(fixture.program, ready->str, ready->len, 0), >, 0);
        g_assert_cmpint(send(fixture.program, longest, strlen(longest), 0), >, 0);
        g_assert_cmpint(send(fixture.program, "STATUS=a\0b", 10, 0), ==, 10);
        g_assert_cmpint(notify_relay_pass_on(&fixture.relay, 2147483647), ==, 0);
        many = come(fixture.caller);
        g_assert_true(g_str_has_suffix(many, "READY=1\nMAINPID=2147483647\n"));
        g_free(many);
        many = come(fixture.caller);
        g_assert_cmpuint(strlen(many), ==, 4096);
        g_free(many);
        many = come(fixture.caller);
        g_assert_cmpstr(many, ==, "");
        g_assert_cmpint(send(fixture.program, too_long, strlen(too_long), 0), >, 0);
        g_assert_cmpint(send(fixture.program, "STATUS=next", 11, 0), ==, 11);
        g_assert_cmpint(notify_relay_pass_on(&fixture.relay, 7), ==, -EMSGSIZE);
        g_free(many);
        many = come(fixture.caller);
        g_assert_cmpstr(many, ==, "STATUS=next\n");
        tear_down(&fixture);
}

/* Who sends them has them closed, or would wait for ever (sd_notify_barrier(3)). */
static void test_descriptors_are_closed(void) {
        union {
                struct cmsghdr header;
                char bytes[CMSG_SPACE(20 * sizeof(int))];
        } control = {0};
        struct iovec part = {.iov_base = (void *) "BARRIER=1", .iov_len = 9};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes};
        Fixture fixture;
        int ends[2];
        char byte;

        set_up(&fixture, "0");
        for (int n = 1; n <= 20; n += 19) {
                g_assert_no_errno(pipe(ends));
                message.msg_controllen = CMSG_SPACE((size_t) n * sizeof(int));
                control.header.cmsg_level = SOL_SOCKET;
                control.header.cmsg_type = SCM_RIGHTS;
                control.header.cmsg_len = CMSG_LEN((size_t) n * sizeof(int));
                for (int i = 0; i < n; i++)
                        memcpy(CMSG_DATA(&control.header) + (size_t) i * sizeof(int), &ends[1], sizeof(int));
                g_assert_cmpint(sendmsg(fixture.program, &message, 0), ==, 9);
                close(ends[1]);
                g_assert_cmpint(notify_relay_pass_on(&fixture.relay, 7), ==, 0);
                g_assert_cmpint(read(ends[0], &byte, 1), ==, 0);
                close(ends[0]);
        }
        tear_down(&fixture);
}

static void test_a_waiting_caller_keeps_its_main_process(void) {
        g_autofree char *pid = g_strdup_printf("%d", getpid());
        g_autofree char *text = NULL;
        Fixture fixture;

        set_up(&fixture, pid);
        g_assert_cmpint(send(fixture.program, "READY=1", 7, 0), ==, 7);
        g_assert_cmpint(notify_relay_pass_on(&fixture.relay, 77), ==, 0);
        text = come(fixture.caller);
        g_assert_cmpstr(text, ==, "READY=1\n");
        tear_down(&fixture);
}

/* The caller does not read: the supervisor has other things to do. */
static void test_a_full_queue_is_no_reason_to_wait(void) {
        Fixture fixture;
        int r = 0;

        set_up(&fixture, "0");
        for (int i = 0; i < 10000 && r == 0; i++) {
                g_assert_cmpint(send(fixture.program, "STOPPING=1", 10, 0), ==, 10);
                r = notify_relay_pass_on(&fixture.relay, 77);
        }
        g_assert_cmpint(r, ==, -EAGAIN);
        tear_down(&fixture);
}

static void test_nothing_is_made_unasked_or_for_nonsense(void) {
        static const char *const wrong[] = {
                "", "/run/x", "/run/x\n", "\n0\n", "relative\n0\n", "vsock:2:1\n0\n", "/run/x\nz\n"};
        g_autofree char *path = g_dir_make_tmp("notify-XXXXXX", NULL);
        int dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        NotifyRelay relay;

        g_assert_cmpint(notify_relay_open(&relay, dir_fd), ==, 0);
        g_assert_cmpint(relay.fd, <, 0);
        g_assert_cmpint(notify_relay_pass_on(&relay, 7), ==, 0);
        for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
                file_replace(dir_fd, STATE_NOTIFY_TO, wrong[i], strlen(wrong[i]), 0600);
                g_assert_cmpint(notify_relay_open(&relay, dir_fd), ==, -EBADMSG);
                g_assert_cmpint(relay.fd, <, 0);
        }
        unlinkat(dir_fd, STATE_NOTIFY_TO, 0);
        close(dir_fd);
        g_rmdir(path);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/supervisor/notify-relay/assignments", test_assignments);
        g_test_add_func("/supervisor/notify-relay/several", test_several_at_once_and_long_ones);
        g_test_add_func("/supervisor/notify-relay/descriptors", test_descriptors_are_closed);
        g_test_add_func("/supervisor/notify-relay/waiting-caller",
                        test_a_waiting_caller_keeps_its_main_process);
        g_test_add_func("/supervisor/notify-relay/full", test_a_full_queue_is_no_reason_to_wait);
        g_test_add_func("/supervisor/notify-relay/unasked", test_nothing_is_made_unasked_or_for_nonsense);
        return g_test_run();
}
