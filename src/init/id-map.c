/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A user namespace needs a process to come into being, and none to stay as long as somebody has it open. */

#include "init/id-map.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "init/helper.h"
#include "init/mount-api.h"
#include "init/namespaces.h"

#define PROC_PATH_SIZE 64

static int write_map(pid_t pid, const char *file, const char *text) {
        char path[PROC_PATH_SIZE];

        snprintf(path, sizeof(path), "/proc/%d/%s", (int) pid, file);
        return file_write(AT_FDCWD, path, text);
}

static int make_namespace(const IdMapPlan *map, SetupFailure *reterr_failure) {
        char path[PROC_PATH_SIZE];
        const char *property = "uidMappings";
        pid_t pid = (pid_t) syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
        int fd = -EBADF, r;

        if (pid < 0) {
                setup_failed(reterr_failure, -errno, "make a user namespace for the mapping", NULL);
                return setup_failed_prefix(reterr_failure, map->name, NULL);
        }
        if (pid == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;)
                        pause();
        }
        r = write_map(pid, "uid_map", map->uid_map);
        if (r >= 0) {
                property = "gidMappings";
                r = write_map(pid, "gid_map", map->gid_map);
        }
        if (r >= 0) {
                snprintf(path, sizeof(path), "/proc/%d/ns/user", (int) pid);
                fd = open(path, O_RDONLY | O_CLOEXEC);
                r = fd < 0 ? -errno : 0;
        }
        kill(pid, SIGKILL);
        process_reap(pid);
        if (r < 0)
                return setup_failed_text(reterr_failure, r, FAILURE_GENERIC,
                                         "%s.%s: the kernel does not take the mapping: %s", map->name,
                                         property, error_text(r));
        return fd;
}

int id_maps_make(Init *init, SetupFailure *reterr_failure) {
        size_t n = init->plan->n_id_maps;

        if (n == 0)
                return 0;
        init->id_map_fds = calloc(n, sizeof(*init->id_map_fds));
        if (!init->id_map_fds)
                return setup_failed(reterr_failure, -ENOMEM, "prepare ID-mapped mounts", NULL);
        for (size_t i = 0; i < n; i++) {
                init->id_map_fds[i] = make_namespace(&init->plan->id_maps[i], reterr_failure);
                if (init->id_map_fds[i] < 0)
                        return init->id_map_fds[i];
        }
        return 0;
}

int id_map_set(const Init *init, const MountPlan *mount, int user_namespace_fd, int tree_fd) {
        return mount_set_id_map(tree_fd,
                                mount->id_map_kind == ID_MAP_OWN ? init->id_map_fds[mount->id_map]
                                                                 : user_namespace_fd,
                                mount->id_map_recursive);
}

int id_map_apply(const Init *init, size_t index, int tree_fd) {
        if (namespaces_have_user(init->plan))
                return helper_map_ids(init, index, tree_fd);
        return id_map_set(init, &init->plan->mounts[index], -EBADF, tree_fd);
}
