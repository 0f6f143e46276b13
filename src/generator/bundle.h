/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* What a unit shows of its bundle. At boot the bundle may be on a file system that is not mounted yet: then
 * the unit does without. */

typedef struct BundleFacts {
        bool known;
        char *limits;             /* lines for [Service], from linux.resources */
        size_t n_poststart_hooks; /* of the config */
} BundleFacts;

void bundle_facts_clear(BundleFacts *facts);

/**
 * bundle_facts_read:
 * @path: of the bundle; one with a specifier is not known before the unit starts
 *
 * Fails for a config that is there and can't be used.
 */
bool bundle_facts_read(const char *path, BundleFacts *ret_facts, GError **error);
