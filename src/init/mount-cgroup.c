/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* cgroup2 in the container. A new mount of it shows the root of the mounter's cgroup namespace. Where the
 * kernel refuses one (a user namespace that does not own its cgroup namespace) the host's mount is bound: the
 * container's own group if it has a cgroup namespace, else all of it, so that /proc/self/cgroup and
 * /sys/fs/cgroup agree either way. */

#include "init/mount-cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/file.h"

/* The path of init's cgroup: the line "0::/path" of /proc/self/cgroup. */
static int read_own_path(int proc_fd, char ret_path[static PATH_MAX]) {
        autofree char *text = NULL;
        char *line;
        int r = file_read(proc_fd, "self/cgroup", 1 << 20, &text, NULL);

        if (r < 0)
                return r;
        line = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
        if (!line)
                return -ENODATA;
        line += *line == '\n' ? 4 : 3;
        line[strcspn(line, "\n")] = '\0';
        if (strlen(line) >= PATH_MAX)
                return -ENAMETOOLONG;
        memcpy(ret_path, line, strlen(line) + 1);
        return 0;
}

static int bind_from_host(const Init *init) {
        bool has_namespace = init->plan->new_namespaces & CLONE_NEWCGROUP;
        char path[2 * PATH_MAX];

        if (snprintf(path, sizeof(path), "%s%s", init->plan->cgroup_root,
                     has_namespace ? init->cgroup_path : "") >= (int) sizeof(path))
                return -ENAMETOOLONG;
        return mount_tree_open(AT_FDCWD, path, /* recursive= */ true);
}

int mount_cgroup_open(Init *init, const MountPlan *plan, uint64_t attributes,
                      char reterr_log[MOUNT_LOG_SIZE]) {
        int fd = mount_create("cgroup2", plan->source, plan->parameters, attributes, reterr_log);

        if (fd != -EPERM && fd != -EBUSY)
                return fd;
        reterr_log[0] = '\0';
        return bind_from_host(init);
}

int mount_cgroup_note_path(Init *init, SetupFailure *reterr_failure) {
        int r = read_own_path(init->proc_fd, init->cgroup_path);

        return r < 0 ? setup_failed(reterr_failure, r, "read", "/proc/self/cgroup") : 0;
}
