/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What unitrun-init does, decided beforehand by the front end (container/plan-*.c): strings, numbers, and fds
 * that it inherits under the numbers that stand here. It reaches unitrun-init as an image (base/image.h).
 *
 * This file is the contract between container/ and init/. Entries that come from a place in config.json carry
 * its JSON path as @name ("mounts[3]"), for messages. fds are -EBADF where there is none. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hook/hook.h"

#define INIT_PLAN_VERSION UINT64_C(0x696e697400000001)

/* A namespace to be joined. The front end opened it and made sure of its type. */
typedef struct NamespacePlan {
        char *name;
        int32_t type; /* CLONE_NEW… */
        int32_t fd;
} NamespacePlan;

typedef enum MountKind {
        MOUNT_FILESYSTEM, /* whatever fsopen(2) knows under @type */
        MOUNT_BIND,
        MOUNT_TMPFS,
        MOUNT_PROC,
        MOUNT_SYSFS,
        MOUNT_CGROUP,  /* always cgroup2, whatever the config calls it */
        MOUNT_REMOUNT, /* nothing new: other flags and parameters for what is mounted there */
} MountKind;

/* What symbolic links at the ends of a bind mount mean. */
typedef enum MountLinks {
        LINK_COPY = 1 << 0,                 /* a link as the source is made anew at the destination */
        LINK_SOURCE_NOFOLLOW = 1 << 1,      /* it is mounted itself */
        LINK_DESTINATION_NOFOLLOW = 1 << 2, /* a link as the destination is covered itself */
} MountLinks;

typedef enum IdMapKind {
        ID_MAP_NONE,
        ID_MAP_CONTAINER, /* that of the container's user namespace, new or joined */
        ID_MAP_OWN,       /* plan->id_maps[id_map] */
} IdMapKind;

/* The mapping of an ID-mapped mount: what is written to the maps of a user namespace made for it. */
typedef struct IdMapPlan {
        char *name; /* of the first mount that has it */
        char *uid_map;
        char *gid_map;
} IdMapPlan;

/* Flags of one mount, or of it and all below it: MOUNT_ATTR_… of mount_setattr(2). Nothing that is in neither
 * is touched, so flags that the kernel locked in a user namespace stay as they are. */
typedef struct MountFlags {
        uint64_t set;
        uint64_t clear;
} MountFlags;

typedef struct MountPlan {
        char *name;
        uint32_t kind;     /* MountKind */
        char *destination; /* absolute inside the rootfs, without ".", ".." and repeated slashes */
        char *type;        /* of the filesystem; NULL for binds */
        char *source;      /* absolute for binds */
        char *options;     /* as they stand in the config, for messages */
        char **parameters; /* for fsconfig(2): "size=64k", "newinstance" */
        MountFlags flags;
        uint64_t drop; /* cleared as well, unless the kernel has locked it (mount_namespaces(7)) */
        MountFlags recursive_flags;
        char *label;          /* the SELinux context that its root gets as an attribute, or NULL */
        uint32_t links;       /* MountLinks */
        uint32_t id_map_kind; /* IdMapKind */
        size_t id_map;
        bool id_map_recursive; /* ridmap */
        uint32_t *propagation; /* MS_SHARED, MS_SLAVE | MS_REC, … in the config's order */
        size_t n_propagation;
        bool recursive; /* rbind */
        bool copy_up;   /* tmpcopyup: a tmpfs starts with what the directory below it holds */
        bool has_mode;  /* tmpfs: mode= was given; else it takes that of the directory it covers */
} MountPlan;

typedef struct DevicePlan {
        char *name;
        char *path;    /* like MountPlan.destination */
        uint32_t mode; /* S_IFCHR, S_IFBLK or S_IFIFO and the permissions */
        uint32_t major;
        uint32_t minor;
        uint32_t uid;
        uint32_t gid;
} DevicePlan;

typedef struct LinkPlan {
        char *path;
        char *target;
} LinkPlan;

typedef struct RlimitPlan {
        char *name; /* "RLIMIT_NOFILE" */
        int32_t resource;
        uint64_t soft;
        uint64_t hard;
} RlimitPlan;

typedef struct SysctlPlan {
        char *name; /* linux.sysctl["net.ipv4.ip_forward"] */
        char *path; /* below /proc/sys */
        char *value;
} SysctlPlan;

typedef struct CapabilityPlan { /* bit N is capability N */
        uint64_t bounding;
        uint64_t permitted;
        uint64_t inheritable;
        uint64_t effective;
        uint64_t ambient;
} CapabilityPlan;

/* sched_setattr(2) */
typedef struct SchedulerPlan {
        uint32_t policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime;
        uint64_t deadline;
        uint64_t period;
} SchedulerPlan;

typedef struct CpuMask {
        uint8_t *bytes; /* NULL: none given */
        size_t size;    /* a multiple of sizeof(unsigned long) */
} CpuMask;

