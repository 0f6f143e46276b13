/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requests of init to the stage and the stage's answers: an error or 0 and, with open requests, an fd. */

#include "init/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "base/auto.h"
#include "base/socket.h"
#include "init/id-map.h"
#include "init/mount-api.h"

typedef struct HelperRequest {
        uint32_t kind;
        uint32_t index;
} HelperRequest;

typedef struct HelperAnswer {
        int32_t error;
} HelperAnswer;

static int ask(int helper_fd, HelperRequestKind kind, size_t index, int sent_fd, int *ret_fd) {
        HelperRequest request = {.kind = kind, .index = (uint32_t) index};
        HelperAnswer answer;
        int fds[1];
        size_t n_fds = 1;
        int r;

        if (helper_fd < 0)
                return -EBADF;
        r = socket_send(helper_fd, &request, sizeof(request), &sent_fd, sent_fd >= 0 ? 1 : 0);
        if (r < 0)
                return r;
        r = (int) socket_receive(helper_fd, &answer, sizeof(answer), fds, &n_fds);
        if (r != sizeof(answer))
                return r < 0 ? r : -EPIPE;
        *ret_fd = n_fds == 1 ? fds[0] : -EBADF;
        return answer.error;
}

int helper_open(const Init *init, HelperRequestKind kind, size_t index) {
        int fd = -EBADF, r = ask(init->helper_fd, kind, index, -EBADF, &fd);

        return r < 0 ? r : fd;
}

int helper_map_ids(const Init *init, size_t index, int tree_fd) {
        int fd = -EBADF;

        return ask(init->helper_fd, HELPER_ID_MAP, index, tree_fd, &fd);
}

int helper_tell_moved(const Init *init) {
        int stage_fd = init->stage_fd >= 0 ? init->stage_fd : init->helper_fd, fd = -EBADF;

        return stage_fd >= 0 ? ask(stage_fd, HELPER_MOVED, 0, -EBADF, &fd) : 0;
}

static int open_source(const InitPlan *plan, uint32_t index) {
        const MountPlan *mount = index < plan->n_mounts ? &plan->mounts[index] : NULL;

        if (!mount || mount->kind != MOUNT_BIND)
                return -EBADMSG;
        return mount->links & (LINK_COPY | LINK_SOURCE_NOFOLLOW)
                       ? mount_link_open(AT_FDCWD, mount->source, mount->recursive)
                       : mount_tree_open(AT_FDCWD, mount->source, mount->recursive);
}

static int serve_open(const InitPlan *plan, const HelperRequest *request) {
        switch (request->kind) {
        case HELPER_BIND_SOURCE:
                return open_source(plan, request->index);
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

static int serve_id_map(const Init *init, const HelperRequest *request, int user_namespace_fd, int tree_fd) {
        if (request->index >= init->plan->n_mounts ||
            init->plan->mounts[request->index].id_map_kind == ID_MAP_NONE || tree_fd < 0)
                return -EBADMSG;
        return id_map_set(init, &init->plan->mounts[request->index], user_namespace_fd, tree_fd);
}

/* Returns whether there was a request. */
static bool serve_one(const Init *init, int fd, int user_namespace_fd) {
        autoclose int received = -EBADF, opened = -EBADF;
        HelperAnswer answer = {0};
        HelperRequest request;
        int fds[1];
        size_t n_fds = 1;

        if (socket_receive(fd, &request, sizeof(request), fds, &n_fds) != sizeof(request))
                return false;
        if (n_fds == 1)
                received = fds[0];
        if (request.kind == HELPER_MOVED)
                answer.error = prctl(PR_SET_PDEATHSIG, 0) < 0 ? -errno : 0;
        else if (request.kind == HELPER_ID_MAP)
                answer.error = serve_id_map(init, &request, user_namespace_fd, received);
        else {
                opened = serve_open(init->plan, &request);
                answer.error = opened < 0 ? opened : 0;
        }
        return socket_send(fd, &answer, sizeof(answer), &opened, opened >= 0 ? 1 : 0) >= 0;
}

void helper_serve(const Init *init, int fd, int user_namespace_fd) {
        while (serve_one(init, fd, user_namespace_fd))
                ;
}
