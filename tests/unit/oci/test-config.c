/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* config.json to structs: every property lands where it belongs, the specification's samples are taken or
 * refused as they should be, and files that are no config files fail in bounded time. */

#include "oci/config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"

static OciConfig *load_data(const char *name) {
        g_autofree char *path = g_test_build_filename(G_TEST_DIST, name, NULL);
        g_autoptr(GError) error = NULL;
        OciConfig *config = oci_config_load(AT_FDCWD, path, NULL, &error);

        g_assert_no_error(error);
        g_assert_nonnull(config);
        return config;
}

static void assert_strings(char **strings, const char *expected) {
        g_autofree char *joined = NULL;

        g_assert_nonnull(strings);
        joined = g_strjoinv("|", strings);
        g_assert_cmpstr(joined, ==, expected);
}

static void assert_maybe_int(MaybeInt maybe, int64_t expected) {
        g_assert_true(maybe.set);
        g_assert_cmpint(maybe.value, ==, expected);
}

static void assert_maybe_uint(MaybeUint maybe, uint64_t expected) {
        g_assert_true(maybe.set);
        g_assert_cmpuint(maybe.value, ==, expected);
}

static void assert_maybe_bool(MaybeBool maybe, bool expected) {
        g_assert_true(maybe.set);
        g_assert_true(maybe.value == expected);
}

static void assert_mapping(const OciIdMappings *mappings, size_t i, uint32_t container, uint32_t host,
                           uint32_t size) {
        g_assert_cmpuint(mappings->n, >, i);
        g_assert_cmpuint(mappings->items[i].container_id, ==, container);
        g_assert_cmpuint(mappings->items[i].host_id, ==, host);
        g_assert_cmpuint(mappings->items[i].size, ==, size);
}

static void test_top(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");

        g_assert_cmpstr(config->oci_version, ==, "1.3.0-rc.1+build.7");
        g_assert_cmpstr(config->root_path, ==, "rootfs");
        g_assert_true(config->root_readonly);
        g_assert_cmpstr(config->hostname, ==, "höst");
        g_assert_cmpstr(config->domainname, ==, "example.org");
        g_assert_cmpuint(config->annotations.n, ==, 2);
        g_assert_cmpstr(oci_pairs_get(&config->annotations, "org.example.a"), ==, "1");
        g_assert_cmpstr(oci_pairs_get(&config->annotations, "b"), ==, "");
        g_assert_null(oci_pairs_get(&config->annotations, "c"));

        g_assert_cmpuint(config->n_mounts, ==, 2);
        g_assert_cmpstr(config->mounts[0].destination, ==, "/proc");
        g_assert_cmpstr(config->mounts[0].type, ==, "proc");
        g_assert_cmpstr(config->mounts[0].source, ==, "proc");
        assert_strings(config->mounts[0].options, "");
        g_assert_cmpstr(config->mounts[1].source, ==, "/srv");
        assert_strings(config->mounts[1].options, "rbind|ro|idmap");
        assert_mapping(&config->mounts[1].uid_mappings, 0, 1, 2, 3);
        assert_mapping(&config->mounts[1].gid_mappings, 0, 4, 5, 6);
}

