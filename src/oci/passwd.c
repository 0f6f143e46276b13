/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "oci/passwd.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/path.h"

#define ID_MAX (UINT32_MAX - 1) /* (uid_t) -1 means "no change" to setresuid(2) */

/* NULL with errno for what is not there; an empty one where it is no file. */
static FILE *open_file(const char *rootfs, const char *path) {
        autoclose int root_fd = open(rootfs, O_PATH | O_DIRECTORY | O_CLOEXEC);
        autoclose int fd =
                root_fd < 0 ? -errno : path_open_in_root(root_fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
        struct stat status;
        FILE *file;

        if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
                return NULL;
        file = fdopen(fd, "re");
        if (file)
                steal_fd(&fd);
        return file;
}

static bool is_number(const char *text, uint32_t *ret_number) {
        guint64 number;

        if (!g_ascii_string_to_unsigned(text, 10, 0, ID_MAX, &number, NULL))
                return false;
        *ret_number = (uint32_t) number;
        return true;
}

static bool find_user(const char *rootfs, const char *name, uid_t *ret_uid, gid_t *ret_gid) {
        FILE *file = open_file(rootfs, "/etc/passwd");
        bool number = is_number(name, ret_uid), found = false;

        *ret_gid = 0;
        for (struct passwd *entry; file && !found && (entry = fgetpwent(file));) {
                found = number ? entry->pw_uid == *ret_uid : g_str_equal(entry->pw_name, name);
                if (!found)
                        continue;
                *ret_uid = entry->pw_uid;
                *ret_gid = entry->pw_gid;
        }
        if (file)
                fclose(file);
        return found || number;
}

static bool find_group(const char *rootfs, const char *name, gid_t *ret_gid) {
        FILE *file = is_number(name, ret_gid) ? NULL : open_file(rootfs, "/etc/group");
        bool found = is_number(name, ret_gid);

        for (struct group *entry; file && !found && (entry = fgetgrent(file));) {
                found = g_str_equal(entry->gr_name, name);
                *ret_gid = entry->gr_gid;
        }
        if (file)
                fclose(file);
        return found;
}

bool passwd_find(const char *rootfs, const char *user, uid_t *ret_uid, gid_t *ret_gid, GError **error) {
        g_auto(GStrv) parts = g_strsplit(user, ":", 2);

        if (!parts[0] || *parts[0] == '\0')
                return fail_code(error, UNITRUN_ERROR_USAGE, "--user: '%s' names no user", user);
        if (!find_user(rootfs, parts[0], ret_uid, ret_gid))
                return fail(error, "--user: '%s' is not in '%s/etc/passwd', and no number", parts[0], rootfs);
        return !parts[1] || find_group(rootfs, parts[1], ret_gid) ||
               fail(error, "--user: group '%s' is not in '%s/etc/group', and no number", parts[1], rootfs);
}