/* set_mempolicy(2) */
typedef struct MemoryPolicyPlan {
        char *name;
        int32_t mode; /* with its flags */
        CpuMask nodes;
} MemoryPolicyPlan;

typedef struct InitPlan {
        char *id;

        /* fds */
        int32_t setup_fd;
        int32_t gate_fd;
        int32_t console_fd;
        int32_t reaper_fd;    /* >= 0: the stage stays as the reaper */
        int32_t stdio_fds[3]; /* the program's 0, 1, 2; -EBADF: the caller's */
        int32_t *preserve_fds;
        size_t n_preserve_fds;

        /* `exec`: a process joins a container that is there; all about building one is unset */
        bool orphan; /* init becomes the child of the manager (PID 1 or a subreaper), not of the front end:
                        the stage is its parent and ends */
        bool is_exec;
        int32_t exec_pidfd;       /* of the container's init */
        int32_t exec_root_fd;     /* its root, where that is not its mount namespace's own; else -EBADF */
        int32_t exec_listener_fd; /* a connection to the listener of seccomp notifications, or -EBADF */
        uint32_t exec_namespaces; /* CLONE_NEW…: of init's, those that are not ours */

        /* `restore`: criu makes the processes, and the plan says what it finds there */
        bool is_restore;
        char *criu;      /* the program */
        int32_t criu_fd; /* the socket on which it is asked */
        char *criu_yard; /* a directory for its mounts of control groups */

        /* namespaces */
        uint32_t new_namespaces; /* CLONE_NEW…, all kinds */
        NamespacePlan *join;
        size_t n_join;
        char *time_offsets; /* for /proc/self/timens_offsets, or NULL */

        /* hooks */
        bool runtime_hooks; /* report SETUP_MOUNTED and wait for SETUP_HOOKS_DONE */
        Hook *create_container_hooks;
        size_t n_create_container_hooks;
        Hook *start_container_hooks;
        size_t n_start_container_hooks;
        /* The state for them, cut where the pid belongs: only init knows it as it is seen inside. */
        char *create_container_state[2];
        char *start_container_state[2];

        /* the file system */
        char *rootfs; /* absolute */
        bool rootfs_readonly;
        bool no_pivot;
        bool host_mounts; /* no mount namespace is new: all is mounted in the caller's or a joined one */
        bool host_stays_shared;      /* rootfsPropagation (r)shared: don't turn the host's mounts to slaves */
        uint32_t rootfs_propagation; /* MS_…, 0: as it comes */
        char *cgroup_root;           /* where the host has cgroup2 mounted */
        IdMapPlan *id_maps;
        size_t n_id_maps;
        MountPlan *mounts;
        size_t n_mounts;
        size_t n_early_mounts; /* the first ones, which need not wait until init is in its cgroup */
        DevicePlan *devices;
        size_t n_devices;
        LinkPlan *links;
        size_t n_links;
        char **masked_paths; /* NULL: none */
        char **readonly_paths;

        /* the process */
        bool has_process; /* false: the config has none; init waits at the gate and can't be started */
        char *hostname;
        char *domainname;
        SysctlPlan *sysctls;
        size_t n_sysctls;
        RlimitPlan *rlimits;
        size_t n_rlimits;
        bool has_oom_score_adj;
        int32_t oom_score_adj;
        bool oom_score_adj_optional; /* no privilege to lower it: it stays as it is */
        char *session_keyring;       /* NULL: keep the caller's */
        bool has_personality;
        uint64_t personality;
        SchedulerPlan *scheduler; /* NULL: none */
        bool has_io_priority;
        int32_t io_priority;             /* IOPRIO_PRIO_VALUE() */
        MemoryPolicyPlan *memory_policy; /* NULL: leave */
        CpuMask cpu_affinity_initial;
        CpuMask cpu_affinity_final;
        char *apparmor_profile;
        char *selinux_label;
        CapabilityPlan capabilities;
        uint32_t uid;
        uint32_t gid;
        uint32_t *groups;
        size_t n_groups;
        bool keep_groups; /* run.oci.keep_original_groups */
        uint32_t umask;
        bool no_new_privileges;
        /* A memfd that holds struct sock_filter[] by the time SETUP_MOVED is sent, or -EBADF: compiling takes
         * longer than starting init, so the front end does it afterwards. */
        int32_t seccomp_fd;
        uint64_t seccomp_flags;
        /* SCMP_ACT_NOTIFY is among the actions: start passes a connection to the listener through the gate.
         * The container process state that is sent there, cut where the pid belongs: once for `exec`. */
        bool seccomp_notify;
        char *seccomp_state[3];
        bool terminal;
        uint16_t console_rows; /* 0: leave */
        uint16_t console_columns;
        bool console_plain_lines; /* no carriage returns before its newlines */
        char *cwd;
        char **env;
        bool listen_pid; /* LISTEN_PID is to be added to it */
        char **args;
} InitPlan;