static void test_process(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");
        const OciProcess *process = config->process;

        g_assert_nonnull(process);
        g_assert_true(process->terminal);
        assert_maybe_uint(process->console_height, 24);
        assert_maybe_uint(process->console_width, 80);
        g_assert_cmpstr(process->cwd, ==, "/w");
        assert_strings(process->env, "PATH=/bin|EMPTY=");
        assert_strings(process->args, "sh|-c|a \"b\" \\ / \t 😀");
        g_assert_cmpuint(process->n_rlimits, ==, 2);
        g_assert_cmpstr(process->rlimits[0].type, ==, "RLIMIT_NOFILE");
        g_assert_cmpuint(process->rlimits[0].soft, ==, 1024);
        g_assert_cmpuint(process->rlimits[0].hard, ==, 4096);
        g_assert_cmpuint(process->rlimits[1].soft, ==, UINT64_MAX);
        g_assert_cmpstr(process->apparmor_profile, ==, "profile");
        g_assert_true(process->has_capabilities);
        assert_strings(process->capabilities.bounding, "CAP_KILL|CAP_CHOWN");
        assert_strings(process->capabilities.permitted, "CAP_KILL");
        assert_strings(process->capabilities.inheritable, "");
        assert_strings(process->capabilities.effective, "CAP_CHOWN");
        g_assert_null(process->capabilities.ambient);
        g_assert_true(process->no_new_privileges);
        assert_maybe_int(process->oom_score_adj, -999);
        g_assert_cmpstr(process->scheduler->policy, ==, "SCHED_DEADLINE");
        assert_maybe_int(process->scheduler->nice, -5);
        assert_maybe_int(process->scheduler->priority, 7);
        assert_strings(process->scheduler->flags, "SCHED_FLAG_RECLAIM");
        assert_maybe_uint(process->scheduler->runtime, 11);
        assert_maybe_uint(process->scheduler->deadline, 12);
        assert_maybe_uint(process->scheduler->period, 13);
        g_assert_cmpstr(process->selinux_label, ==, "label");
        g_assert_cmpstr(process->io_priority_class, ==, "IOPRIO_CLASS_BE");
        assert_maybe_int(process->io_priority, 4);
        g_assert_cmpstr(process->exec_cpu_affinity_initial, ==, "0-3,7");
        g_assert_cmpstr(process->exec_cpu_affinity_final, ==, "1");
        g_assert_cmpuint(process->uid, ==, 4294967294);
        g_assert_cmpuint(process->gid, ==, 1001);
        assert_maybe_uint(process->umask, 022);
        g_assert_cmpuint(process->n_additional_gids, ==, 2);
        g_assert_cmpuint(process->additional_gids[1], ==, 6);
}

static void test_hooks(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");

        for (OciHookKind kind = 0; kind < OCI_HOOK_KINDS; kind++) {
                g_autofree char *path = g_strdup_printf("/h/%s", oci_hook_kind_name(kind));

                g_assert_cmpuint(config->hooks[kind].n, ==, kind == OCI_HOOK_POSTSTART ? 2 : 1);
                g_assert_cmpstr(config->hooks[kind].items[0].path, ==, path);
        }
        assert_strings(config->hooks[OCI_HOOK_POSTSTART].items[0].args, "p|q");
        assert_strings(config->hooks[OCI_HOOK_POSTSTART].items[0].env, "A=b");
        assert_maybe_int(config->hooks[OCI_HOOK_POSTSTART].items[0].timeout, 5);
        g_assert_null(config->hooks[OCI_HOOK_POSTSTART].items[1].args);
        g_assert_null(config->hooks[OCI_HOOK_POSTSTART].items[1].env);
        g_assert_false(config->hooks[OCI_HOOK_POSTSTART].items[1].timeout.set);
        assert_strings(config->hooks[OCI_HOOK_POSTSTOP].items[0].args, "");
        assert_strings(config->hooks[OCI_HOOK_POSTSTOP].items[0].env, "");
}

