/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of mount options; `features` lists the same rows. */

#include "container/mount-option.h"

#include <stddef.h>
#include <string.h>
#include <sys/mount.h>

#include "base/auto.h"
#include "init/plan.h"

static const MountOption options[] = {
        {"async",          OPTION_SUPERBLOCK,  0,                         false},
        {"atime",          OPTION_ATIME_DROP,  MS_NOATIME,                false},
        {"bind",           OPTION_BIND,        0,                         false},
        {"copy-symlink",   OPTION_LINK,        LINK_COPY,                 false},
        {"defaults",       OPTION_NOTHING,     0,                         false},
        {"dest-nofollow",  OPTION_LINK,        LINK_DESTINATION_NOFOLLOW, false},
        {"dev",            OPTION_CLEAR,       MOUNT_ATTR_NODEV,          false},
        {"diratime",       OPTION_ATIME_DROP,  MS_NODIRATIME,             false},
        {"dirsync",        OPTION_SUPERBLOCK,  0,                         false},
        {"exec",           OPTION_CLEAR,       MOUNT_ATTR_NOEXEC,         false},
        {"idmap",          OPTION_ID_MAP,      0,                         false},
        {"iversion",       OPTION_SUPERBLOCK,  0,                         false},
        {"lazytime",       OPTION_SUPERBLOCK,  0,                         false},
        {"loud",           OPTION_NOTHING,     0,                         false},
        {"mand",           OPTION_SUPERBLOCK,  0,                         false},
        {"noatime",        OPTION_ATIME,       MS_NOATIME,                false},
        {"nodev",          OPTION_SET,         MOUNT_ATTR_NODEV,          false},
        {"nodiratime",     OPTION_ATIME,       MS_NODIRATIME,             false},
        {"noexec",         OPTION_SET,         MOUNT_ATTR_NOEXEC,         false},
        {"noiversion",     OPTION_NOTHING,     0,                         false},
        {"nolazytime",     OPTION_SUPERBLOCK,  0,                         false},
        {"nomand",         OPTION_SUPERBLOCK,  0,                         false},
        {"norelatime",     OPTION_ATIME_DROP,  MS_RELATIME,               false},
        {"nostrictatime",  OPTION_ATIME_DROP,  MS_STRICTATIME,            false},
        {"nosuid",         OPTION_SET,         MOUNT_ATTR_NOSUID,         false},
        {"nosymfollow",    OPTION_SET,         MOUNT_ATTR_NOSYMFOLLOW,    false},
        {"private",        OPTION_PROPAGATION, MS_PRIVATE,                false},
        {"ratime",         OPTION_ATIME_DROP,  MS_NOATIME,                true },
        {"rbind",          OPTION_BIND,        0,                         true },
        {"rdev",           OPTION_CLEAR,       MOUNT_ATTR_NODEV,          true },
        {"rdiratime",      OPTION_ATIME_DROP,  MS_NODIRATIME,             true },
        {"relatime",       OPTION_ATIME,       MS_RELATIME,               false},
        {"remount",        OPTION_REMOUNT,     0,                         false},
        {"rexec",          OPTION_CLEAR,       MOUNT_ATTR_NOEXEC,         true },
        {"ridmap",         OPTION_ID_MAP,      0,                         true },
        {"rnoatime",       OPTION_ATIME,       MS_NOATIME,                true },
        {"rnodev",         OPTION_SET,         MOUNT_ATTR_NODEV,          true },
        {"rnodiratime",    OPTION_ATIME,       MS_NODIRATIME,             true },
        {"rnoexec",        OPTION_SET,         MOUNT_ATTR_NOEXEC,         true },
        {"rnorelatime",    OPTION_ATIME_DROP,  MS_RELATIME,               true },
        {"rnostrictatime", OPTION_ATIME_DROP,  MS_STRICTATIME,            true },
        {"rnosuid",        OPTION_SET,         MOUNT_ATTR_NOSUID,         true },
        {"rnosymfollow",   OPTION_SET,         MOUNT_ATTR_NOSYMFOLLOW,    true },
        {"ro",             OPTION_SET,         MOUNT_ATTR_RDONLY,         false},
        {"rprivate",       OPTION_PROPAGATION, MS_PRIVATE | MS_REC,       false},
        {"rrelatime",      OPTION_ATIME,       MS_RELATIME,               true },
        {"rro",            OPTION_SET,         MOUNT_ATTR_RDONLY,         true },
        {"rrw",            OPTION_CLEAR,       MOUNT_ATTR_RDONLY,         true },
        {"rshared",        OPTION_PROPAGATION, MS_SHARED | MS_REC,        false},
        {"rslave",         OPTION_PROPAGATION, MS_SLAVE | MS_REC,         false},
        {"rstrictatime",   OPTION_ATIME,       MS_STRICTATIME,            true },
        {"rsuid",          OPTION_CLEAR,       MOUNT_ATTR_NOSUID,         true },
        {"rsymfollow",     OPTION_CLEAR,       MOUNT_ATTR_NOSYMFOLLOW,    true },
        {"runbindable",    OPTION_PROPAGATION, MS_UNBINDABLE | MS_REC,    false},
        {"rw",             OPTION_CLEAR,       MOUNT_ATTR_RDONLY,         false},
        {"shared",         OPTION_PROPAGATION, MS_SHARED,                 false},
        {"silent",         OPTION_NOTHING,     0,                         false},
        {"slave",          OPTION_PROPAGATION, MS_SLAVE,                  false},
        {"src-nofollow",   OPTION_LINK,        LINK_SOURCE_NOFOLLOW,      false},
        {"strictatime",    OPTION_ATIME,       MS_STRICTATIME,            false},
        {"suid",           OPTION_CLEAR,       MOUNT_ATTR_NOSUID,         false},
        {"symfollow",      OPTION_CLEAR,       MOUNT_ATTR_NOSYMFOLLOW,    false},
        {"sync",           OPTION_SUPERBLOCK,  0,                         false},
        {"tmpcopyup",      OPTION_COPY_UP,     0,                         false},
        {"unbindable",     OPTION_PROPAGATION, MS_UNBINDABLE,             false},
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
