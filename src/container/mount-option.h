/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The mount options that the spec knows (config.md, "Linux mount options"), and those that peers and engines
 * added. Everything else is the file system's own. */

typedef enum MountOptionKind {
        OPTION_NOTHING,     /* names a default */
        OPTION_SET,         /* @value: MOUNT_ATTR_… */
        OPTION_CLEAR,       /* @value: MOUNT_ATTR_… */
        OPTION_ATIME,       /* @value: MS_NOATIME, MS_RELATIME, MS_STRICTATIME or MS_NODIRATIME */
        OPTION_ATIME_DROP,  /* takes back the same; alone it changes nothing of what a bind mount has */
        OPTION_SUPERBLOCK,  /* fsconfig(2) knows it by the same name; means nothing for binds */
        OPTION_PROPAGATION, /* @value: MS_SHARED, … | MS_REC */
        OPTION_BIND,        /* @recursive: rbind */
        OPTION_COPY_UP,
        OPTION_ID_MAP,
        OPTION_LINK, /* @value: MountLinks */
        OPTION_REMOUNT,
} MountOptionKind;

typedef struct MountOption {
        const char *name;
        MountOptionKind kind;
        uint64_t value;
        bool recursive; /* for the mount and all below it: mount_setattr(2) with AT_RECURSIVE */
} MountOption;

/**
 * mount_option_find:
 * Returns (nullable): the row of @name.
 */
const MountOption *mount_option_find(const char *name);

/**
 * mount_option_next:
 * For walks over the table: the row after @option, or the first one for NULL. Returns NULL at the end.
 */
const MountOption *mount_option_next(const MountOption *option);
