/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Config in, plan as text out. */

#include <string.h>

#include "plan-helper.h"

typedef struct Row {
        const char *name;
        const char *process, *linux_, *rest;
        const char *prefix;   /* of the lines looked at */
        const char *expected; /* those lines, or the error */
} Row;

/* Macros, because the columns would not fit side by side. */
#define ROW(...)                                                                                             \
        { __VA_ARGS__ }
#define MOUNT(name, json, expected)           ROW(name, NULL, NULL, ", \"mounts\": [" json "]", "mounts[", expected)
#define LINUX(name, json, prefix, expected)   ROW(name, NULL, ", " json, NULL, prefix, expected)
#define PROCESS(name, json, prefix, expected) ROW(name, ", " json, NULL, NULL, prefix, expected)

#define MAPPINGS                                                                                             \
        " \"uidMappings\": [{\"containerID\": 0, \"hostID\": 1, \"size\": 1}],"                              \
        " \"gidMappings\": [{\"containerID\": 0, \"hostID\": 1, \"size\": 1}]"

#define USER_NAMESPACE                                                                                       \
        ", \"uidMappings\": [{\"containerID\": 0, \"hostID\": 1000, \"size\": 50}],"                         \
        " \"gidMappings\": [{\"containerID\": 0, \"hostID\": 1000, \"size\": 50}]"

