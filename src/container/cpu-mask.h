/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * cpu_mask_parse:
 * @list: "0-3,7"
 * @ret_bytes: (transfer full): a mask as sched_setaffinity(2) takes it, for g_free()
 * @ret_size: in bytes, a multiple of sizeof(unsigned long)
 *
 * Returns 0, or -EINVAL (also for CPUs beyond 8191, the kernel's limit).
 */
int cpu_mask_parse(const char *list, uint8_t **ret_bytes, size_t *ret_size);
