/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* config.json of runtime-spec 1.3 as C structs: what the file says, nothing derived, nothing decided. Arrays
 * are pointer and count; strings and arrays are NULL when absent; a scalar whose absence means something has
 * a Maybe type. Everything belongs to the OciConfig and is freed with it. Names and order follow config.md
 * and config-linux.md. */

typedef struct MaybeInt {
        bool set;
        int64_t value;
} MaybeInt;

typedef struct MaybeUint {
        bool set;
        uint64_t value;
} MaybeUint;

typedef struct MaybeBool {
        bool set;
        bool value;
} MaybeBool;

typedef struct OciPair { /* one entry of an object of strings, in the file's order */
        char *key;
        char *value;
} OciPair;

typedef struct OciPairs {
        OciPair *items;
        size_t n;
} OciPairs;

typedef struct OciIdMapping {
        uint32_t container_id;
        uint32_t host_id;
        uint32_t size;
} OciIdMapping;

typedef struct OciIdMappings {
        OciIdMapping *items;
        size_t n;
} OciIdMappings;

typedef struct OciMount {
        char *destination; /* not empty; a relative one starts at the root */
        char *type;
        char *source;
        char **options; /* NULL-terminated, never NULL */
        OciIdMappings uid_mappings;
        OciIdMappings gid_mappings;
} OciMount;

typedef struct OciRlimit {
        char *type; /* "RLIMIT_NOFILE" */
        uint64_t soft;
        uint64_t hard;
} OciRlimit;

typedef struct OciCapabilities { /* NULL-terminated lists of "CAP_…"; NULL: absent */
        char **bounding;
        char **permitted;
        char **inheritable;
        char **effective;
        char **ambient;
} OciCapabilities;

typedef struct OciScheduler {
        char *policy;
        MaybeInt nice;
        MaybeInt priority;
        char **flags;
        MaybeUint runtime;
        MaybeUint deadline;
        MaybeUint period;
} OciScheduler;

typedef struct OciProcess {
        bool terminal;
        MaybeUint console_height;
        MaybeUint console_width;
        char *cwd;
        char **env;  /* never NULL */
        char **args; /* never NULL; may be empty */
        OciRlimit *rlimits;
        size_t n_rlimits;
        char *apparmor_profile;
        bool has_capabilities;
        OciCapabilities capabilities;
        bool no_new_privileges;
        MaybeInt oom_score_adj;
        OciScheduler *scheduler; /* NULL: absent, likewise below */
        char *selinux_label;
        char *io_priority_class;
        MaybeInt io_priority;
        char *exec_cpu_affinity_initial;
        char *exec_cpu_affinity_final;
        uint32_t uid;
        uint32_t gid;
        MaybeUint umask;
        uint32_t *additional_gids;
        size_t n_additional_gids;
} OciProcess;

typedef struct OciHook {
        char *path;
        char **args;      /* NULL: absent */
        char **env;       /* NULL: absent */
        MaybeInt timeout; /* seconds, > 0 */
} OciHook;

typedef enum OciHookKind { /* in the order in which they run */
                           OCI_HOOK_PRESTART,
                           OCI_HOOK_CREATE_RUNTIME,
                           OCI_HOOK_CREATE_CONTAINER,
                           OCI_HOOK_START_CONTAINER,
                           OCI_HOOK_POSTSTART,
                           OCI_HOOK_POSTSTOP,
                           OCI_HOOK_KINDS,
} OciHookKind;

typedef struct OciHooks {
        OciHook *items;
        size_t n;
} OciHooks;

typedef struct OciNamespace {
        int type;   /* CLONE_NEWNS, CLONE_NEWPID, …, CLONE_NEWTIME of linux/sched.h */
        char *path; /* NULL: a new one */
} OciNamespace;

typedef struct OciDevice {
        char type; /* 'b', 'c' (also for "u") or 'p' */
        char *path;
        int64_t major; /* 0 where a 'p' has none */
        int64_t minor;
        MaybeUint file_mode; /* permissions; bits of a file type are dropped */
        MaybeUint uid;
        MaybeUint gid;
} OciDevice;