static const Row rows[] = {
        MOUNT("proc",
              "{\"destination\": \"/proc\", \"type\": \"proc\", \"source\": \"proc\","
              " \"options\": [\"nosuid\", \"noexec\", \"nodev\"]}",
              "mounts[0]: proc proc on /proc set=nosuid,nodev,noexec\n"),
        MOUNT("relative destination", "{\"destination\": \"./d/../t\", \"type\": \"tmpfs\"}",
              "mounts[0]: tmpfs tmpfs on /t\n"),
        ROW("relative destination, warning", NULL, NULL,
            ", \"mounts\": [{\"destination\": \"t\", \"type\": \"tmpfs\"}]", "warning",
            "warning mounts[0].destination: 't' is not an absolute path, taking it for '/t'\n"),
        MOUNT("spelling", "{\"destination\": \"//dev/./x/\", \"type\": \"tmpfs\"}",
              "mounts[0]: tmpfs tmpfs on /dev/x\n"),
        MOUNT("tmpfs",
              "{\"destination\": \"/t\", \"type\": \"tmpfs\", \"source\": \"tmpfs\","
              " \"options\": [\"size=64k\", \"mode=755\", \"ro\", \"strictatime\", \"tmpcopyup\"]}",
              "mounts[0]: tmpfs tmpfs on /t set=ro,strictatime clear=nodiratime [size=64k] [mode=755] "
              "copy-up\n"),
        MOUNT("relative source", "{\"destination\": \"/b\", \"type\": \"bind\", \"source\": \"dir/x\"}",
              "mounts[0]: bind /bundle/dir/x on /b\n"),
        MOUNT("bind",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"rbind\", \"rprivate\", "
              "\"ro\"]}",
              "mounts[0]: rbind /src on /b set=ro drop=nosuid,nodev,noexec,nosymfollow "
              "propagation=private,recursive\n"),
        MOUNT("last option wins",
              "{\"destination\": \"/b\", \"source\": \"/src\","
              " \"options\": [\"bind\", \"ro\", \"rw\", \"nodev\", \"dev\", \"noatime\", \"relatime\"]}",
              "mounts[0]: bind /src on /b clear=ro,nodev,nodiratime relatime "
              "drop=nosuid,noexec,nosymfollow\n"),
        MOUNT("access times taken back",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"bind\", \"noatime\", "
              "\"atime\", \"exec\"]}",
              "mounts[0]: bind /src on /b clear=noexec drop=ro,nosuid,nodev,nosymfollow\n"),
        MOUNT("nodiratime, and what is not said beside it",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"bind\", \"nodiratime\", "
              "\"norelatime\"]}",
              "mounts[0]: bind /src on /b set=nodiratime relatime drop=ro,nosuid,nodev,noexec,nosymfollow\n"),
        MOUNT("recursive access times",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"rbind\", \"rnodiratime\", "
              "\"ratime\"]}",
              "mounts[0]: rbind /src on /b rset=nodiratime rrelatime\n"),
        MOUNT("links",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"bind\", \"src-nofollow\", "
              "\"dest-nofollow\"]}",
              "mounts[0]: bind /src on /b links=source-nofollow,destination-nofollow\n"),
        MOUNT("remount", "{\"destination\": \"/\", \"options\": [\"remount\", \"ro\", \"size=1m\"]}",
              "mounts[0]: remount on / set=ro [size=1m]\n"),
        MOUNT("idmap, spec",
              "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\"]," MAPPINGS "}",
              "mounts[0]: bind /y on /x id-map=0\n"),
        ROW("idmap, mappings", NULL, USER_NAMESPACE,
            ", \"mounts\": [{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\"]," MAPPINGS
            "}, "
            "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\", "
            "\"idmap=uids=0-1-1;gids=0-1-1\"]},"
            "{\"destination\": \"/x\", \"source\": \"/y\","
            " \"options\": [\"bind\", \"ridmap=uids=0-9-2#@3-5-1;gids=@0-9-2\"]}]",
            "id-map",
            "id-map mounts[0] uids 0 1 1; gids 0 1 1;\nid-map mounts[2] uids 0 9 2;3 1005 1; gids 0 1009 "
            "2;\n"),
        ROW("idmap, the container's", NULL, USER_NAMESPACE,
            ", \"mounts\": [{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"rbind\", "
            "\"ridmap\"]}]",
            "mounts[", "mounts[0]: rbind /y on /x rid-map\n"),
        ROW("mount label", NULL, ", \"mountLabel\": \"u:r:t:s0:c1,c2\"",
            ", \"annotations\": {\"run.oci.mount_context_type\": \"rootcontext\"}, \"mounts\": ["
            "{\"destination\": \"/proc\", \"type\": \"proc\"}, {\"destination\": \"/t\", \"type\": "
            "\"tmpfs\", \"options\": [\"size=1m\"]},"
            "{\"destination\": \"/q\", \"type\": \"mqueue\"}, {\"destination\": \"/b\", \"source\": \"/\", "
            "\"options\": [\"bind\"]}]",
            "mounts[",
            "mounts[0]: proc proc on /proc\n"
            "mounts[1]: tmpfs tmpfs on /t [size=1m] [rootcontext=u:r:t:s0:c1,c2]\n"
            "mounts[2]: filesystem mqueue mqueue on /q label=u:r:t:s0:c1,c2\n"
            "mounts[3]: bind / on /b\n"),
        ROW("SELinux label", ", \"selinuxLabel\": \"u:r:t:s0:c1\"", NULL,
            ", \"annotations\": {\"run.oci.mount_context_type\": \"context\"}", "selinux",
            "selinux u:r:t:s0:c1\n"),
        LINUX("masks, once each", "\"maskedPaths\": [\"/a\", \"/b/\", \"//a/.\", \"/b\"]", "mask",
              "mask /a\nmask /b\n"),
        MOUNT("recursive flags",
              "{\"destination\": \"/b\", \"source\": \"/src\","
              " \"options\": [\"rbind\", \"rro\", \"rnoatime\", \"rsuid\"]}",
              "mounts[0]: rbind /src on /b rset=ro,noatime rclear=nosuid\n"),
        MOUNT("unknown options of a bind",
              "{\"destination\": \"/b\", \"source\": \"/src\", \"options\": [\"bind\", \"nosuchopt\"]}",
              "mounts[0]: bind /src on /b\n"),
        ROW("unknown options of a bind, warning", NULL, NULL,
            ", \"mounts\": [{\"destination\": \"/b\", \"source\": \"/src\", \"options\":"
            " [\"bind\", \"size=1k\", \"acl\"]}]",
            "warning",
            "warning mounts[0].options: 'size=1k' means nothing to a bind mount, ignoring\n"
            "warning mounts[0].options: 'acl' means nothing to a bind mount, ignoring\n"),
        MOUNT("unknown options of a filesystem",
              "{\"destination\": \"/t\", \"type\": \"tmpfs\", \"options\": [\"acl\"]}",
              "mounts[0]: tmpfs tmpfs on /t [acl]\n"),
        MOUNT("type bind alone", "{\"destination\": \"/b\", \"type\": \"bind\", \"source\": \"/src\"}",
              "mounts[0]: bind /src on /b\n"),
        MOUNT("device",
              "{\"destination\": \"/d\", \"type\": \"ext4\", \"source\": \"/dev/sda\","
              " \"options\": [\"ro\", \"sync\", \"data=ordered\"]}",
              "mounts[0]: filesystem ext4 /dev/sda on /d set=ro [sync] [data=ordered] [ro]\n"),
        MOUNT("cgroup goes last",
              "{\"destination\": \"/sys/fs/cgroup\", \"type\": \"cgroup\"},"
              "{\"destination\": \"/t\", \"type\": \"tmpfs\"}",
              "mounts[1]: tmpfs tmpfs on /t\nmounts[0]: cgroup cgroup on /sys/fs/cgroup\n"),
        MOUNT("cgroup stays below what covers it",
              "{\"destination\": \"/sys/fs/cgroup\", \"type\": \"cgroup\"},"
              "{\"destination\": \"/sys/fs/cgroup/x\", \"type\": \"tmpfs\"}",
              "mounts[0]: cgroup cgroup on /sys/fs/cgroup\nmounts[1]: tmpfs tmpfs on /sys/fs/cgroup/x\n"),
        LINUX("device defaults",
              "\"devices\": [{\"path\": \"//dev/foo/\", \"type\": \"c\", \"major\": 1, \"minor\": 3}]",
              "device /dev/foo", "device /dev/foo c 1:3 0666\n"),
        LINUX("device owner",
              "\"devices\": [{\"path\": \"/dev/b\", \"type\": \"b\", \"major\": 7, \"minor\": 0,"
              " \"fileMode\": 432, \"uid\": 5, \"gid\": 6}]",
              "device /dev/b", "device /dev/b b 7:0 0660 5:6\n"),
        LINUX("listed instead of default",
              "\"devices\": [{\"path\": \"/dev/null\", \"type\": \"c\", \"major\": 1, \"minor\": 3, "
              "\"fileMode\": 384}]",
              "device /dev/null", "device /dev/null c 1:3 0600\n"),
        ROW("nothing in a bound /dev", NULL, ", \"devices\": [{\"path\": \"/dev/x\", \"type\": \"p\"}]",
            ", \"mounts\": [{\"destination\": \"/dev/\", \"source\": \"/dev\", \"options\": [\"rbind\"]}]",
            "device ", ""),
        LINUX("fifo elsewhere", "\"devices\": [{\"path\": \"/run/x\", \"type\": \"p\"}]", "device /run",
              "device /run/x p 0:0 0666\n"),
        ROW("root", NULL, NULL, NULL, "rootfs ", "rootfs /bundle/rootfs\n"),
        LINUX("shared", "\"rootfsPropagation\": \"rshared\"", "rootfs ",
              "rootfs /bundle/rootfs propagation=shared,recursive host-stays-shared\n"),
        LINUX("slave", "\"rootfsPropagation\": \"slave\"", "rootfs ",
              "rootfs /bundle/rootfs propagation=slave\n"),
        LINUX("sysctl", "\"sysctl\": {\"net.ipv4.ip_forward\": \"1\"}", "sysctl ",
              "sysctl net/ipv4/ip_forward = 1\n"),
        LINUX("personality", "\"personality\": {\"domain\": \"LINUX32\"}", "personality", "personality 8\n"),
        ROW("hostname", NULL, NULL, ", \"hostname\": \"h\"", "hostname", "hostname h\n"),
        PROCESS("user", "\"user\": {\"uid\": 1, \"gid\": 2, \"additionalGids\": [3, 4], \"umask\": 63}",
                "user ", "user 1:2 umask 0077 groups 3,4\n"),
        ROW("default umask", NULL, NULL, NULL, "user ", "user 0:0 umask 0022\n"),
        ROW("annotations of crun that are ignored", NULL, NULL,
            ", \"annotations\": {\"run.oci.systemd.subgroup\": \"x\", \"run.oci.new\": \"1\", \"run.ocix\": "
            "\"1\"}",
            "warning",
            "warning annotations['run.oci.systemd.subgroup']: the sub-group is always 'payload', ignoring\n"),
        ROW("kept groups", NULL, NULL, ", \"annotations\": {\"run.oci.keep_original_groups\": \"1\"}",
            "user ", "user 0:0 umask 0022 keeps groups\n"),
        PROCESS("capabilities",
                "\"capabilities\": {\"bounding\": [\"CAP_CHOWN\", \"CAP_CHECKPOINT_RESTORE\"]}",
                "capabilities", "capabilities bounding CHOWN CHECKPOINT_RESTORE\n"),
        PROCESS("unknown capability", "\"capabilities\": {\"bounding\": [\"CAP_FOO\", \"chown\"]}", "warning",
                "warning process.capabilities.bounding[0]: 'CAP_FOO' is not a known capability, ignoring\n"
                "warning process.capabilities.bounding[1]: 'chown' is not a known capability, ignoring\n"),
        PROCESS("lacking capability", "\"capabilities\": {\"bounding\": [\"CAP_KILL\", \"CAP_SYS_BOOT\"]}",
                "capabilities", "capabilities bounding KILL\n"),
        PROCESS("lacking capability, warning",
                "\"capabilities\": {\"bounding\": [\"CAP_SYS_BOOT\"], \"effective\": [\"CAP_SYS_BOOT\"]}",
                "warning",
                "warning process.capabilities: CAP_SYS_BOOT can't be granted, unitrun lacks it itself, "
                "ignoring\n"),
        PROCESS("ambient",
                "\"capabilities\": {\"permitted\": [\"CAP_NET_RAW\"], \"ambient\": [\"CAP_NET_RAW\"]}",
                "warning",
                "warning process.capabilities.ambient: can't raise ambient capability CAP_NET_RAW: it is not "
                "both permitted and inheritable, "
                "ignoring\n"),
        PROCESS("rlimit",
                "\"rlimits\": [{\"type\": \"RLIMIT_NOFILE\", \"soft\": 1, \"hard\": 18446744073709551615}]",
                "rlimit", "rlimit RLIMIT_NOFILE 1 18446744073709551615\n"),
        PROCESS("oom score", "\"oomScoreAdj\": 0", "oom", "oom-score-adj 0\n"),
        PROCESS("io priority", "\"ioPriority\": {\"class\": \"IOPRIO_CLASS_IDLE\", \"priority\": 3}", "io-",
                "io-priority 24579\n"),
        PROCESS("scheduler", "\"scheduler\": {\"policy\": \"SCHED_BATCH\", \"nice\": 5}", "scheduler",
                "scheduler 3 nice 5 priority 0\n"),
        PROCESS("real-time scheduler",
                "\"scheduler\": {\"policy\": \"SCHED_RR\", \"priority\": 9, \"flags\":"
                " [\"SCHED_FLAG_RESET_ON_FORK\"]}",
                "scheduler", "scheduler 2 nice 0 priority 9 flags=0x1\n"),
        PROCESS("deadline scheduler",
                "\"scheduler\": {\"policy\": \"SCHED_DEADLINE\", \"runtime\": 1000000, \"deadline\": 2000000,"
                " \"period\": 3000000, \"flags\": [\"SCHED_FLAG_RECLAIM\", \"SCHED_FLAG_DL_OVERRUN\"]}",
                "scheduler", "scheduler 6 nice 0 priority 0 flags=0x6 1000000/2000000/3000000ns\n"),
        LINUX("memory policy", "\"memoryPolicy\": {\"mode\": \"MPOL_INTERLEAVE\", \"nodes\": \"0-1,7\"}",
              "memory policy", "memory policy 0x3 0 1 7\n"),
        LINUX("memory policy with flags",
              "\"memoryPolicy\": {\"mode\": \"MPOL_BIND\", \"nodes\": \"1023\", \"flags\": "
              "[\"MPOL_F_STATIC_NODES\", "
              "\"MPOL_F_NUMA_BALANCING\"]}",
              "memory policy", "memory policy 0xa002 1023\n"),
        LINUX("memory policy without nodes", "\"memoryPolicy\": {\"mode\": \"MPOL_LOCAL\", \"nodes\": \"\"}",
              "memory policy", "memory policy 0x4\n"),
        PROCESS("initial affinity", "\"execCPUAffinity\": {\"initial\": \"0-1,9\"}", "cpus",
                "cpus initial 0 1 9\n"),
        PROCESS("final affinity", "\"execCPUAffinity\": {\"final\": \"3\"}", "cpus", "cpus final 3\n"),
        ROW("context", NULL, NULL, NULL, "id ", "id id\n"),
        ROW("control groups", NULL, NULL, NULL, "cgroup2 ", "cgroup2 at /sys/fs/cgroup\n"),
        PROCESS("terminal", "\"terminal\": true, \"consoleSize\": {\"height\": 25, \"width\": 80}",
                "terminal", "terminal 80x25\n"),
        ROW("keyring", NULL, NULL, NULL, "keyring", "keyring _ses.id\n"),
        ROW("hooks", NULL, NULL,
            ", \"hooks\": {\"createContainer\": [{\"path\": \"/c\", \"timeout\": 2, \"args\": [\"a\"], "
            "\"env\":"
            " [\"A=b\"]}], \"startContainer\": "
            "[{\"path\": \"/s\"}],"
            " \"prestart\": [{\"path\": \"/p\"}]}",
            "hook ",
            "hook createContainer /c timeout=2000000us\nhook arg a\nhook env A=b\nhook startContainer /s "
            "timeout=0us\n"),
        ROW("hook state", NULL, NULL, ", \"hooks\": {\"startContainer\": [{\"path\": \"/s\"}]}", "state ",
            "state startContainer "
            "{\"ociVersion\":\"1.3.0\",\"id\":\"id\",\"status\":\"created\",\"pid\":PID,\"bundle\":\"/"
            "bundle\"}\n"),
};

