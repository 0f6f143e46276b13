/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* --pid-file */

#include "container/pid-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"

bool pid_file_write(const char *path, pid_t pid, GError **error) {
        g_autofree char *directory = NULL, *name = NULL, *text = NULL;
        autoclose int fd = -EBADF;
        int r;

        if (!path)
                return true;
        directory = g_path_get_dirname(path);
        name = g_path_get_basename(path);
        text = g_strdup_printf("%d", (int) pid);
        fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        r = fd < 0 ? -errno : file_replace(fd, name, text, strlen(text), 0644);
        return r < 0 ? fail_errno(error, r, "--pid-file: cannot write '%s'", path) : true;
}
