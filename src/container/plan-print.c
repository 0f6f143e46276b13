/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A plan as text, one line per fact; facts that are the default are left out. */

#include <errno.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "container/capability-name.h"
#include "container/plan.h"

typedef struct BitName {
        uint64_t bit;
        const char *name;
} BitName;

static const BitName attribute_names[] = {
        {MOUNT_ATTR_RDONLY,      "ro"         },
        {MOUNT_ATTR_NOSUID,      "nosuid"     },
        {MOUNT_ATTR_NODEV,       "nodev"      },
        {MOUNT_ATTR_NOEXEC,      "noexec"     },
        {MOUNT_ATTR_NOATIME,     "noatime"    },
        {MOUNT_ATTR_STRICTATIME, "strictatime"},
        {MOUNT_ATTR_NODIRATIME,  "nodiratime" },
        {MOUNT_ATTR_NOSYMFOLLOW, "nosymfollow"},
        {0,                      NULL         },
};

static const BitName propagation_names[] = {
        {MS_SHARED,     "shared"    },
        {MS_SLAVE,      "slave"     },
        {MS_PRIVATE,    "private"   },
        {MS_UNBINDABLE, "unbindable"},
        {MS_REC,        "recursive" },
        {0,             NULL        },
};

static const BitName link_names[] = {
        {LINK_COPY,                 "copy"                },
        {LINK_SOURCE_NOFOLLOW,      "source-nofollow"     },
        {LINK_DESTINATION_NOFOLLOW, "destination-nofollow"},
        {0,                         NULL                  },
};

static const char *const kind_names[] = {
        [MOUNT_FILESYSTEM] = "filesystem", [MOUNT_BIND] = "bind",
        [MOUNT_TMPFS] = "tmpfs",           [MOUNT_PROC] = "proc",
        [MOUNT_SYSFS] = "sysfs",           [MOUNT_CGROUP] = "cgroup",
        [MOUNT_REMOUNT] = "remount",
};

static void print_bits(GString *text, const char *label, uint64_t bits, const BitName *names) {
        if (bits == 0)
                return;
        g_string_append_printf(text, " %s", label);
        for (char separator = '='; names->name; names++) {
                if (!(bits & names->bit))
                        continue;
                g_string_append_printf(text, "%c%s", separator, names->name);
                separator = ',';
                bits &= ~names->bit;
        }
        if (bits != 0)
                g_string_append_printf(text, "+0x%" G_GINT64_MODIFIER "x", bits);
}

/* Clearing the field of atime bits as a whole is "relatime" unless another value is set. */
static void print_flags(GString *text, const char *prefix, MountFlags flags) {
        g_autofree char *set = g_strconcat(prefix, "set", NULL), *clear = g_strconcat(prefix, "clear", NULL);
        bool atime = (flags.clear & MOUNT_ATTR__ATIME) == MOUNT_ATTR__ATIME;

        print_bits(text, set, flags.set, attribute_names);
        print_bits(text, clear, atime ? flags.clear & ~(uint64_t) MOUNT_ATTR__ATIME : flags.clear,
                   attribute_names);
        if (atime && !(flags.set & MOUNT_ATTR__ATIME))
                g_string_append_printf(text, " %srelatime", prefix);
}

static void print_mount(GString *text, const MountPlan *mount) {
        g_string_append_printf(text, "%s: %s", mount->name, mount->recursive ? "r" : "");
        g_string_append_printf(text, "%s", kind_names[mount->kind]);
        if (mount->kind == MOUNT_FILESYSTEM)
                g_string_append_printf(text, " %s", mount->type);
        if (mount->source)
                g_string_append_printf(text, " %s", mount->source);
        g_string_append_printf(text, " on %s", mount->destination);
        print_flags(text, "", mount->flags);
        print_bits(text, "drop", mount->drop, attribute_names);
        print_flags(text, "r", mount->recursive_flags);
        for (size_t i = 0; i < mount->n_propagation; i++)
                print_bits(text, "propagation", mount->propagation[i], propagation_names);
        for (char **parameter = mount->parameters; parameter && *parameter; parameter++)
                g_string_append_printf(text, " [%s]", *parameter);
        print_bits(text, "links", mount->links, link_names);
        if (mount->label)
                g_string_append_printf(text, " label=%s", mount->label);
        if (mount->copy_up)
                g_string_append(text, " copy-up");
        if (mount->id_map_kind != ID_MAP_NONE)
                g_string_append_printf(text, " %sid-map", mount->id_map_recursive ? "r" : "");
        if (mount->id_map_kind == ID_MAP_OWN)
                g_string_append_printf(text, "=%zu", mount->id_map);
        g_string_append_c(text, '\n');
}

