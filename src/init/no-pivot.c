/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* For a root that can't be pivoted (an initramfs). The old tree stays in the mount namespace, below the new
 * one. The kernel lets a user namespace mount procfs and sysfs as long as the mount namespace has one of
 * which nothing is covered, and the host's are such: a container could uncover there what is masked in its
 * own. So all of them that are not the container's are taken off, or covered where they are locked. */

#include "init/no-pivot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "init/mount-api.h"
#include "init/target.h"

#define MOUNTINFO_SIZE_MAX ((size_t) 64 << 20)

typedef struct MountLine { /* of mountinfo, proc_pid_mountinfo(5) */
        const char *root;
        char *point;
        const char *type;
} MountLine;

/* "\040" is a space, and so on. */
static void unescape(char *text) {
        char *to = text;

        for (const char *from = text; *from; to++) {
                if (from[0] == '\\' && from[1] && from[2] && from[3]) {
                        *to = (char) ((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
                        from += 4;
                } else
                        *to = *from++;
        }
        *to = '\0';
}

static bool parse_line(char *line, MountLine *ret_line) {
        char *type = strstr(line, " - "), *field;

        *ret_line = (MountLine){0};
        if (!type)
                return false;
        *type = '\0';
        type += strlen(" - ");
        type[strcspn(type, " ")] = '\0';
        ret_line->type = type;
        for (int i = 0; (field = strsep(&line, " ")) && i < 5; i++) {
                if (i == 3)
                        ret_line->root = field;
                else if (i == 4)
                        ret_line->point = field;
        }
        if (!ret_line->point)
                return false;
        unescape(ret_line->point);
        return true;
}

static bool is_below(const char *path, const char *directory) {
        size_t n = strlen(directory);

        return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static bool must_go(const MountLine *line, const char *rootfs) {
        return strcmp(line->root, "/") == 0 &&
               (strcmp(line->type, "proc") == 0 || strcmp(line->type, "sysfs") == 0) &&
               !is_below(line->point, rootfs);
}

static int take_off(const char *point) {
        /* ENOENT: it went with one above it. */
        if (mount(NULL, point, NULL, MS_SLAVE | MS_REC, NULL) < 0 && errno != EINVAL)
                return errno == ENOENT ? 0 : -errno;
        if (umount2(point, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
                return 0;
        if (errno != EINVAL && errno != EPERM)
                return -errno;
        return mount("tmpfs", point, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k") < 0
                       ? -errno
                       : 0;
}

static int take_off_all(const Init *init, const char *rootfs) {
        autofree char *text = NULL;
        int r = file_read(init->proc_fd, "self/mountinfo", MOUNTINFO_SIZE_MAX, &text, NULL);

        for (char *at = text, *text_line; r >= 0 && (text_line = strsep(&at, "\n"));) {
                MountLine line;

                if (parse_line(text_line, &line) && must_go(&line, rootfs))
                        r = take_off(line.point);
        }
        return r;
}

int no_pivot_enter(const Init *init) {
        autoclose int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        char rootfs[PATH_MAX];
        bool on_top;
        int r;

        if (root_fd < 0)
                return -errno;
        r = target_path(init->proc_fd, root_fd, init->rootfs_fd, rootfs);
        if (r < 0)
                return r;
        /* The rootfs may be on "/" already (rootfs.c). Names then lead to the old tree alone. */
        on_top = strcmp(rootfs, "/") == 0;
        r = take_off_all(init, on_top ? "//" : rootfs);
        if (r >= 0 && !on_top)
                r = mount_attach(init->rootfs_fd, root_fd);
        if (r < 0)
                return r;
        if (fchdir(init->rootfs_fd) < 0 || chroot(".") < 0 || chdir("/") < 0)
                return -errno;
        return 0;
}
