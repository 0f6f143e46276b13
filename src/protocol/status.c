/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* STATE_STATUS, written by the supervisor and read by every other command. */

#include "protocol/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/file.h"
#include "protocol/state-dir.h"

static const char *const words[] = {
        [STATUS_WORD_CREATED] = "created", [STATUS_WORD_RUNNING] = "running", [STATUS_WORD_EXITED] = "exited",
        [STATUS_WORD_KILLED] = "killed",   [STATUS_WORD_FAILED] = "failed",
};

int status_write(int dir_fd, StatusWord word, int value) {
        char line[64];
        int n;

        if (word == STATUS_WORD_EXITED || word == STATUS_WORD_KILLED)
                n = snprintf(line, sizeof(line), "%s %d\n", words[word], value);
        else
                n = snprintf(line, sizeof(line), "%s\n", words[word]);
        return file_replace(dir_fd, STATE_STATUS, line, (size_t) n, 0600);
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