static void print_device(GString *text, const DevicePlan *device) {
        g_string_append_printf(text, "device %s %c %u:%u %04o", device->path,
                               S_ISBLK(device->mode)    ? 'b'
                               : S_ISFIFO(device->mode) ? 'p'
                                                        : 'c',
                               device->major, device->minor, device->mode & 07777);
        if (device->uid != 0 || device->gid != 0)
                g_string_append_printf(text, " %u:%u", device->uid, device->gid);
        g_string_append_c(text, '\n');
}

static void print_capabilities(GString *text, const char *set, uint64_t mask) {
        if (mask == 0)
                return;
        g_string_append_printf(text, "capabilities %s", set);
        for (int i = 0; capability_name(i); i++)
                if (mask & UINT64_C(1) << i)
                        g_string_append_printf(text, " %s", capability_name(i) + strlen("CAP_"));
        g_string_append_c(text, '\n');
}

static void print_strings(GString *text, const char *label, char *const *strings) {
        for (; strings && *strings; strings++)
                g_string_append_printf(text, "%s %s\n", label, *strings);
}

static void print_hooks(GString *text, const char *kind, const Hook *hooks, size_t n, char *const state[2]) {
        for (size_t i = 0; i < n; i++) {
                g_string_append_printf(text, "hook %s %s timeout=%" G_GINT64_FORMAT "us\n", kind,
                                       hooks[i].path, hooks[i].timeout_usec);
                print_strings(text, "hook arg", hooks[i].args);
                print_strings(text, "hook env", hooks[i].env);
        }
        if (n > 0)
                g_string_append_printf(text, "state %s %sPID%s\n", kind, state[0], state[1]);
}

static void print_namespaces(GString *text, const InitPlan *init) {
        for (int bit = 0; bit < 32; bit++)
                if (init->new_namespaces & 1U << bit)
                        g_string_append_printf(text, "new namespace %s\n",
                                               oci_namespace_name((int) (1U << bit)));
        for (size_t i = 0; i < init->n_join; i++)
                g_string_append_printf(text, "join namespace %s %s\n", oci_namespace_name(init->join[i].type),
                                       init->join[i].name);
        if (init->time_offsets)
                g_string_append_printf(text, "time offsets %s", init->time_offsets);
}

static void print_exec(GString *text, const InitPlan *init) {
        g_string_append(text, "joins the container\n");
        for (int bit = 0; bit < 32; bit++)
                if (init->exec_namespaces & 1U << bit)
                        g_string_append_printf(text, "its namespace %s\n",
                                               oci_namespace_name((int) (1U << bit)));
}

static void print_context(GString *text, const InitPlan *init) {
        const struct {
                const char *name;
                int32_t fd;
        } fds[] = {
                {"setup",   init->setup_fd                                 },
                {"gate",    init->gate_fd                                  },
                {"console", init->console_fd                               },
                {"reaper",  init->reaper_fd                                },
                {"init's",  init->is_exec ? init->exec_pidfd : -EBADF      },
                {"root",    init->is_exec ? init->exec_root_fd : -EBADF    },
                {"stdin",   init->stdio_fds[0]                             },
                {"stdout",  init->stdio_fds[1]                             },
                {"stderr",  init->stdio_fds[2]                             },
                {"agent",   init->is_exec ? init->exec_listener_fd : -EBADF},
                {"criu",    init->is_restore ? init->criu_fd : -EBADF      },
        };

        g_string_append_printf(text, "id %s\ncgroup2 at %s\n", init->id, init->cgroup_root);
        for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
                if (fds[i].fd >= 0)
                        g_string_append_printf(text, "fd %s %d\n", fds[i].name, fds[i].fd);
        if (init->is_restore)
                g_string_append_printf(text, "restored by %s with %s\n", init->criu, init->criu_yard);
        for (size_t i = 0; i < init->n_preserve_fds; i++)
                g_string_append_printf(text, "fd preserved %d\n", init->preserve_fds[i]);
}