static void test_linux(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");
        const OciLinux *linux = &config->linux;

        g_assert_cmpuint(linux->n_namespaces, ==, 8);
        g_assert_cmpint(linux->namespaces[0].type, ==, CLONE_NEWNS);
        g_assert_cmpint(linux->namespaces[7].type, ==, CLONE_NEWTIME);
        g_assert_null(oci_config_namespace(config, CLONE_NEWPID)->path);
        g_assert_cmpstr(oci_config_namespace(config, CLONE_NEWNET)->path, ==, "/run/netns/n");
        g_assert_cmpstr(oci_namespace_name(CLONE_NEWCGROUP), ==, "cgroup");
        assert_mapping(&linux->uid_mappings, 1, 1, 100000, 65535);
        assert_mapping(&linux->gid_mappings, 0, 0, 0, UINT32_MAX);
        g_assert_cmpuint(linux->n_time_offsets, ==, 2);
        g_assert_cmpstr(linux->time_offsets[0].clock, ==, "monotonic");
        g_assert_cmpint(linux->time_offsets[0].seconds, ==, -172800);
        g_assert_cmpuint(linux->time_offsets[0].nanoseconds, ==, 999999999);
        g_assert_cmpuint(linux->n_devices, ==, 2);
        g_assert_cmpint(linux->devices[0].type, ==, 'c');
        g_assert_cmpstr(linux->devices[0].path, ==, "/dev/fuse");
        g_assert_cmpint(linux->devices[0].major, ==, 10);
        g_assert_cmpint(linux->devices[0].minor, ==, 229);
        assert_maybe_uint(linux->devices[0].file_mode, 0666); /* the file says S_IFCHR | 0666 */
        assert_maybe_uint(linux->devices[0].uid, 1);
        assert_maybe_uint(linux->devices[0].gid, 2);
        g_assert_cmpint(linux->devices[1].type, ==, 'p');
        g_assert_cmpint(linux->devices[1].major, ==, 0);
        g_assert_false(linux->devices[1].file_mode.set);
        g_assert_cmpuint(linux->net_devices.n, ==, 2);
        g_assert_cmpstr(oci_pairs_get(&linux->net_devices, "eth0"), ==, "inside%d");
        g_assert_null(linux->net_devices.items[1].value);
        g_assert_cmpstr(linux->cgroups_path, ==, "slice:prefix:name");
        g_assert_cmpuint(linux->sysctl.n, ==, 3);
        g_assert_cmpstr(linux->rootfs_propagation, ==, "rslave");
        assert_strings(linux->masked_paths, "/proc/kcore");
        assert_strings(linux->readonly_paths, "/proc/sys|/proc/bus");
        g_assert_cmpstr(linux->mount_label, ==, "mount-label");
        g_assert_cmpstr(linux->personality_domain, ==, "LINUX32");
        g_assert_cmpstr(linux->memory_policy_mode, ==, "MPOL_BIND");
        g_assert_cmpstr(linux->memory_policy_nodes, ==, "0-1");
        assert_strings(linux->memory_policy_flags, "MPOL_F_STATIC_NODES");
        g_assert_cmpstr(linux->intel_rdt->clos_id, ==, "guaranteed");
        g_assert_cmpstr(linux->intel_rdt->l3_cache_schema, ==, "L3:0=7f0;1=1f");
        g_assert_cmpstr(linux->intel_rdt->mem_bw_schema, ==, "MB:0=20;1=70");
        assert_strings(linux->intel_rdt->schemata, "L2:0=f");
        g_assert_true(linux->intel_rdt->enable_monitoring);
}

static void assert_throttle(const OciThrottles *throttles, size_t n, int64_t minor, uint64_t rate) {
        g_assert_cmpuint(throttles->n, ==, n);
        g_assert_cmpint(throttles->items[0].major, ==, 8);
        g_assert_cmpint(throttles->items[0].minor, ==, minor);
        g_assert_cmpuint(throttles->items[0].rate, ==, rate);
}

