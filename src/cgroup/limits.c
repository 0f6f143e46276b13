/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Writes limits into a group, and says in words why one can't be written. */

#include "cgroup/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cgroup/group.h"

/* io.max and its like take one line per write(2). */
static int write_lines(int group_fd, const char *file, const char *value) {
        autofree char *copy = strdup(value);
        int r = 0;

        if (!copy)
                return -ENOMEM;
        for (char *rest = copy, *line; r >= 0 && (line = strsep(&rest, "\n"));)
                if (*line != '\0')
                        r = cgroup_write(group_fd, file, line);
        return r;
}

/* "memory" of "memory.max". */
static void controller_of(const char *file, char ret_controller[static 32]) {
        snprintf(ret_controller, 32, "%.*s", (int) strcspn(file, "."), file);
}

static int explain(int error, int group_fd, const char *group_name, const CgroupLimit *limit,
                   char reterr_text[static CGROUP_LIMIT_ERROR_SIZE]) {
        char controller[32];

        controller_of(limit->file, controller);
        if (error == -ENOENT || error == -EACCES) {
                bool is_core = strcmp(controller, "cgroup") == 0;

                /* kernfs refuses to create files: a missing one may be told as EACCES too. */
                if (!is_core && cgroup_has_controller(group_fd, controller) == 0) {
                        snprintf(reterr_text, CGROUP_LIMIT_ERROR_SIZE,
                                 "controller '%s' is not available in the cgroup of '%s' (cannot write %s)",
                                 controller, group_name, limit->file);
                        return -EOPNOTSUPP;
                }
                if (faccessat(group_fd, limit->file, F_OK, 0) < 0) {
                        snprintf(reterr_text, CGROUP_LIMIT_ERROR_SIZE,
                                 "this kernel has no %s in the cgroup of '%s'", limit->file, group_name);
                        return -EOPNOTSUPP;
                }
        }
        snprintf(reterr_text, CGROUP_LIMIT_ERROR_SIZE, "cannot write '%s' to %s in the cgroup of '%s': %s",
                 limit->value, limit->file, group_name, strerrordesc_np(-error));
        return error;
}

int cgroup_apply_limits(int group_fd, const char *group_name, const CgroupLimit *limits, size_t n_limits,
                        size_t *reterr_index, char reterr_text[static CGROUP_LIMIT_ERROR_SIZE]) {
        for (size_t i = 0; i < n_limits; i++) {
                int r = write_lines(group_fd, limits[i].file, limits[i].value);

                if (r >= 0)
                        continue;
                r = explain(r, group_fd, group_name, &limits[i], reterr_text);
                if (r == -EOPNOTSUPP && limits[i].unlimited)
                        continue;
                if (reterr_index)
                        *reterr_index = i;
                return r;
        }
        return 0;
}