static const Row errors[] = {
        MOUNT("mount on the root", "{\"destination\": \"/x/..\", \"type\": \"tmpfs\"}",
              "mounts[0].destination: '/x/..' is the root itself, which can't be covered"),
        MOUNT("no type", "{\"destination\": \"/x\", \"source\": \"/y\"}",
              "mounts[0].type: missing ('/x' is no bind mount)"),
        MOUNT("no source", "{\"destination\": \"/x\", \"options\": [\"bind\"]}",
              "mounts[0].source: missing, a bind mount of '/x' needs one"),
        MOUNT("superblock option",
              "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\", \"sync\"]}",
              "mounts[0].options: 'sync' can't be set for a bind mount"),
        MOUNT("copy-up", "{\"destination\": \"/x\", \"type\": \"proc\", \"options\": [\"tmpcopyup\"]}",
              "mounts[0].options: 'tmpcopyup' is for mounts of type tmpfs"),
        MOUNT("idmap without a mapping",
              "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\", \"ridmap\"]}",
              "mounts[0].options[1]: 'ridmap' needs uidMappings and gidMappings beside it, or a user "
              "namespace "
              "among linux.namespaces"),
        MOUNT("idmap, half a text",
              "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\", \"idmap=uids=0-1-2\"]}",
              "mounts[0].options[1]: 'uids=0-1-2' is not a mapping like uids=0-1000-1;gids=0-1000-1 (with @ "
              "before a triplet: of IDs in linux.uidMappings and linux.gidMappings)"),
        MOUNT("idmap, relative to nothing",
              "{\"destination\": \"/x\", \"source\": \"/y\", \"options\": [\"bind\","
              " \"idmap=uids=@0-1-2;gids=0-1-2\"]}",
              "mounts[0].options[1]: 'uids=@0-1-2;gids=0-1-2' is not a mapping like "
              "uids=0-1000-1;gids=0-1000-1 (with @ before a triplet: of IDs in linux.uidMappings and "
              "linux.gidMappings)"),
        MOUNT("idmap, twice",
              "{\"destination\": \"/x\", \"source\": \"/y\","
              " \"options\": [\"bind\", \"idmap=uids=0-1-2;gids=0-1-2\"]," MAPPINGS "}",
              "mounts[0].options[1]: has a mapping, and so has mounts[0].uidMappings"),
        MOUNT("idmap, proc", "{\"destination\": \"/x\", \"type\": \"proc\"," MAPPINGS "}",
              "mounts[0].uidMappings: '/x' is no mount that can be ID-mapped"),
        MOUNT("remount, superblock option of a bind mount",
              "{\"destination\": \"/x\", \"options\": [\"remount\", \"bind\", \"size=1\"]}",
              "mounts[0].options: 'size=1' can't be set for a bind mount"),
        MOUNT("remount, copy-up", "{\"destination\": \"/x\", \"options\": [\"remount\", \"tmpcopyup\"]}",
              "mounts[0].options: 'tmpcopyup' comes too late for a remount"),
        MOUNT("copied link",
              "{\"destination\": \"/x\", \"type\": \"tmpfs\", \"options\": [\"copy-symlink\"]}",
              "mounts[0].options: 'copy-symlink' is for bind mounts"),
        MOUNT("copied link, not followed",
              "{\"destination\": \"/x\", \"source\": \"/y\","
              " \"options\": [\"bind\", \"copy-symlink\", \"src-nofollow\"]}",
              "mounts[0].options: 'copy-symlink' makes a link, it can't be combined with 'src-nofollow' or "
              "'dest-nofollow'"),
        PROCESS("no program", "\"args\": []", "", "process.args: empty, the program's name is missing"),
        PROCESS("SELinux", "\"selinuxLabel\": \"x\"", "",
                "process.selinuxLabel: 'x' can't be applied, SELinux is not enabled on this host"),
        LINUX("mount label", "\"mountLabel\": \"x\"", "",
              "linux.mountLabel: 'x' can't be applied, SELinux is not enabled here"),
        ROW("annotation of crun that is refused", NULL, NULL,
            ", \"annotations\": {\"run.oci.handler\": \"krun\"}", "",
            "annotations['run.oci.handler']: there is no other way to run the program than to execute it"),
        ROW("mount label, type", NULL, ", \"mountLabel\": \"x\"",
            ", \"annotations\": {\"run.oci.mount_context_type\": \"text\"}", "",
            "annotations['run.oci.mount_context_type']: 'text' is not one of context, fscontext, defcontext "
            "and rootcontext"),
        LINUX("memory policy with nodes that it has not",
              "\"memoryPolicy\": {\"mode\": \"MPOL_LOCAL\", \"nodes\": \"0\"}", "",
              "linux.memoryPolicy.nodes: '0' can't be there with the mode MPOL_LOCAL, which has none"),
        LINUX("memory policy without nodes", "\"memoryPolicy\": {\"mode\": \"MPOL_BIND\"}", "",
              "linux.memoryPolicy.nodes: missing, the mode MPOL_BIND needs some"),
        LINUX("memory policy of a node too many",
              "\"memoryPolicy\": {\"mode\": \"MPOL_BIND\", \"nodes\": \"1024\"}", "",
              "linux.memoryPolicy.nodes: '1024' is not a list of memory nodes like '0-3,7'"),
        LINUX("memory policy with two kinds of nodes",
              "\"memoryPolicy\": {\"mode\": \"MPOL_BIND\", \"nodes\": \"0\", \"flags\": "
              "[\"MPOL_F_STATIC_NODES\", "
              "\"MPOL_F_RELATIVE_NODES\"]}",
              "",
              "linux.memoryPolicy.flags: MPOL_F_STATIC_NODES and MPOL_F_RELATIVE_NODES exclude each other"),
        PROCESS("affinity", "\"execCPUAffinity\": {\"initial\": \"0-99999\"}", "",
                "process.execCPUAffinity.initial: '0-99999' is not a list of CPUs like '0-3,7'"),
};

