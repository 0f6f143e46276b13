/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the supervisor does in the unit's control group; limits and the payload itself are the front end's. */

#include "supervisor/unit-group.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cgroup/group.h"

/* Cuts "/supervisor" off the end of @path. Returns whether it was there. */
static bool cut_sub_group(char *path) {
        char *slash = strrchr(path, '/');

        if (!slash || strcmp(slash + 1, GROUP_SUPERVISOR) != 0)
                return false;
        /* "/supervisor" alone: in a control group namespace whose root is the unit. */
        slash[slash == path ? 1 : 0] = '\0';
        return true;
}

int unit_group_enter(char ret_path[static CGROUP_PATH_SIZE], SetupFailure *reterr_failure) {
        int r = cgroup_path_of(0, ret_path);

        if (r < 0)
                return setup_failed(reterr_failure, r, "find the own control group", NULL);
        bool inside = cut_sub_group(ret_path);
        autoclose int group_fd = cgroup_open(ret_path);
        if (group_fd == -EMEDIUMTYPE)
                return setup_failed_text(reterr_failure, group_fd, FAILURE_GENERIC, "%s", CGROUP_V2_REQUIRED);
        if (group_fd < 0)
                return setup_failed(reterr_failure, group_fd, "open control group", ret_path);
        if (inside)
                return steal_fd(&group_fd);
        autoclose int own_fd = cgroup_make_sub(group_fd, GROUP_SUPERVISOR);
        r = own_fd < 0 ? own_fd : cgroup_move(own_fd, 0);
        if (r < 0)
                return setup_failed(reterr_failure, r, "move to the sub-group '" GROUP_SUPERVISOR "' of",
                                    ret_path);
        return steal_fd(&group_fd);
}

int unit_group_thaw_payload(int group_fd) {
        autoclose int payload_fd = cgroup_open_sub(group_fd, GROUP_PAYLOAD);
        char frozen[8];
        int r;

        if (payload_fd == -ENOENT)
                return 0;
        if (payload_fd < 0)
                return payload_fd;
        r = cgroup_read(payload_fd, "cgroup.freeze", frozen, sizeof(frozen));
        if (r < 0 || strcmp(frozen, "1") != 0)
                return r;
        r = cgroup_write(payload_fd, "cgroup.freeze", "0");
        return r < 0 ? r : 1;
}

const char *unit_group_name(const char *path) {
        const char *name = strrchr(path, '/');

        return name && name[1] ? name + 1 : NULL;
}
