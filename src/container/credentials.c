/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "protocol/state-dir.h"

#define SIZE_MAX_ALL ((size_t) 1 << 20) /* as systemd has it, for all of a unit */

const char *credentials_path(void) {
        const char *path = g_getenv("CREDENTIALS_DIRECTORY");

        return path && path[0] == '/' ? path : NULL;
}

char *credentials_directory(const char *state_dir) {
        return g_build_filename(state_dir, STATE_CREDENTIALS, NULL);
}

/* On the host; (uid_t) -1 for one that is not mapped, which leaves the owner as it is. */
static uid_t host_id(const OciIdMappings *mappings, uint32_t id) {
        uint32_t mapped;

        if (mappings->n == 0)
                return id;
        return oci_id_mappings_find(mappings, id, &mapped) ? mapped : (uid_t) -1;
}

static int copy(int from_fd, int to_fd, const char *name, uid_t uid, gid_t gid, size_t *left) {
        autofree char *data = NULL;
        size_t size;
        int r = file_read(from_fd, name, *left, &data, &size);

        if (r < 0)
                return r;
        *left -= size;
        r = file_replace(to_fd, name, data, size, 0400);
        explicit_bzero(data, size);
        return r >= 0 && fchownat(to_fd, name, uid, gid, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : r;
}

static bool copy_all(GDir *list, int from_fd, int to_fd, const OciConfig *config, GError **error) {
        const OciProcess *process = config->process;
        uid_t uid = host_id(&config->linux.uid_mappings, process ? process->uid : 0);
        gid_t gid = host_id(&config->linux.gid_mappings, process ? process->gid : 0);
        size_t left = SIZE_MAX_ALL;
        const char *name;

        while ((name = g_dir_read_name(list))) {
                int r = copy(from_fd, to_fd, name, uid, gid, &left);

                if (r < 0)
                        return fail_errno(error, r, "cannot copy the credential '%s'", name);
        }
        return (fchown(to_fd, uid, gid) >= 0 && fchmod(to_fd, 0500) >= 0) ||
               fail_errno(error, errno, "cannot give the credentials to user %u", (unsigned) uid);
}

bool credentials_copy(const StateDir *dir, const OciConfig *config, GError **error) {
        const char *path = credentials_path();
        g_autoptr(GDir) list = g_dir_open(path, 0, error);
        autoclose int from_fd = -EBADF, to_fd = -EBADF;

        if (!list)
                return fail_prefix(error, "CREDENTIALS_DIRECTORY");
        from_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (mkdirat(dir->fd, STATE_CREDENTIALS, 0700) >= 0)
                to_fd = openat(dir->fd, STATE_CREDENTIALS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (from_fd < 0 || to_fd < 0)
                return fail_errno(error, errno, "cannot copy the credentials in '%s'", path);
        return copy_all(list, from_fd, to_fd, config, error);
}