static void print_root(GString *text, const InitPlan *init) {
        g_string_append_printf(text, "rootfs %s%s%s", init->rootfs, init->rootfs_readonly ? " ro" : "",
                               init->no_pivot ? " no-pivot" : "");
        g_string_append(text, init->host_mounts ? " host-mounts" : "");
        print_bits(text, "propagation", init->rootfs_propagation, propagation_names);
        g_string_append(text, init->host_stays_shared ? " host-stays-shared\n" : "\n");
        for (size_t i = 0; i < init->n_mounts; i++) {
                if (i == init->n_early_mounts)
                        g_string_append(text, "when in its cgroup:\n");
                print_mount(text, &init->mounts[i]);
        }
        for (size_t i = 0; i < init->n_id_maps; i++) {
                g_autofree char *uids = g_strdelimit(g_strdup(init->id_maps[i].uid_map), "\n", ';');
                g_autofree char *gids = g_strdelimit(g_strdup(init->id_maps[i].gid_map), "\n", ';');

                g_string_append_printf(text, "id-map %s uids %s gids %s\n", init->id_maps[i].name, uids,
                                       gids);
        }
        for (size_t i = 0; i < init->n_devices; i++)
                print_device(text, &init->devices[i]);
        for (size_t i = 0; i < init->n_links; i++)
                g_string_append_printf(text, "link %s -> %s\n", init->links[i].path, init->links[i].target);
        print_strings(text, "mask", init->masked_paths);
        print_strings(text, "readonly", init->readonly_paths);
}

static void print_scheduler(GString *text, const SchedulerPlan *scheduler) {
        g_string_append_printf(text, "scheduler %u nice %d priority %u", scheduler->policy, scheduler->nice,
                               scheduler->priority);
        if (scheduler->flags != 0)
                g_string_append_printf(text, " flags=0x%" G_GINT64_MODIFIER "x", scheduler->flags);
        if (scheduler->runtime != 0 || scheduler->deadline != 0 || scheduler->period != 0)
                g_string_append_printf(text,
                                       " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT "ns",
                                       scheduler->runtime, scheduler->deadline, scheduler->period);
        g_string_append_c(text, '\n');
}

/* And ends the line. */
static void print_mask(GString *text, const CpuMask *mask) {
        for (size_t i = 0; mask->bytes && i < mask->size * 8; i++)
                if (mask->bytes[i / 8] >> i % 8 & 1)
                        g_string_append_printf(text, " %zu", i);
        g_string_append_c(text, '\n');
}

static void print_cpus(GString *text, const char *label, const CpuMask *mask) {
        if (!mask->bytes)
                return;
        g_string_append_printf(text, "cpus %s", label);
        print_mask(text, mask);
}

