/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the supervisor does in the unit's control group; limits and the payload itself are the front end's. */

#include "supervisor/unit-group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"

#define CGROUP_ROOT "/sys/fs/cgroup"

/* The "0::" line of /proc/self/cgroup. */
static int read_own_path(char ret_path[static UNIT_GROUP_PATH_SIZE]) {
        autofree char *text = NULL;
        int r = file_read(AT_FDCWD, "/proc/self/cgroup", 65536, &text, NULL);

        if (r < 0)
                return r;
        for (char *line = text; *line;) {
                size_t size = strcspn(line, "\n");

                if (strncmp(line, "0::/", 4) == 0) {
                        if (size - 3 >= UNIT_GROUP_PATH_SIZE)
                                return -ENAMETOOLONG;
                        memcpy(ret_path, line + 3, size - 3);
                        ret_path[size - 3] = '\0';
                        return 0;
                }
                line += size + (line[size] == '\n');
        }
        return -ENODATA;
}

/* Cuts "/supervisor" off the end of @path. Returns whether it was there. */
static bool cut_sub_group(char *path) {
        char *slash = strrchr(path, '/');

        if (!slash || strcmp(slash + 1, GROUP_SUPERVISOR) != 0)
                return false;
        /* "/supervisor" alone: in a control group namespace whose root is the unit. */
        slash[slash == path ? 1 : 0] = '\0';
        return true;
}

static int open_group(const char *path) {
        char full[sizeof(CGROUP_ROOT) + UNIT_GROUP_PATH_SIZE];
        struct statfs status;

        snprintf(full, sizeof(full), "%s%s", CGROUP_ROOT, path);
        autoclose int fd = open(full, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || fstatfs(fd, &status) < 0)
                return -errno;
        return status.f_type == CGROUP2_SUPER_MAGIC ? steal_fd(&fd) : -EMEDIUMTYPE;
}

int unit_group_enter(char ret_path[static UNIT_GROUP_PATH_SIZE], SetupFailure *reterr_failure) {
        int r = read_own_path(ret_path);

        if (r < 0)
                return setup_failed(reterr_failure, r, "find the own control group", NULL);
        bool inside = cut_sub_group(ret_path);
        autoclose int group_fd = open_group(ret_path);
        if (group_fd == -EMEDIUMTYPE)
                return setup_failed_text(reterr_failure, group_fd, FAILURE_GENERIC,
                                         "cgroup v2 is required: " CGROUP_ROOT
                                         " is not a cgroup2 file system");
        if (group_fd < 0)
                return setup_failed(reterr_failure, group_fd, "open control group", ret_path);
        if (inside)
                return steal_fd(&group_fd);
        r = mkdirat(group_fd, GROUP_SUPERVISOR, 0755) < 0 && errno != EEXIST ? -errno : 0;
        if (r >= 0)
                r = file_write(group_fd, GROUP_SUPERVISOR "/cgroup.procs", "0");
        if (r < 0)
                return setup_failed(reterr_failure, r, "move to the sub-group '" GROUP_SUPERVISOR "' of",
                                    ret_path);
        return steal_fd(&group_fd);
}

int unit_group_thaw_payload(int group_fd) {
        static const char file[] = GROUP_PAYLOAD "/cgroup.freeze";
        autofree char *text = NULL;
        int r = file_read(group_fd, file, 16, &text, NULL);

        if (r == -ENOENT)
                return 0;
        if (r < 0 || text[0] != '1')
                return r;
        r = file_write(group_fd, file, "0");
        return r < 0 ? r : 1;
}
