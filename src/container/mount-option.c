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
        {"async",                 OPTION_SUPERBLOCK                  },
        {"atime",           OPTION_ATIME,                 MOUNT_ATTR_RELATIME},
        {"bind",            OPTION_BIND                                   },
        {"copy-symlink",                      OPTION_REFUSED,                                                    0, false, LINK_REASON},
        {"defaults",              OPTION_NOTHING                     },
        {           "dest-nofollow",         OPTION_REFUSED,                                   0, false, LINK_REASON},
        {"dev",                       OPTION_CLEAR,                                                      MOUNT_ATTR_NODEV},
        {                        "diratime",                       OPTION_CLEAR,                                                 MOUNT_ATTR_NODIRATIME},
        {"dirsync",                       OPTION_SUPERBLOCK                                                 },
        {                    "exec",                  OPTION_CLEAR,                        MOUNT_ATTR_NOEXEC},
        {"idmap",                 OPTION_REFUSED,                      0, false, IDMAP_REASON},
        {                                    "lazytime",           OPTION_SUPERBLOCK                                             },
        {"loud",                       OPTION_NOTHING       },
        {"mand",                  OPTION_SUPERBLOCK                  },
        {"noatime",           OPTION_ATIME,                  MOUNT_ATTR_NOATIME},
        {"nodev",             OPTION_SET,                    MOUNT_ATTR_NODEV},
        {"nodiratime",             OPTION_SET,               MOUNT_ATTR_NODIRATIME},
        {"noexec",             OPTION_SET,                   MOUNT_ATTR_NOEXEC},
        {"noiversion",         OPTION_NOTHING                                   },
        {"nolazytime",                       OPTION_SUPERBLOCK                                                  },
        {"nomand",            OPTION_SUPERBLOCK                      },
        {"norelatime",           OPTION_NOTHING              },
        {"nostrictatime",             OPTION_ATIME,                   MOUNT_ATTR_RELATIME},
        {"nosuid",             OPTION_SET,                      MOUNT_ATTR_NOSUID},
        {"nosymfollow",     OPTION_SET,                    MOUNT_ATTR_NOSYMFOLLOW},
        {"private",           OPTION_PROPAGATION,           MS_PRIVATE},
        {"ratime",                 OPTION_ATIME,                   MOUNT_ATTR_RELATIME, true},
        {"rbind",                       OPTION_BIND,                                                     0, true},
        {"rdev",                   OPTION_CLEAR,                                                      MOUNT_ATTR_NODEV, true},
        {"rdiratime",  OPTION_CLEAR,                                 MOUNT_ATTR_NODIRATIME, true},
        {"relatime",           OPTION_ATIME,                 MOUNT_ATTR_RELATIME},
        {"remount",         OPTION_REFUSED,                                   0, false, "there is nothing to remount"},
        {"rexec",                       OPTION_CLEAR,                                                    MOUNT_ATTR_NOEXEC, true},
        {                      "ridmap",                   OPTION_REFUSED,                                                      0, false, IDMAP_REASON},
        {"rnoatime",                      OPTION_ATIME,MOUNT_ATTR_NOATIME, true},
        {"rnodev",              OPTION_SET,                MOUNT_ATTR_NODEV, true},
        {"rnodiratime",                       OPTION_SET,                                                   MOUNT_ATTR_NODIRATIME, true},
        {                                         "rnoexec",                   OPTION_SET,                                                      MOUNT_ATTR_NOEXEC, true},
        {"rnorelatime",  OPTION_ATIME,MOUNT_ATTR_RELATIME, true},
        {"rnostrictatime",OPTION_ATIME,MOUNT_ATTR_RELATIME, true},
        {"rnosuid",           OPTION_SET,                                 MOUNT_ATTR_NOSUID, true},
        {"rnosymfollow",                       OPTION_SET,                                           MOUNT_ATTR_NOSYMFOLLOW, true},
        {                                                      "ro",                   OPTION_SET,                                                      MOUNT_ATTR_RDONLY},
        {                                                                                          "rprivate",      OPTION_PROPAGATION,     MS_PRIVATE | MS_REC},
        {"rrelatime",OPTION_ATIME,MOUNT_ATTR_RELATIME, true},
        {"rro",                    OPTION_SET,                           MOUNT_ATTR_RDONLY, true},
        {"rrw",              OPTION_CLEAR,                          MOUNT_ATTR_RDONLY, true},
        {"rshared",             OPTION_PROPAGATION,                                              MS_SHARED | MS_REC},
        {                                                             "rslave",                       OPTION_PROPAGATION,                                                      MS_SLAVE | MS_REC},
        {                                                                   "rstrictatime",                   OPTION_ATIME,                                                      MOUNT_ATTR_STRICTATIME, true},
        {                                                                                                                                                   "rsuid",      OPTION_CLEAR,            MOUNT_ATTR_NOSUID, true},
        {"rsymfollow",OPTION_CLEAR,MOUNT_ATTR_NOSYMFOLLOW, true},
        {"runbindable",OPTION_PROPAGATION,MS_UNBINDABLE | MS_REC},
        {"rw",OPTION_CLEAR,MOUNT_ATTR_RDONLY},
        {"shared",                 OPTION_PROPAGATION,                                   MS_SHARED},
        {"silent",                       OPTION_NOTHING                                              },
        {                               "slave",                   OPTION_PROPAGATION,                                                      MS_SLAVE},
        {                                                                             "src-nofollow", OPTION_REFUSED,                                                                                         0, false, LINK_REASON},
        {                                                                                                                                          "strictatime",      OPTION_ATIME,                                                                                         MOUNT_ATTR_STRICTATIME},
        {                                                                                                                                     "suid",              OPTION_CLEAR,               MOUNT_ATTR_NOSUID},
        {                                                                                                                                                    "symfollow",                       OPTION_CLEAR,      MOUNT_ATTR_NOSYMFOLLOW},
        {"sync",                       OPTION_SUPERBLOCK                                            },
        {"tmpcopyup",                  OPTION_COPY_UP                                         },
        {"unbindable",      OPTION_PROPAGATION,MS_UNBINDABLE},
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
