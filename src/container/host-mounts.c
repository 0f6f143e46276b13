/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The mount that was there before tells ours from the engine's, which may have mounted the root file system
 * on the same directory. */

#include "container/host-mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base-glib/error.h"

static bool look_at(const char *place, struct statx *ret_status) {
        return statx(AT_FDCWD, place, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, ret_status) == 0 &&
               ret_status->stx_mask & STATX_MNT_ID;
}

bool host_mounts_plan(const OciConfig *config, const char *rootfs, char **ret_place, uint64_t *ret_below,
                      GError **error) {
        struct statx status;
        char *place;

        *ret_place = NULL;
        *ret_below = 0;
        if (oci_config_namespace(config, CLONE_NEWNS))
                return true;
        place = realpath(rootfs, NULL);
        if (!place)
                return fail_errno(error, errno, "config.json: root.path: cannot open '%s'", rootfs);
        if (!look_at(place, &status)) {
                free(place);
                return fail(error, "config.json: linux.namespaces: a container without a mount namespace "
                                   "needs Linux 5.8");
        }
        *ret_place = g_strdup(place);
        *ret_below = status.stx_mnt_id;
        free(place);
        return true;
}

bool host_mounts_remove(const char *place, uint64_t below, GError **error) {
        struct statx status;

        while (place && look_at(place, &status) && status.stx_mnt_id != below &&
               status.stx_attributes & STATX_ATTR_MOUNT_ROOT) {
                if (umount2(place, MNT_DETACH | UMOUNT_NOFOLLOW) < 0)
                        return fail_errno(error, errno, "cannot unmount '%s'", place);
        }
        return true;
}
