/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables of words. */

#include "container/memory-policy.h"

#include <errno.h>
#include <glib.h>
#include <linux/mempolicy.h>
#include <string.h>

#define WEIGHTED_INTERLEAVE 6 /* MPOL_WEIGHTED_INTERLEAVE, Linux 6.9 */

typedef struct Row {
        const char *name;
        int value;
} Row;

static const Row modes[] = {
        {"MPOL_DEFAULT",             MPOL_DEFAULT       },
        {"MPOL_BIND",                MPOL_BIND          },
        {"MPOL_INTERLEAVE",          MPOL_INTERLEAVE    },
        {"MPOL_WEIGHTED_INTERLEAVE", WEIGHTED_INTERLEAVE},
        {"MPOL_PREFERRED",           MPOL_PREFERRED     },
        {"MPOL_PREFERRED_MANY",      MPOL_PREFERRED_MANY},
        {"MPOL_LOCAL",               MPOL_LOCAL         },
};

static const Row flags[] = {
        {"MPOL_F_NUMA_BALANCING", MPOL_F_NUMA_BALANCING},
        {"MPOL_F_RELATIVE_NODES", MPOL_F_RELATIVE_NODES},
        {"MPOL_F_STATIC_NODES",   MPOL_F_STATIC_NODES  },
};

static int find(const Row *rows, size_t n, const char *name) {
        for (size_t i = 0; i < n; i++)
                if (strcmp(rows[i].name, name) == 0)
                        return rows[i].value;
        return -EINVAL;
}

int memory_policy_mode(const char *name) {
        return find(modes, G_N_ELEMENTS(modes), name);
}

int memory_policy_flag(const char *name) {
        return find(flags, G_N_ELEMENTS(flags), name);
}

const char *memory_policy_mode_at(int index) {
        return (size_t) index < G_N_ELEMENTS(modes) ? modes[index].name : NULL;
}

const char *memory_policy_flag_at(int index) {
        return (size_t) index < G_N_ELEMENTS(flags) ? flags[index].name : NULL;
}
