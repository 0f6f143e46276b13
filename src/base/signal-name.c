/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Signal numbers and names. glibc's sigabbrev_np() has the names of the standard signals; realtime signals
 * are counted from glibc's SIGRTMIN (34), as kill(1) and systemd do. */

#include "base/signal-name.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"

static const struct {
        const char *name;
        int number;
} aliases[] = {
        {"IOT",  SIGABRT},
        {"CLD",  SIGCHLD},
        {"POLL", SIGPOLL},
        {"IO",   SIGIO  },
};

static int parse_number(const char *text, int *ret) {
        char *end;
        long number;

        if (text[0] < '0' || text[0] > '9')
                return -EINVAL;
        errno = 0;
        number = strtol(text, &end, 10);
        if (errno != 0 || *end || number > SIGRTMAX)
                return -EINVAL;
        *ret = (int) number;
        return 0;
}

static int parse_realtime(const char *text) {
        int offset = 0;
        int base;

        if (strncasecmp(text, "RTMIN", 5) == 0)
                base = SIGRTMIN;
        else if (strncasecmp(text, "RTMAX", 5) == 0)
                base = SIGRTMAX;
        else
                return -EINVAL;
        text += 5;
        if (*text) {
                if (*text != (base == SIGRTMIN ? '+' : '-') || parse_number(text + 1, &offset) < 0)
                        return -EINVAL;
                if (base == SIGRTMAX)
                        offset = -offset;
        }
        return base + offset >= SIGRTMIN && base + offset <= SIGRTMAX ? base + offset : -EINVAL;
}

int signal_from_name(const char *text) {
        int number;

        if (parse_number(text, &number) >= 0)
                return number;
        if (strncasecmp(text, "SIG", 3) == 0)
                text += 3;
        for (int i = 1; i < NSIG; i++) {
                const char *name = sigabbrev_np(i);

                if (name && strcasecmp(name, text) == 0)
                        return i;
        }
        for (size_t i = 0; i < ELEMENTSOF(aliases); i++)
                if (strcasecmp(aliases[i].name, text) == 0)
                        return aliases[i].number;
        return parse_realtime(text);
}

const char *signal_to_name(int signal_number, char buffer[static SIGNAL_NAME_SIZE]) {
        const char *name = signal_number > 0 && signal_number < NSIG ? sigabbrev_np(signal_number) : NULL;

        if (name)
                snprintf(buffer, SIGNAL_NAME_SIZE, "SIG%s", name);
        else if (signal_number == SIGRTMIN)
                snprintf(buffer, SIGNAL_NAME_SIZE, "SIGRTMIN");
        else if (signal_number > SIGRTMIN && signal_number <= SIGRTMAX)
                snprintf(buffer, SIGNAL_NAME_SIZE, "SIGRTMIN+%d", signal_number - SIGRTMIN);
        else
                snprintf(buffer, SIGNAL_NAME_SIZE, "%d", signal_number);
        return buffer;
}