static void test_resources(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");
        const OciResources *resources = config->linux.resources;

        g_assert_cmpuint(resources->n_devices, ==, 4);
        g_assert_cmpint(resources->devices[0].type, ==, 'a');
        g_assert_false(resources->devices[0].allow);
        g_assert_cmpint(resources->devices[0].major, ==, -1);
        g_assert_true(resources->devices[0].read && resources->devices[0].write &&
                      resources->devices[0].mknod);
        g_assert_true(resources->devices[1].allow);
        g_assert_cmpint(resources->devices[1].type, ==, 'c');
        g_assert_cmpint(resources->devices[1].minor, ==, 229);
        g_assert_true(resources->devices[1].read && resources->devices[1].write &&
                      !resources->devices[1].mknod);
        g_assert_false(resources->devices[2].read || resources->devices[2].write ||
                       resources->devices[2].mknod);
        g_assert_true(resources->devices[3].read && resources->devices[3].write &&
                      resources->devices[3].mknod);
        assert_maybe_int(resources->memory.limit, INT64_MAX);
        assert_maybe_int(resources->memory.reservation, 2);
        assert_maybe_int(resources->memory.swap, -1);
        assert_maybe_int(resources->memory.kernel, 4);
        assert_maybe_int(resources->memory.kernel_tcp, 5);
        assert_maybe_uint(resources->memory.swappiness, 60);
        assert_maybe_bool(resources->memory.disable_oom_killer, false);
        assert_maybe_bool(resources->memory.use_hierarchy, true);
        assert_maybe_bool(resources->memory.check_before_update, true);
        assert_maybe_uint(resources->cpu.shares, 1024);
        assert_maybe_int(resources->cpu.quota, -1);
        assert_maybe_uint(resources->cpu.burst, 100);
        assert_maybe_uint(resources->cpu.period, 100000);
        assert_maybe_int(resources->cpu.realtime_runtime, 950000);
        assert_maybe_uint(resources->cpu.realtime_period, 1000000);
        g_assert_cmpstr(resources->cpu.cpus, ==, "2-3");
        g_assert_cmpstr(resources->cpu.mems, ==, "0");
        assert_maybe_int(resources->cpu.idle, 1);
        assert_maybe_int(resources->pids_limit, 0);
        assert_maybe_uint(resources->block_io.weight, 10);
        assert_maybe_uint(resources->block_io.leaf_weight, 20);
        g_assert_cmpuint(resources->block_io.n_weight_devices, ==, 1);
        assert_maybe_uint(resources->block_io.weight_devices[0].weight, 500);
        assert_maybe_uint(resources->block_io.weight_devices[0].leaf_weight, 300);
        assert_throttle(&resources->block_io.read_bps, 1, 1, UINT64_MAX);
        assert_throttle(&resources->block_io.write_bps, 1, 2, 2);
        assert_throttle(&resources->block_io.read_iops, 1, 3, 3);
        assert_throttle(&resources->block_io.write_iops, 2, 4, 4);
        g_assert_cmpstr(resources->hugepage_limits[0].page_size, ==, "2MB");
        g_assert_cmpuint(resources->hugepage_limits[0].limit, ==, 209715200);
        assert_maybe_uint(resources->network_class_id, 1048577);
        g_assert_cmpstr(oci_pairs_get(&resources->network_priorities, "eth0"), ==, "500");
        g_assert_cmpuint(resources->n_rdma, ==, 2);
        g_assert_cmpstr(resources->rdma[0].device, ==, "mlx5_1");
        assert_maybe_uint(resources->rdma[0].hca_handles, 3);
        g_assert_false(resources->rdma[1].hca_handles.set);
        g_assert_cmpstr(oci_pairs_get(&resources->unified, "hugetlb.1GB.max"), ==, "max");
}

static void test_seccomp(void) {
        g_autoptr(OciConfig) config = load_data("every-property.json");
        const OciSeccomp *seccomp = config->linux.seccomp;

        g_assert_cmpstr(seccomp->default_action, ==, "SCMP_ACT_ERRNO");
        assert_maybe_uint(seccomp->default_errno_ret, 38);
        assert_strings(seccomp->architectures, "SCMP_ARCH_X86_64");
        assert_strings(seccomp->flags, "SECCOMP_FILTER_FLAG_LOG");
        g_assert_cmpstr(seccomp->listener_path, ==, "/run/agent");
        g_assert_cmpstr(seccomp->listener_metadata, ==, "meta");
        g_assert_cmpuint(seccomp->n_syscalls, ==, 1);
        assert_strings(seccomp->syscalls[0].names, "clone|socket");
        g_assert_cmpstr(seccomp->syscalls[0].action, ==, "SCMP_ACT_ALLOW");
        assert_maybe_uint(seccomp->syscalls[0].errno_ret, 1);
        g_assert_cmpuint(seccomp->syscalls[0].n_args, ==, 1);
        g_assert_cmpuint(seccomp->syscalls[0].args[0].index, ==, 5);
        g_assert_cmpuint(seccomp->syscalls[0].args[0].value, ==, UINT64_MAX);
        g_assert_cmpuint(seccomp->syscalls[0].args[0].value_two, ==, UINT64_C(1) << 63);
        g_assert_cmpstr(seccomp->syscalls[0].args[0].op, ==, "SCMP_CMP_MASKED_EQ");
}

