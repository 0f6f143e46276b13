/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requests of init to the stage and the stage's answers: an error or 0 and, with open requests, an fd. */

#include "init/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "base/auto.h"
#include "base/socket.h"
#include "init/mount-api.h"

typedef struct HelperRequest {
        uint32_t kind;
        uint32_t index;
} HelperRequest;

typedef struct HelperAnswer {
        int32_t error;
} HelperAnswer;

static int ask(const Init *init, HelperRequestKind kind, size_t index, int *ret_fd) {
        HelperRequest request = {.kind = kind, .index = (uint32_t) index};
        HelperAnswer answer;
        int fds[1];
        size_t n_fds = 1;
        int r;

        if (init->helper_fd < 0)
                return -EBADF;
        r = socket_send(init->helper_fd, &request, sizeof(request), NULL, 0);
        if (r < 0)
                return r;
        r = (int) socket_receive(init->helper_fd, &answer, sizeof(answer), fds, &n_fds);
        if (r != sizeof(answer))
                return r < 0 ? r : -EPIPE;
        *ret_fd = n_fds == 1 ? fds[0] : -EBADF;
        return answer.error;
}

int helper_open(const Init *init, HelperRequestKind kind, size_t index) {
        int fd = -EBADF, r = ask(init, kind, index, &fd);

        return r < 0 ? r : fd;
}

int helper_tell_moved(const Init *init) {
        int fd = -EBADF;

        return init->helper_fd >= 0 ? ask(init, HELPER_MOVED, 0, &fd) : 0;
}

static int serve_open(const InitPlan *plan, const HelperRequest *request) {
        switch (request->kind) {
        case HELPER_BIND_SOURCE:
                if (request->index >= plan->n_mounts || plan->mounts[request->index].kind != MOUNT_BIND)
                        return -EBADMSG;
                return mount_tree_open(AT_FDCWD, plan->mounts[request->index].source,
                                       plan->mounts[request->index].recursive);
        case HELPER_DEVICE:
                if (request->index >= plan->n_devices)
                        return -EBADMSG;
                return mount_tree_open(AT_FDCWD, plan->devices[request->index].path, /* recursive= */ false);
        case HELPER_ROOTFS:
                return mount_tree_open(AT_FDCWD, plan->rootfs, /* recursive= */ true);
        default:
                return -EBADMSG;
        }
}

void helper_serve(const InitPlan *plan, int fd) {
        HelperRequest request;

        while (socket_receive(fd, &request, sizeof(request), NULL, NULL) == sizeof(request)) {
                autoclose int opened = -EBADF;
                HelperAnswer answer = {0};

                if (request.kind == HELPER_MOVED)
                        answer.error = prctl(PR_SET_PDEATHSIG, 0) < 0 ? -errno : 0;
                else {
                        opened = serve_open(plan, &request);
                        answer.error = opened < 0 ? opened : 0;
                }
                if (socket_send(fd, &answer, sizeof(answer), &opened, opened >= 0 ? 1 : 0) < 0)
                        return;
        }
}
