/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5) /* Linux 5.19 */
#endif

/* The spec's words for seccomp (config-linux.md, "Seccomp") and what libseccomp and the kernel call them. */

/**
 * seccomp_action_from_name:
 * @value: the errno or trace number, for actions that carry one
 * Returns 0 or -EINVAL.
 */
int seccomp_action_from_name(const char *name, uint32_t value, uint32_t *ret_action);

/**
 * seccomp_action_has_value:
 * Returns: whether the action is one that carries a number (errnoRet), seccomp(2).
 */
bool seccomp_action_has_value(uint32_t action);

/**
 * seccomp_operator_from_name:
 * Returns an enum scmp_compare, or -EINVAL.
 */
int seccomp_operator_from_name(const char *name);

/**
 * seccomp_architecture_from_name:
 * @name: "SCMP_ARCH_X86_64"
 * Returns libseccomp's token, or 0.
 */
uint32_t seccomp_architecture_from_name(const char *name);

/**
 * seccomp_flag_from_name:
 * Returns the flag for seccomp(2), or 0.
 */
uint64_t seccomp_flag_from_name(const char *name);

/**
 * seccomp_flag_is_supported:
 * Whether this kernel takes the flag. Asks it without loading anything.
 */
bool seccomp_flag_is_supported(uint64_t flag);

typedef enum SeccompWordKind {
        SECCOMP_WORD_ACTION,
        SECCOMP_WORD_OPERATOR,
        SECCOMP_WORD_ARCHITECTURE, /* those of the spec; libseccomp may not know all */
        SECCOMP_WORD_FLAG,
} SeccompWordKind;

/**
 * seccomp_word_at:
 * For walks over the words of @kind. Returns (nullable): number @index, NULL beyond the last one.
 */
const char *seccomp_word_at(SeccompWordKind kind, size_t index);
