/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "base-glib/absolute-path.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"

char *absolute_path(const char *path, const char *what, GError **error) {
        autofree char *directory = NULL;

        if (path[0] == '\0') {
                fail_code(error, UNITRUN_ERROR_USAGE, "%s: the path is empty", what);
                return NULL;
        }
        if (path[0] == '/')
                return g_canonicalize_filename(path, "/");
        directory = getcwd(NULL, 0);
        /* "(unreachable)": it is outside of our root. */
        if (!directory || directory[0] != '/') {
                fail_errno(error, directory ? ENOENT : errno,
                           "%s: '%s' is relative, and the working directory cannot be named", what, path);
                return NULL;
        }
        return g_canonicalize_filename(path, directory);
}
