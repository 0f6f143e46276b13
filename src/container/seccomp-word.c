/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables of words. */

#include "container/seccomp-word.h"

#include <errno.h>
#include <glib.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARCHITECTURE_PREFIX "SCMP_ARCH_"

static const struct {
        const char *name;
        uint32_t action;
} actions[] = {
        {"SCMP_ACT_KILL",         SCMP_ACT_KILL_THREAD },
        {"SCMP_ACT_KILL_PROCESS", SCMP_ACT_KILL_PROCESS},
        {"SCMP_ACT_KILL_THREAD",  SCMP_ACT_KILL_THREAD },
        {"SCMP_ACT_TRAP",         SCMP_ACT_TRAP        },
        {"SCMP_ACT_ERRNO",        SCMP_ACT_ERRNO(0)    },
        {"SCMP_ACT_TRACE",        SCMP_ACT_TRACE(0)    },
        {"SCMP_ACT_ALLOW",        SCMP_ACT_ALLOW       },
        {"SCMP_ACT_LOG",          SCMP_ACT_LOG         },
        {"SCMP_ACT_NOTIFY",       SCMP_ACT_NOTIFY      },
};

static const struct {
        const char *name;
        enum scmp_compare comparison;
} operators[] = {
        {"SCMP_CMP_NE",        SCMP_CMP_NE       },
        {"SCMP_CMP_LT",        SCMP_CMP_LT       },
        {"SCMP_CMP_LE",        SCMP_CMP_LE       },
        {"SCMP_CMP_EQ",        SCMP_CMP_EQ       },
        {"SCMP_CMP_GE",        SCMP_CMP_GE       },
        {"SCMP_CMP_GT",        SCMP_CMP_GT       },
        {"SCMP_CMP_MASKED_EQ", SCMP_CMP_MASKED_EQ},
};

static const struct {
        const char *name;
        uint64_t flag;
} flags[] = {
        {"SECCOMP_FILTER_FLAG_TSYNC",              SECCOMP_FILTER_FLAG_TSYNC             },
        {"SECCOMP_FILTER_FLAG_LOG",                SECCOMP_FILTER_FLAG_LOG               },
        {"SECCOMP_FILTER_FLAG_SPEC_ALLOW",         SECCOMP_FILTER_FLAG_SPEC_ALLOW        },
        {"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV},
};

/* libseccomp takes more; these are the spec's. */
static const char *const architectures[] = {
        "SCMP_ARCH_X86",         "SCMP_ARCH_X86_64",      "SCMP_ARCH_X32",     "SCMP_ARCH_ARM",
        "SCMP_ARCH_AARCH64",     "SCMP_ARCH_LOONGARCH64", "SCMP_ARCH_M68K",    "SCMP_ARCH_MIPS",
        "SCMP_ARCH_MIPS64",      "SCMP_ARCH_MIPS64N32",   "SCMP_ARCH_MIPSEL",  "SCMP_ARCH_MIPSEL64",
        "SCMP_ARCH_MIPSEL64N32", "SCMP_ARCH_PPC",         "SCMP_ARCH_PPC64",   "SCMP_ARCH_PPC64LE",
        "SCMP_ARCH_S390",        "SCMP_ARCH_S390X",       "SCMP_ARCH_SH",      "SCMP_ARCH_SHEB",
        "SCMP_ARCH_PARISC",      "SCMP_ARCH_PARISC64",    "SCMP_ARCH_RISCV64",
};

int seccomp_action_from_name(const char *name, uint32_t value, uint32_t *ret_action) {
        for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
                uint32_t action = actions[i].action;

                if (strcmp(actions[i].name, name) != 0)
                        continue;
                if (action == SCMP_ACT_ERRNO(0) || action == SCMP_ACT_TRACE(0))
                        action |= value & SECCOMP_RET_DATA;
                *ret_action = action;
                return 0;
        }
        return -EINVAL;
}

bool seccomp_action_has_value(uint32_t action) {
        uint32_t kind = action & SECCOMP_RET_ACTION_FULL;

        return kind == SECCOMP_RET_ERRNO || kind == SECCOMP_RET_TRACE;
}

int seccomp_operator_from_name(const char *name) {
        for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
                if (strcmp(operators[i].name, name) == 0)
                        return (int) operators[i].comparison;
        return -EINVAL;
}

uint32_t seccomp_architecture_from_name(const char *name) {
        g_autofree char *lower = NULL;

        if (!g_str_has_prefix(name, ARCHITECTURE_PREFIX))
                return 0;
        lower = g_ascii_strdown(name + strlen(ARCHITECTURE_PREFIX), -1);
        return seccomp_arch_resolve_name(lower);
}

uint64_t seccomp_flag_from_name(const char *name) {
        for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
                if (strcmp(flags[i].name, name) == 0)
                        return flags[i].flag;
        return 0;
}

/* A filter at no address: EFAULT once the flags were found right, EINVAL before. One of them goes with a
 * listener only.
 */
bool seccomp_flag_is_supported(uint64_t flag) {
        if (flag == SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
                flag |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flag, NULL) < 0 && errno == EFAULT;
}

const char *seccomp_word_at(SeccompWordKind kind, size_t index) {
        switch (kind) {
        case SECCOMP_WORD_ACTION:
                return index < G_N_ELEMENTS(actions) ? actions[index].name : NULL;
        case SECCOMP_WORD_OPERATOR:
                return index < G_N_ELEMENTS(operators) ? operators[index].name : NULL;
        case SECCOMP_WORD_ARCHITECTURE:
                return index < G_N_ELEMENTS(architectures) ? architectures[index] : NULL;
        case SECCOMP_WORD_FLAG:
                return index < G_N_ELEMENTS(flags) ? flags[index].name : NULL;
        }
        return NULL;
}
