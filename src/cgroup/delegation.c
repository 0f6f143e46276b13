/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which files may be given away is the kernel's to say: whoever owns more than these can lift limits. */

#include "cgroup/delegation.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"

#define DELEGATE_LIST  "/sys/kernel/cgroup/delegate"
#define LIST_SIZE_MAX  65536
#define UNLISTED_FILES "cgroup.procs\ncgroup.subtree_control\ncgroup.threads\n" /* Linux < 4.15 */

static int give(int group_fd, const char *file, uid_t uid) {
        if (strchr(file, '/'))
                return -EINVAL;
        /* Not every group has every file. */
        if (fchownat(group_fd, file, uid, (gid_t) -1, AT_SYMLINK_NOFOLLOW) < 0 && errno != ENOENT)
                return -errno;
        return 0;
}

int cgroup_delegate(int group_fd, uid_t uid) {
        autofree char *listed = NULL;
        char unlisted[] = UNLISTED_FILES, *at, *file;
        int r = file_read(AT_FDCWD, DELEGATE_LIST, LIST_SIZE_MAX, &listed, NULL);

        if (r < 0 && r != -ENOENT)
                return r;
        at = r < 0 ? unlisted : listed;
        if (fchownat(group_fd, "", uid, (gid_t) -1, AT_EMPTY_PATH) < 0)
                return -errno;
        while ((file = strsep(&at, "\n"))) {
                r = *file ? give(group_fd, file, uid) : 0;
                if (r < 0)
                        return r;
        }
        return 0;
}