typedef struct OciDeviceRule {
        bool allow;
        char type;     /* 'a', 'b', 'c' */
        int64_t major; /* -1: all */
        int64_t minor;
        bool read, write, mknod; /* absent access: all to deny, none to allow a 'b' or 'c' */
} OciDeviceRule;

typedef struct OciThrottle {
        int64_t major;
        int64_t minor;
        uint64_t rate;
} OciThrottle;

typedef struct OciThrottles {
        OciThrottle *items;
        size_t n;
} OciThrottles;

typedef struct OciWeightDevice {
        int64_t major;
        int64_t minor;
        MaybeUint weight;
        MaybeUint leaf_weight;
} OciWeightDevice;

typedef struct OciHugepageLimit {
        char *page_size; /* "2MB" */
        uint64_t limit;
} OciHugepageLimit;

typedef struct OciRdma {
        char *device;
        MaybeUint hca_handles;
        MaybeUint hca_objects;
} OciRdma;

typedef struct OciResources {
        OciDeviceRule *devices;
        size_t n_devices;
        struct {
                MaybeInt limit, reservation, swap, kernel, kernel_tcp;
                MaybeUint swappiness;
                MaybeBool disable_oom_killer, use_hierarchy, check_before_update;
        } memory;
        struct {
                MaybeUint shares, period, burst, realtime_period;
                MaybeInt quota, realtime_runtime, idle;
                char *cpus;
                char *mems;
        } cpu;
        MaybeInt pids_limit;
        struct {
                MaybeUint weight, leaf_weight;
                OciWeightDevice *weight_devices;
                size_t n_weight_devices;
                OciThrottles read_bps, write_bps, read_iops, write_iops;
        } block_io;
        OciHugepageLimit *hugepage_limits;
        size_t n_hugepage_limits;
        OciRdma *rdma;
        size_t n_rdma;
        MaybeUint network_class_id;
        OciPairs network_priorities; /* name, priority as text */
        OciPairs unified;
} OciResources;

typedef struct OciSeccompArg {
        uint32_t index;
        uint64_t value;
        uint64_t value_two;
        char *op; /* "SCMP_CMP_EQ" */
} OciSeccompArg;

typedef struct OciSeccompSyscall {
        char **names;
        char *action;
        MaybeUint errno_ret;
        OciSeccompArg *args;
        size_t n_args;
} OciSeccompSyscall;

typedef struct OciSeccomp {
        char *default_action;
        MaybeUint default_errno_ret;
        char **architectures;
        char **flags;
        char *listener_path;
        char *listener_metadata;
        OciSeccompSyscall *syscalls;
        size_t n_syscalls;
} OciSeccomp;

typedef struct OciIntelRdt {
        char *clos_id;
        char *l3_cache_schema;
        char *mem_bw_schema;
        char **schemata;
        bool enable_monitoring;
} OciIntelRdt;

typedef struct OciTimeOffset {
        char *clock; /* "monotonic", "boottime" */
        int64_t seconds;
        uint32_t nanoseconds;
} OciTimeOffset;

typedef struct OciLinux {
        OciNamespace *namespaces;
        size_t n_namespaces;
        OciIdMappings uid_mappings;
        OciIdMappings gid_mappings;
        OciTimeOffset *time_offsets;
        size_t n_time_offsets;
        OciDevice *devices;
        size_t n_devices;
        OciPairs net_devices; /* host name, name inside or NULL */
        char *cgroups_path;
        OciResources *resources; /* NULL: absent */
        OciPairs sysctl;
        OciSeccomp *seccomp; /* NULL: absent */
        char *rootfs_propagation;
        char **masked_paths;
        char **readonly_paths;
        char *mount_label;
        char *personality_domain;
        char *memory_policy_mode;
        char *memory_policy_nodes;
        char **memory_policy_flags;
        OciIntelRdt *intel_rdt;
} OciLinux;

