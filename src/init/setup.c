/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Init's side of the setup socket, see protocol/message.h. */

#include "init/setup.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "init/helper.h"

static int note_moved(Init *init, SetupFailure *reterr_failure) {
        int r;

        init->moved = true;
        if (prctl(PR_SET_PDEATHSIG, 0) < 0)
                return setup_failed(reterr_failure, -errno, "reset the parent-death signal", NULL);
        r = helper_tell_moved(init);
        return r < 0 ? setup_failed(reterr_failure, r, "talk to the reaper", NULL) : 0;
}

int setup_wait(Init *init, MessageType type, SetupFailure *reterr_failure) {
        Message message;
        int r;

        while (!(type == SETUP_MOVED && init->moved)) {
                r = message_receive(init->plan->setup_fd, &message, NULL, NULL);
                if (r == 0)
                        _exit(1);
                if (r < 0)
                        return setup_failed(reterr_failure, r, "wait for the front end", NULL);
                if (message.type == SETUP_MOVED) {
                        r = note_moved(init, reterr_failure);
                        if (r < 0)
                                return r;
                } else if (message.type == (uint32_t) type)
                        return 0;
                else
                        return setup_failed_text(reterr_failure, -EPROTO, FAILURE_GENERIC,
                                                 "the front end said %u where %u was expected", message.type,
                                                 (unsigned) type);
        }
        return 0;
}

int setup_report(const Init *init, MessageType type, SetupFailure *reterr_failure) {
        int r = message_send(init->plan->setup_fd, type, 0);

        return r < 0 ? setup_failed(reterr_failure, r, "report to the front end", NULL) : 0;
}
