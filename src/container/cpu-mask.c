/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists of CPUs as cpuset(7) has them, to the masks of sched_setaffinity(2). */

#include "container/cpu-mask.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#define MAX_CPUS (8192)

/* Takes a number at *@at and moves on behind it. */
static int take_number(const char **at, unsigned *ret_number) {
        char *end;
        guint64 number;

        if (!g_ascii_isdigit(**at))
                return -EINVAL;
        number = g_ascii_strtoull(*at, &end, 10);
        if (number >= MAX_CPUS)
                return -EINVAL;
        *at = end;
        *ret_number = (unsigned) number;
        return 0;
}

static void set_bit(unsigned long *words, unsigned number) {
        words[number / (8 * sizeof(*words))] |= 1UL << (number % (8 * sizeof(*words)));
}

int cpu_mask_parse(const char *list, uint8_t **ret_bytes, size_t *ret_size) {
        unsigned long words[MAX_CPUS / 8 / sizeof(unsigned long)] = {0};
        const char *at = list;
        unsigned highest = 0;

        for (;;) {
                unsigned first, last;

                at += strspn(at, " \t");
                if (take_number(&at, &first) < 0)
                        return -EINVAL;
                last = first;
                if (*at == '-' && (at++, take_number(&at, &last) < 0 || last < first))
                        return -EINVAL;
                for (unsigned i = first; i <= last; i++)
                        set_bit(words, i);
                highest = MAX(highest, last);
                at += strspn(at, " \t\n");
                if (*at == '\0')
                        break;
                if (*at++ != ',')
                        return -EINVAL;
        }
        *ret_size = (highest / (8 * sizeof(*words)) + 1) * sizeof(*words);
        *ret_bytes = g_memdup2(words, *ret_size);
        return 0;
}
