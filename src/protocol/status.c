/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* STATE_STATUS, written by the supervisor and read by every other command. */

#include "protocol/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "protocol/state-dir.h"

static const char *const words[] = {
        [STATUS_WORD_CREATED] = "created", [STATUS_WORD_RUNNING] = "running", [STATUS_WORD_EXITED] = "exited",
        [STATUS_WORD_KILLED] = "killed",   [STATUS_WORD_FAILED] = "failed",
};

/* What an older, longer line leaves behind the new one is a second line, which nobody reads. */
static int overwrite(int dir_fd, const char *line, size_t size) {
        autoclose int fd = openat(dir_fd, STATE_STATUS, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        ssize_t n;

        if (fd < 0)
                return -errno;
        do
                n = pwrite(fd, line, size, 0);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return (size_t) n == size ? 0 : -EIO;
}

int status_write(int dir_fd, StatusWord word, int value) {
        char line[64];
        int n, r;

        if (word == STATUS_WORD_EXITED || word == STATUS_WORD_KILLED)
                n = snprintf(line, sizeof(line), "%s %d\n", words[word], value);
        else
                n = snprintf(line, sizeof(line), "%s\n", words[word]);
        r = file_replace(dir_fd, STATE_STATUS, line, (size_t) n, 0600);
        if (r != -ENOSPC && r != -EDQUOT)
                return r;
        /* No room for a second file. The first one has a block, and every line fits into it. */
        return overwrite(dir_fd, line, (size_t) n);
}

int status_read(int dir_fd, StatusWord *ret_word, int *ret_value) {
        autofree char *text = NULL;
        int r = file_read(dir_fd, STATE_STATUS, 63, &text, NULL);

        if (r < 0)
                return r;
        size_t n = strcspn(text, " \n");
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strlen(words[i]) == n && strncmp(words[i], text, n) == 0) {
                        *ret_word = (StatusWord) i;
                        if (ret_value)
                                *ret_value = text[n] == ' ' ? atoi(text + n + 1) : 0;
                        return 0;
                }
        return -EBADMSG;
}