typedef struct OciConfig {
        char *oci_version;
        char *root_path; /* never NULL: Linux requires a root */
        bool root_readonly;
        OciMount *mounts;
        size_t n_mounts;
        OciProcess *process; /* NULL: absent (an error at start only) */
        char *hostname;
        char *domainname;
        OciHooks hooks[OCI_HOOK_KINDS];
        OciPairs annotations;
        OciLinux linux; /* all empty when absent */
} OciConfig;

void oci_config_free(OciConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OciConfig, oci_config_free)

/**
 * oci_config_load:
 * @dir_fd: a directory fd or AT_FDCWD
 * @path: of the file, relative to @dir_fd
 * @ret_text: (nullable) (transfer full): the file as it was read, to be kept with the container
 * @error: names the file and the JSON path: "config.json: linux.namespaces[2].type: 'netwrok' is not a
 * namespace type (did you mean 'network'?)"
 *
 * Reads, decodes and checks a config: types, ranges, and every MUST of the spec that can be told from the
 * values alone. The file must be a regular one of at most 16 MiB, in UTF-8.
 */
OciConfig *oci_config_load(int dir_fd, const char *path, char **ret_text, GError **error);

/**
 * oci_config_parse:
 * The same for a text in memory; @name stands for the file in messages.
 */
OciConfig *oci_config_parse(const char *text, gsize size, const char *name, GError **error);

/**
 * oci_pairs_get:
 * Returns (nullable) (transfer none): the value of @key, the last one if it stands there twice.
 */
const char *oci_pairs_get(const OciPairs *pairs, const char *key);

/**
 * oci_id_mappings_find:
 * @ret_id: the host's ID for @id of the container's user namespace
 * Returns false for one that is not mapped.
 */
bool oci_id_mappings_find(const OciIdMappings *mappings, uint32_t id, uint32_t *ret_id);

/**
 * oci_hook_kind_name:
 * Returns "prestart", "createRuntime", ….
 */
const char *oci_hook_kind_name(OciHookKind kind);

/**
 * oci_config_namespace:
 * Returns (nullable) (transfer none): the entry for CLONE_NEW… @type, or NULL when the container shares the
 * caller's.
 */
const OciNamespace *oci_config_namespace(const OciConfig *config, int type);

/**
 * oci_namespace_name:
 * Returns "mount", "pid", "network", … for CLONE_NEW… @type.
 */
const char *oci_namespace_name(int type);

/**
 * oci_namespace_name_at:
 * For walks over them: the name of the namespace type number @index, NULL beyond the last one.
 */
const char *oci_namespace_name_at(int index);

/**
 * oci_sysctl_path:
 * Returns (transfer full): the path below /proc/sys that linux.sysctl's @key means, in either spelling of
 * sysctl(8): "net/ipv4/ip_forward" for "net.ipv4.ip_forward" and for itself.
 */
char *oci_sysctl_path(const char *key);

/**
 * oci_sysctl_namespace:
 * @path: below /proc/sys
 * Returns: CLONE_NEW… of the namespace that the sysctl belongs to, or 0 for one of the host.
 */
int oci_sysctl_namespace(const char *path);

/**
 * oci_process_load, oci_process_parse, oci_resources_load, oci_resources_parse:
 * Like oci_config_load() and oci_config_parse() for a process object alone (`exec --process`) and a resources
 * object alone (`update --resources`). JSON paths in messages start at that object.
 * The file may be a pipe as well.
 */
OciProcess *oci_process_load(int dir_fd, const char *path, GError **error);
OciProcess *oci_process_parse(const char *text, gsize size, const char *name, GError **error);
void oci_process_free(OciProcess *process);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OciProcess, oci_process_free)

OciResources *oci_resources_load(int dir_fd, const char *path, GError **error);
OciResources *oci_resources_parse(const char *text, gsize size, const char *name, GError **error);
void oci_resources_free(OciResources *resources);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OciResources, oci_resources_free)