static void test_row(gconstpointer data) {
        const Row *row = data;
        g_autoptr(TestPlan) test = test_plan_build(row->process, row->linux_, row->rest, NULL);
        g_autofree char *lines = test_plan_lines(test->plan, row->prefix);

        g_assert_cmpstr(lines, ==, row->expected);
}

static void test_error(gconstpointer data) {
        const Row *row = data;
        g_autoptr(GError) error = NULL;
        g_autoptr(TestPlan) test = test_plan_build(row->process, row->linux_, row->rest, &error);

        g_assert_null(test);
        g_assert_cmpstr(error->message, ==, row->expected);
}

/* What waits for the cgroup comes last, but not when devices have to be made in a later mount. */
static void test_early(void) {
        static const struct {
                const char *mounts;
                size_t early;
        } cases[] = {
                {"",                                                                   0},
                {"{\"destination\": \"/t\", \"type\": \"tmpfs\"}",                     1},
                {"{\"destination\": \"/c\", \"type\": \"cgroup\"}, {\"destination\": \"/t\", \"type\": "
                 "\"tmpfs\"}",                                        1},
                {"{\"destination\": \"/c\", \"type\": \"cgroup\"}, {\"destination\": \"/c/x\", \"type\": "
                 "\"tmpfs\"},"
                 " {\"destination\": \"/dev\", \"type\": \"tmpfs\"}", 3},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                g_autofree char *rest = g_strdup_printf(", \"mounts\": [%s]", cases[i].mounts);
                g_autoptr(TestPlan) test = test_plan_build(NULL, NULL, rest, NULL);

                g_assert_cmpuint(test->plan->init->n_early_mounts, ==, cases[i].early);
        }
}

static void add_rows(const char *group, const Row *table, size_t n, GTestDataFunc function) {
        for (size_t i = 0; i < n; i++) {
                g_autofree char *path = g_strdup_printf("/plan/%s/%s", group, table[i].name);

                g_test_add_data_func(path, &table[i], function);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        add_rows("line", rows, G_N_ELEMENTS(rows), test_row);
        add_rows("error", errors, G_N_ELEMENTS(errors), test_error);
        g_test_add_func("/plan/early-mounts", test_early);
        return g_test_run();
}
