/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* HOME from the image's passwd file, which may be anything: it is opened inside the rootfs, has to be a
 * regular file, and lines that don't look right are passed over. */

#include "init/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/fd.h"
#include "base/path.h"

#define PASSWD_LIMIT ((size_t) 8 << 20)
#define FIELD_UID    2 /* name:password:uid:gid:gecos:home:shell */
#define FIELD_HOME   5
#define DEFAULT_HOME "/"

/* Cuts the next field off @line, which becomes NULL after the last one. */
static char *take_field(char **line) {
        char *field = *line;

        if (!field)
                return NULL;
        *line = strchr(field, ':');
        if (*line)
                *(*line)++ = '\0';
        return field;
}

static const char *match_line(char *line, uid_t uid) {
        char *field = NULL, *end;

        for (int i = 0; i <= FIELD_HOME; i++) {
                field = take_field(&line);
                if (!field)
                        return NULL;
                if (i == FIELD_UID && (*field < '0' || *field > '9' ||
                                       strtoull(field, &end, 10) != (unsigned long long) uid || *end != '\0'))
                        return NULL;
        }
        return *field == '/' ? field : NULL;
}

const char *home_find(char *passwd, uid_t uid) {
        char *line;

        while ((line = strsep(&passwd, "\n"))) {
                const char *home = match_line(line, uid);

                if (home)
                        return home;
        }
        return NULL;
}

static char *read_passwd(const Init *init) {
        autoclose int fd =
                path_open_in_root(init->rootfs_fd, "/etc/passwd", O_RDONLY | O_NONBLOCK | O_NOCTTY);
        struct stat status;
        char *text = NULL;
        size_t size;

        if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
            fd_read_all(fd, PASSWD_LIMIT, &text, &size) < 0)
                return NULL;
        return text;
}

char *home_of_user(const Init *init) {
        autofree char *passwd = read_passwd(init);
        const char *home = passwd ? home_find(passwd, init->plan->uid) : NULL;

        return strdup(home ? home : DEFAULT_HOME);
}
