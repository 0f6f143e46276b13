/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A config for somebody to edit. What is in it are the restrictions that engines put on containers as well.
 */

#include "oci/example-config.h"

#include <json-glib/json-glib.h>

#include "oci/state.h"

#define N_WORDS 8

typedef const char *Words[N_WORDS]; /* up to the first NULL */

static const Words program = {"sh"};
static const Words environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                  "TERM=xterm"};
static const Words capabilities = {"CAP_AUDIT_WRITE", "CAP_KILL", "CAP_NET_BIND_SERVICE"};
static const char *const capability_sets[] = {"bounding", "effective", "permitted"};
static const Words namespaces = {"pid", "network", "ipc", "uts", "mount", "cgroup"};
static const Words namespaces_rootless = {"pid", "ipc", "uts", "mount", "cgroup", "user"};
static const Words readonly_paths = {"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                                     "/proc/sysrq-trigger"};

static const char *const masked_paths[] = {
        "/proc/acpi",
        "/proc/asound",
        "/proc/interrupts",
        "/proc/kcore",
        "/proc/keys",
        "/proc/latency_stats",
        "/proc/sched_debug",
        "/proc/scsi",
        "/proc/timer_list",
        "/proc/timer_stats",
        "/sys/devices/virtual/powercap",
        "/sys/firmware",
};

typedef enum MountFor { FOR_ALL, FOR_ROOT, FOR_ROOTLESS } MountFor;

/* /sys is the host's where the network namespace is: only its owner may mount it. The group of terminals is
 * none that a user namespace with one ID knows. */
static const struct {
        const char *destination, *type, *source;
        MountFor who;
        Words options;
} mounts[] = {
        {"/proc",          "proc",   "proc",   FOR_ALL,      {NULL}                                                                    },
        {"/dev",           "tmpfs",  "tmpfs",  FOR_ALL,      {"nosuid", "strictatime", "mode=755", "size=65536k"}                      },
        {"/dev/pts",
         "devpts",                   "devpts",
         FOR_ROOT,                                           {"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"}},
        {"/dev/pts",
         "devpts",                   "devpts",
         FOR_ROOTLESS,                                       {"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"}         },
        {"/dev/shm",       "tmpfs",  "shm",    FOR_ALL,      {"nosuid", "noexec", "nodev", "mode=1777", "size=65536k"}                 },
        {"/dev/mqueue",    "mqueue", "mqueue", FOR_ALL,      {"nosuid", "noexec", "nodev"}                                             },
        {"/sys",           "sysfs",  "sysfs",  FOR_ROOT,     {"nosuid", "noexec", "nodev", "ro"}                                       },
        {"/sys",           "none",   "/sys",   FOR_ROOTLESS, {"rbind", "nosuid", "noexec", "nodev", "ro"}                              },
        {"/sys/fs/cgroup", "cgroup", "cgroup", FOR_ALL,      {"nosuid", "noexec", "nodev", "relatime", "ro"}                           },
};

static void begin(JsonBuilder *builder, const char *name) {
        json_builder_set_member_name(builder, name);
        json_builder_begin_object(builder);
}

static void begin_array(JsonBuilder *builder, const char *name) {
        json_builder_set_member_name(builder, name);
        json_builder_begin_array(builder);
}

static void add_string(JsonBuilder *builder, const char *name, const char *value) {
        json_builder_set_member_name(builder, name);
        json_builder_add_string_value(builder, value);
}

static void add_number(JsonBuilder *builder, const char *name, gint64 value) {
        json_builder_set_member_name(builder, name);
        json_builder_add_int_value(builder, value);
}

static void add_bool(JsonBuilder *builder, const char *name, bool value) {
        json_builder_set_member_name(builder, name);
        json_builder_add_boolean_value(builder, value);
}

static void add_words(JsonBuilder *builder, const char *name, const char *const *words, size_t n) {
        begin_array(builder, name);
        for (size_t i = 0; i < n && words[i]; i++)
                json_builder_add_string_value(builder, words[i]);
        json_builder_end_array(builder);
}

static void add_process(JsonBuilder *builder) {
        begin(builder, "process");
        add_bool(builder, "terminal", true);
        begin(builder, "user");
        add_number(builder, "uid", 0);
        add_number(builder, "gid", 0);
        json_builder_end_object(builder);
        add_words(builder, "args", program, N_WORDS);
        add_words(builder, "env", environment, N_WORDS);
        add_string(builder, "cwd", "/");
        begin(builder, "capabilities");
        for (size_t i = 0; i < G_N_ELEMENTS(capability_sets); i++)
                add_words(builder, capability_sets[i], capabilities, N_WORDS);
        json_builder_end_object(builder);
        begin_array(builder, "rlimits");
        json_builder_begin_object(builder);
        add_string(builder, "type", "RLIMIT_NOFILE");
        add_number(builder, "hard", 1024);
        add_number(builder, "soft", 1024);
        json_builder_end_object(builder);
        json_builder_end_array(builder);
        add_bool(builder, "noNewPrivileges", true);
        json_builder_end_object(builder);
}

static void add_mounts(JsonBuilder *builder, bool rootless) {
        begin_array(builder, "mounts");
        for (size_t i = 0; i < G_N_ELEMENTS(mounts); i++) {
                if (mounts[i].who == (rootless ? FOR_ROOT : FOR_ROOTLESS))
                        continue;
                json_builder_begin_object(builder);
                add_string(builder, "destination", mounts[i].destination);
                add_string(builder, "type", mounts[i].type);
                add_string(builder, "source", mounts[i].source);
                if (mounts[i].options[0])
                        add_words(builder, "options", mounts[i].options, N_WORDS);
                json_builder_end_object(builder);
        }
        json_builder_end_array(builder);
}

static void add_id_map(JsonBuilder *builder, const char *name, gint64 host_id) {
        begin_array(builder, name);
        json_builder_begin_object(builder);
        add_number(builder, "containerID", 0);
        add_number(builder, "hostID", host_id);
        add_number(builder, "size", 1);
        json_builder_end_object(builder);
        json_builder_end_array(builder);
}

static void add_resources(JsonBuilder *builder) {
        begin(builder, "resources");
        begin_array(builder, "devices");
        json_builder_begin_object(builder);
        add_bool(builder, "allow", false);
        add_string(builder, "access", "rwm");
        json_builder_end_object(builder);
        json_builder_end_array(builder);
        json_builder_end_object(builder);
}

static void add_linux(JsonBuilder *builder, bool rootless, uid_t uid, gid_t gid) {
        const char *const *types = rootless ? namespaces_rootless : namespaces;

        begin(builder, "linux");
        if (rootless) {
                add_id_map(builder, "uidMappings", uid);
                add_id_map(builder, "gidMappings", gid);
        } else {
                add_resources(builder);
        }
        begin_array(builder, "namespaces");
        for (size_t i = 0; i < N_WORDS && types[i]; i++) {
                json_builder_begin_object(builder);
                add_string(builder, "type", types[i]);
                json_builder_end_object(builder);
        }
        json_builder_end_array(builder);
        add_words(builder, "maskedPaths", masked_paths, G_N_ELEMENTS(masked_paths));
        add_words(builder, "readonlyPaths", readonly_paths, N_WORDS);
        json_builder_end_object(builder);
}

char *oci_example_config(bool rootless, uid_t uid, gid_t gid) {
        g_autoptr(JsonBuilder) builder = json_builder_new();
        g_autoptr(JsonNode) root = NULL;

        json_builder_begin_object(builder);
        add_string(builder, "ociVersion", OCI_VERSION);
        add_process(builder);
        begin(builder, "root");
        add_string(builder, "path", "rootfs");
        add_bool(builder, "readonly", true);
        json_builder_end_object(builder);
        add_string(builder, "hostname", "unitrun");
        add_mounts(builder, rootless);
        add_linux(builder, rootless, uid, gid);
        json_builder_end_object(builder);
        root = json_builder_get_root(builder);
        return json_to_string(root, /* pretty= */ true);
}
