/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of mount options; `features` lists the same rows. */

#include "container/mount-option.h"

#include <stddef.h>
#include <string.h>
#include <sys/mount.h>

#include "base/auto.h"

#define IDMAP_REASON "ID-mapped mounts are not supported yet"
#define LINK_REASON  "symbolic links as mounts are not supported yet"

static const MountOption options[] = {
        {"async",          OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"atime",          OPTION_ATIME,       MOUNT_ATTR_RELATIME,    false, NULL                         },
        {"bind",           OPTION_BIND,        0,                      false, NULL                         },
        {"copy-symlink",   OPTION_REFUSED,     0,                      false, LINK_REASON                  },
        {"defaults",       OPTION_NOTHING,     0,                      false, NULL                         },
        {"dest-nofollow",  OPTION_REFUSED,     0,                      false, LINK_REASON                  },
        {"dev",            OPTION_CLEAR,       MOUNT_ATTR_NODEV,       false, NULL                         },
        {"diratime",       OPTION_CLEAR,       MOUNT_ATTR_NODIRATIME,  false, NULL                         },
        {"dirsync",        OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"exec",           OPTION_CLEAR,       MOUNT_ATTR_NOEXEC,      false, NULL                         },
        {"idmap",          OPTION_REFUSED,     0,                      false, IDMAP_REASON                 },
        {"iversion",       OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"lazytime",       OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"loud",           OPTION_NOTHING,     0,                      false, NULL                         },
        {"mand",           OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"noatime",        OPTION_ATIME,       MOUNT_ATTR_NOATIME,     false, NULL                         },
        {"nodev",          OPTION_SET,         MOUNT_ATTR_NODEV,       false, NULL                         },
        {"nodiratime",     OPTION_SET,         MOUNT_ATTR_NODIRATIME,  false, NULL                         },
        {"noexec",         OPTION_SET,         MOUNT_ATTR_NOEXEC,      false, NULL                         },
        {"noiversion",     OPTION_NOTHING,     0,                      false, NULL                         },
        {"nolazytime",     OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"nomand",         OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"norelatime",     OPTION_NOTHING,     0,                      false, NULL                         },
        {"nostrictatime",  OPTION_ATIME,       MOUNT_ATTR_RELATIME,    false, NULL                         },
        {"nosuid",         OPTION_SET,         MOUNT_ATTR_NOSUID,      false, NULL                         },
        {"nosymfollow",    OPTION_SET,         MOUNT_ATTR_NOSYMFOLLOW, false, NULL                         },
        {"private",        OPTION_PROPAGATION, MS_PRIVATE,             false, NULL                         },
        {"ratime",         OPTION_ATIME,       MOUNT_ATTR_RELATIME,    true,  NULL                         },
        {"rbind",          OPTION_BIND,        0,                      true,  NULL                         },
        {"rdev",           OPTION_CLEAR,       MOUNT_ATTR_NODEV,       true,  NULL                         },
        {"rdiratime",      OPTION_CLEAR,       MOUNT_ATTR_NODIRATIME,  true,  NULL                         },
        {"relatime",       OPTION_ATIME,       MOUNT_ATTR_RELATIME,    false, NULL                         },
        {"remount",        OPTION_REFUSED,     0,                      false, "there is nothing to remount"},
        {"rexec",          OPTION_CLEAR,       MOUNT_ATTR_NOEXEC,      true,  NULL                         },
        {"ridmap",         OPTION_REFUSED,     0,                      false, IDMAP_REASON                 },
        {"rnoatime",       OPTION_ATIME,       MOUNT_ATTR_NOATIME,     true,  NULL                         },
        {"rnodev",         OPTION_SET,         MOUNT_ATTR_NODEV,       true,  NULL                         },
        {"rnodiratime",    OPTION_SET,         MOUNT_ATTR_NODIRATIME,  true,  NULL                         },
        {"rnoexec",        OPTION_SET,         MOUNT_ATTR_NOEXEC,      true,  NULL                         },
        {"rnorelatime",    OPTION_ATIME,       MOUNT_ATTR_RELATIME,    true,  NULL                         },
        {"rnostrictatime", OPTION_ATIME,       MOUNT_ATTR_RELATIME,    true,  NULL                         },
        {"rnosuid",        OPTION_SET,         MOUNT_ATTR_NOSUID,      true,  NULL                         },
        {"rnosymfollow",   OPTION_SET,         MOUNT_ATTR_NOSYMFOLLOW, true,  NULL                         },
        {"ro",             OPTION_SET,         MOUNT_ATTR_RDONLY,      false, NULL                         },
        {"rprivate",       OPTION_PROPAGATION, MS_PRIVATE | MS_REC,    false, NULL                         },
        {"rrelatime",      OPTION_ATIME,       MOUNT_ATTR_RELATIME,    true,  NULL                         },
        {"rro",            OPTION_SET,         MOUNT_ATTR_RDONLY,      true,  NULL                         },
        {"rrw",            OPTION_CLEAR,       MOUNT_ATTR_RDONLY,      true,  NULL                         },
        {"rshared",        OPTION_PROPAGATION, MS_SHARED | MS_REC,     false, NULL                         },
        {"rslave",         OPTION_PROPAGATION, MS_SLAVE | MS_REC,      false, NULL                         },
        {"rstrictatime",   OPTION_ATIME,       MOUNT_ATTR_STRICTATIME, true,  NULL                         },
        {"rsuid",          OPTION_CLEAR,       MOUNT_ATTR_NOSUID,      true,  NULL                         },
        {"rsymfollow",     OPTION_CLEAR,       MOUNT_ATTR_NOSYMFOLLOW, true,  NULL                         },
        {"runbindable",    OPTION_PROPAGATION, MS_UNBINDABLE | MS_REC, false, NULL                         },
        {"rw",             OPTION_CLEAR,       MOUNT_ATTR_RDONLY,      false, NULL                         },
        {"shared",         OPTION_PROPAGATION, MS_SHARED,              false, NULL                         },
        {"silent",         OPTION_NOTHING,     0,                      false, NULL                         },
        {"slave",          OPTION_PROPAGATION, MS_SLAVE,               false, NULL                         },
        {"src-nofollow",   OPTION_REFUSED,     0,                      false, LINK_REASON                  },
        {"strictatime",    OPTION_ATIME,       MOUNT_ATTR_STRICTATIME, false, NULL                         },
        {"suid",           OPTION_CLEAR,       MOUNT_ATTR_NOSUID,      false, NULL                         },
        {"symfollow",      OPTION_CLEAR,       MOUNT_ATTR_NOSYMFOLLOW, false, NULL                         },
        {"sync",           OPTION_SUPERBLOCK,  0,                      false, NULL                         },
        {"tmpcopyup",      OPTION_COPY_UP,     0,                      false, NULL                         },
        {"unbindable",     OPTION_PROPAGATION, MS_UNBINDABLE,          false, NULL                         },
};

const MountOption *mount_option_find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(options); i++)
                if (strcmp(options[i].name, name) == 0)
                        return &options[i];
        return NULL;
}

const MountOption *mount_option_next(const MountOption *option) {
        const MountOption *next = option ? option + 1 : options;

        return next < options + ELEMENTSOF(options) ? next : NULL;
}