static void print_attributes(GString *text, const InitPlan *init) {
        if (init->hostname)
                g_string_append_printf(text, "hostname %s\n", init->hostname);
        if (init->domainname)
                g_string_append_printf(text, "domainname %s\n", init->domainname);
        for (size_t i = 0; i < init->n_sysctls; i++)
                g_string_append_printf(text, "sysctl %s = %s\n", init->sysctls[i].path,
                                       init->sysctls[i].value);
        for (size_t i = 0; i < init->n_rlimits; i++)
                g_string_append_printf(text, "rlimit %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                                       init->rlimits[i].name, init->rlimits[i].soft, init->rlimits[i].hard);
        if (init->has_oom_score_adj)
                g_string_append_printf(text, "oom-score-adj %d%s\n", init->oom_score_adj,
                                       init->oom_score_adj_optional ? " if possible" : "");
        if (init->session_keyring)
                g_string_append_printf(text, "keyring %s\n", init->session_keyring);
        if (init->has_personality)
                g_string_append_printf(text, "personality %" G_GINT64_MODIFIER "x\n", init->personality);
        if (init->scheduler)
                print_scheduler(text, init->scheduler);
        if (init->has_io_priority)
                g_string_append_printf(text, "io-priority %d\n", init->io_priority);
        if (init->memory_policy) {
                g_string_append_printf(text, "memory policy %#x", (unsigned) init->memory_policy->mode);
                print_mask(text, &init->memory_policy->nodes);
        }
        print_cpus(text, "initial", &init->cpu_affinity_initial);
        print_cpus(text, "final", &init->cpu_affinity_final);
        if (init->selinux_label)
                g_string_append_printf(text, "selinux %s\n", init->selinux_label);
        if (init->apparmor_profile)
                g_string_append_printf(text, "apparmor %s\n", init->apparmor_profile);
}

static void print_process(GString *text, const InitPlan *init) {
        const CapabilityPlan *sets = &init->capabilities;

        g_string_append_printf(text, "user %u:%u umask %04o", init->uid, init->gid, init->umask);
        for (size_t i = 0; i < init->n_groups; i++)
                g_string_append_printf(text, "%s%u", i == 0 ? " groups " : ",", init->groups[i]);
        g_string_append(text, init->keep_groups ? " keeps groups\n" : "\n");
        print_capabilities(text, "bounding", sets->bounding);
        print_capabilities(text, "permitted", sets->permitted);
        print_capabilities(text, "inheritable", sets->inheritable);
        print_capabilities(text, "effective", sets->effective);
        print_capabilities(text, "ambient", sets->ambient);
        if (init->no_new_privileges)
                g_string_append(text, "no-new-privileges\n");
        if (init->seccomp_fd >= 0)
                g_string_append_printf(text, "seccomp flags=%" G_GUINT64_FORMAT "%s\n", init->seccomp_flags,
                                       init->seccomp_notify ? " notify" : "");
        if (init->seccomp_notify)
                g_string_append_printf(text, "seccomp state %sPID%sPID%s\n", init->seccomp_state[0],
                                       init->seccomp_state[1], init->seccomp_state[2]);
        if (init->terminal)
                g_string_append_printf(text, "terminal %ux%u%s\n", init->console_columns, init->console_rows,
                                       init->console_plain_lines ? " plain lines" : "");
        g_string_append_printf(text, "cwd %s\n", init->cwd);
        print_strings(text, "env", init->env);
        if (init->listen_pid)
                g_string_append(text, "env LISTEN_PID\n");
        print_strings(text, "arg", init->args);
}

char *plan_to_text(const Plan *plan) {
        const InitPlan *init = plan->init;
        GString *text = g_string_new(NULL);

        print_context(text, init);
        if (init->orphan)
                g_string_append(text, "init is the manager's child\n");
        if (init->is_exec)
                print_exec(text, init);
        else {
                print_namespaces(text, init);
                print_root(text, init);
        }
        print_hooks(text, "createContainer", init->create_container_hooks, init->n_create_container_hooks,
                    init->create_container_state);
        print_hooks(text, "startContainer", init->start_container_hooks, init->n_start_container_hooks,
                    init->start_container_state);
        if (init->runtime_hooks)
                g_string_append(text, "waits for runtime hooks\n");
        print_attributes(text, init);
        if (init->has_process)
                print_process(text, init);
        for (guint i = 0; i < plan->warnings->len; i++)
                g_string_append_printf(text, "warning %s\n",
                                       (const char *) g_ptr_array_index(plan->warnings, i));
        return g_string_free(text, FALSE);
}