/* What is absent is NULL, zero or not set, and lists that are promised to be there are. */
static void test_defaults(void) {
        static const char text[] =
                "{\"ociVersion\":\"1.0.0\",\"root\":{\"path\":\"r\"},\"process\":{\"cwd\":\"/\"}}";
        g_autoptr(GError) error = NULL;
        g_autoptr(OciConfig) config = oci_config_parse(text, strlen(text), "config.json", &error);

        g_assert_no_error(error);
        g_assert_cmpuint(config->n_mounts, ==, 0);
        assert_strings(config->process->env, "");
        assert_strings(config->process->args, "");
        g_assert_false(config->process->has_capabilities);
        g_assert_false(config->process->oom_score_adj.set);
        g_assert_null(config->process->scheduler);
        g_assert_null(config->hostname);
        g_assert_null(config->linux.resources);
        g_assert_null(config->linux.masked_paths);
        g_assert_null(oci_config_namespace(config, CLONE_NEWPID));
}

static void test_parts(void) {
        static const char process_text[] = "{\"cwd\":\"/\",\"args\":[\"ls\"]}",
                          resources_text[] = "{\"pids\":{}}";
        g_autoptr(GError) error = NULL;
        g_autoptr(OciProcess) process = oci_process_parse(process_text, strlen(process_text), "p", &error);
        g_autoptr(OciResources) resources = NULL;

        g_assert_no_error(error);
        assert_strings(process->args, "ls");
        resources = oci_resources_parse(resources_text, strlen(resources_text), "-", &error);
        g_assert_null(resources);
        g_assert_cmpstr(error->message, ==, "-: pids.limit: required, but missing");
}

/* The specification's own samples, and why they are refused. freebsd-vnet-disable.json is bad by the schema
 * of a section that is not about Linux: "This … is ignored by others". */
static const struct {
        const char *name;
        const char *error;
} samples[] = {
        {"good/freebsd-example.json",     NULL                                                                        },
        {"good/freebsd-minimal.json",     NULL                                                                        },
        {"good/linux-netdevice.json",     NULL                                                                        },
        {"good/linux-rdma.json",          NULL                                                                        },
        {"good/minimal-for-start.json",   NULL                                                                        },
        {"good/minimal.json",             NULL                                                                        },
        {"good/spec-example.json",        NULL                                                                        },
        {"good/zos-example.json",         NULL                                                                        },
        {"good/zos-minimal.json",         NULL                                                                        },
        {"bad/freebsd-vnet-disable.json", NULL                                                                        },
        {"bad/invalid-json.json",
         "line 1, column 2: ']' where a property's name in double quotes is expected"                                 },
        {"bad/linux-hugepage.json",
         "linux.resources.hugepageLimits[0].pageSize: '64kB' is not a page size like 64KB, 2MB or 1GB"                },
        {"bad/linux-netdevice.json",      "linux.netDevices.eth0.name: a string is expected, not a number"            },
        {"bad/linux-rdma.json",           "linux.resources.rdma.mlx5_1.hcaHandles: a number is expected, not a string"},
};

static void test_samples(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
                g_autofree char *path = g_test_build_filename(G_TEST_DIST, "spec", samples[i].name, NULL);
                g_autofree char *message =
                        samples[i].error ? g_strdup_printf("config.json: %s", samples[i].error) : NULL;
                g_autofree char *text = NULL;
                g_autoptr(GError) error = NULL;
                g_autoptr(OciConfig) config = NULL;
                size_t size;

                g_assert_true(g_file_get_contents(path, &text, &size, NULL));
                config = oci_config_parse(text, size, "config.json", &error);
                g_test_message("%s", samples[i].name);
                g_assert_cmpstr(error ? error->message : NULL, ==, message);
                g_assert_true((config != NULL) == (message == NULL));
        }
}

static void test_load_text(void) {
        g_autofree char *path = g_test_build_filename(G_TEST_DIST, "every-property.json", NULL);
        g_autofree char *expected = NULL, *text = NULL;
        g_autoptr(OciConfig) config = oci_config_load(AT_FDCWD, path, &text, NULL);

        g_assert_nonnull(config);
        g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
        g_assert_cmpstr(text, ==, expected);
}

