/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Until the commit the front end owns the container: if it dies, so do we, and systemd clears the unit's
 * control group. Its death and its success look the same on the socket, end of file; the facts in the state
 * directory tell them apart. */

#include "supervisor/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/process.h"
#include "protocol/message.h"
#include "protocol/state-dir.h"
#include "supervisor/signals.h"

int handover_hello(int handover_fd, const char *cgroup) {
        SetupFailure text = {0};

        if (strlen(cgroup) >= sizeof(text.text))
                return -ENAMETOOLONG;
        strcpy(text.text, cgroup);
        return message_send_failure(handover_fd, HANDOVER_HELLO, &text);
}

int handover_fail(int handover_fd, const SetupFailure *failure) {
        return message_send_failure(handover_fd, HANDOVER_FAILED, failure);
}

static int take_init(int handover_fd, InitProcess *init, Relay *relay) {
        int fds[4] = {-EBADF, -EBADF, -EBADF, -EBADF};
        size_t n_fds = ELEMENTSOF(fds);
        Message message;
        int r = message_receive(handover_fd, &message, fds, &n_fds);

        /* Closed with something unread in it: what the front end did not read does not matter. */
        if (r == 0 || r == -ECONNRESET)
                return 0;
        if (r > 0 && message.type == HANDOVER_OUTPUT && n_fds == ELEMENTSOF(fds)) {
                relay_take(relay, fds);
                return 1;
        }
        if (r > 0 && ((message.type != HANDOVER_INIT && message.type != HANDOVER_RESTORED) || fds[0] < 0 ||
                      init->pidfd >= 0))
                r = -EBADMSG;
        if (r > 0) {
                r = init_process_take(init, steal_fd(&fds[0]), steal_fd(&fds[1]));
                init->restored = message.type == HANDOVER_RESTORED;
                if (r >= 0)
                        return 1;
        }
        for (size_t i = 0; i < ELEMENTSOF(fds); i++)
                auto_close_fd(&fds[i]);
        return r;
}

static int wait_commit(int handover_fd, int dir_fd, int signal_fd, InitProcess *init, Relay *relay) {
        for (;;) {
                struct pollfd polled[] = {
                        {.fd = handover_fd, .events = POLLIN},
                        {.fd = signal_fd,   .events = POLLIN},
                };
                int signal_number, r;

                if (poll(polled, ELEMENTSOF(polled), -1) < 0 && errno != EINTR)
                        return -errno;
                if (polled[0].revents != 0) {
                        r = take_init(handover_fd, init, relay);
                        if (r < 0)
                                return r;
                        if (r == 0)
                                break;
                }
                signal_number = signals_take(signal_fd, NULL);
                if (signal_number > 0 && signals_terminates(signal_number))
                        return -EINTR;
        }
        if (faccessat(dir_fd, STATE_FACTS, F_OK, 0) < 0)
                return -ECANCELED;
        return init->pidfd >= 0 ? 0 : -EBADMSG;
}

int handover_wait(int handover_fd, int dir_fd, int signal_fd, InitProcess *ret_init, Relay *relay) {
        int r;

        *ret_init = (InitProcess){.pidfd = -EBADF, .reaper_fd = -EBADF};
        r = wait_commit(handover_fd, dir_fd, signal_fd, ret_init, relay);
        if (r < 0) {
                if (ret_init->pidfd >= 0)
                        process_signal(ret_init->pidfd, SIGKILL);
                init_process_clear(ret_init);
        }
        return r;
}
