/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "init/plan.h"
#include "oci/config.h"

/* The options of one mount, sorted by what they mean. */
typedef struct MountOptions {
        size_t index; /* of the mount in the config */
        bool bind;
        bool recursive; /* rbind */
        bool remount;
        bool copy_up;
        bool has_flags; /* one that says how the mount itself is to be, not those below it */
        MountFlags flags;
        MountFlags recursive_flags;
        uint32_t links; /* MountLinks */
        bool id_map;
        bool id_map_recursive;
        const char *id_map_text; /* (nullable): behind "idmap=" */
        size_t id_map_option;    /* where it stands in the list */
        GArray *propagation;     /* of uint32_t */
        GPtrArray *parameters;   /* of char *, borrowed: for the filesystem */
} MountOptions;

/**
 * mount_options_parse:
 * @index: of @mount in the config, for messages
 * @ret_options: to be cleared with mount_options_clear(); borrows the texts of @mount
 */
bool mount_options_parse(const OciMount *mount, size_t index, MountOptions *ret_options, GError **error);

void mount_options_clear(MountOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MountOptions, mount_options_clear)