static void assert_load_error(int dir_fd, const char *path, int code, const char *message) {
        g_autoptr(GError) error = NULL;

        g_assert_null(oci_config_load(dir_fd, path, NULL, &error));
        g_assert_error(error, UNITRUN_ERROR, code);
        g_assert_cmpstr(error->message, ==, message);
}

static void test_load_errors(void) {
        g_autofree char *dir = g_dir_make_tmp("test-config-XXXXXX", NULL);
        autoclose int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        autoclose int file_fd = -EBADF;

        g_assert_cmpint(mkfifoat(dir_fd, "fifo", 0600), ==, 0);
        g_assert_cmpint(mkdirat(dir_fd, "dir", 0700), ==, 0);
        file_fd = openat(dir_fd, "huge", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        g_assert_cmpint(ftruncate(file_fd, INT64_C(1) << 40), ==, 0);
        g_assert_cmpint(symlinkat("loop", dir_fd, "loop"), ==, 0);

        assert_load_error(dir_fd, "none", UNITRUN_ERROR_NOT_FOUND, "none: No such file or directory");
        assert_load_error(dir_fd, "fifo", UNITRUN_ERROR_FAILED, "fifo: not a regular file");
        assert_load_error(dir_fd, "dir", UNITRUN_ERROR_FAILED, "dir: not a regular file");
        assert_load_error(dir_fd, "huge", UNITRUN_ERROR_FAILED, "huge: larger than 16 MiB");
        assert_load_error(dir_fd, "loop", UNITRUN_ERROR_FAILED, "loop: Too many levels of symbolic links");
        assert_load_error(dir_fd, "/dev/zero", UNITRUN_ERROR_FAILED, "/dev/zero: not a regular file");

        unlinkat(dir_fd, "fifo", 0);
        unlinkat(dir_fd, "dir", AT_REMOVEDIR);
        unlinkat(dir_fd, "huge", 0);
        unlinkat(dir_fd, "loop", 0);
        rmdir(dir);
}

/* As much as a file may hold, of what costs the most: fails or succeeds, soon. */
static void test_load_large(void) {
        static const struct {
                const char *prefix, *item, *suffix;
                const char *error;
        } rows[] = {
                {"{\"unknown\":[0",      ",0",      "]}",
                 "config.json: line 1, column 2000009: more than 1000000 values"                                             },
                {"{\"unknown\":{\"\":0", ",\"\":0", "}}",
                 "config.json: line 1, column 18: the property '' stands here a second time"                                 },
                {"{\"ociVersion\":\"",   "a",       "\"}", NULL                                                              },
                {"",                     " ",       "",
                 "config.json: line 1, column 16777201: the text ends where a value is expected"                             },
                {"",                     "[",       "",    "config.json: line 1, column 65: nested more than 64 levels deep" },
                {"",                     "{\"a\":", "",    "config.json: line 1, column 321: nested more than 64 levels deep"},
                {"\"",                   "\\",      "",    NULL                                                              },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GString) text = g_string_sized_new(17 * 1024 * 1024);
                g_autoptr(GError) error = NULL;

                g_string_append(text, rows[i].prefix);
                while (text->len + strlen(rows[i].item) <= 16777200)
                        g_string_append(text, rows[i].item);
                g_string_append(text, rows[i].suffix);
                g_assert_null(oci_config_parse(text->str, text->len, "config.json", &error));
                if (rows[i].error)
                        g_assert_cmpstr(error->message, ==, rows[i].error);
                g_assert_cmpuint(strlen(error->message), <, 300);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/config/top", test_top);
        g_test_add_func("/config/process", test_process);
        g_test_add_func("/config/hooks", test_hooks);
        g_test_add_func("/config/linux", test_linux);
        g_test_add_func("/config/resources", test_resources);
        g_test_add_func("/config/seccomp", test_seccomp);
        g_test_add_func("/config/defaults", test_defaults);
        g_test_add_func("/config/parts", test_parts);
        g_test_add_func("/config/samples", test_samples);
        g_test_add_func("/config/load/text", test_load_text);
        g_test_add_func("/config/load/errors", test_load_errors);
        g_test_add_func("/config/load/large", test_load_large);
        return g_test_run();
}
