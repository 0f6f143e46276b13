/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Device nodes and links: those that every container has (config-linux.md, "Default Devices";
 * runtime-linux.md, "Dev symbolic links") and those of linux.devices. */

#include <string.h>
#include <sys/stat.h>

#include "container/plan-parts.h"

static const DevicePlan default_devices[] = {
        {NULL, (char *) "/dev/null",    S_IFCHR | 0666, 1, 3},
        {NULL, (char *) "/dev/zero",    S_IFCHR | 0666, 1, 5},
        {NULL, (char *) "/dev/full",    S_IFCHR | 0666, 1, 7},
        {NULL, (char *) "/dev/random",  S_IFCHR | 0666, 1, 8},
        {NULL, (char *) "/dev/urandom", S_IFCHR | 0666, 1, 9},
        {NULL, (char *) "/dev/tty",     S_IFCHR | 0666, 5, 0},
};

static const LinkPlan default_links[] = {
        {(char *) "/dev/fd",     (char *) "/proc/self/fd"  },
        {(char *) "/dev/stdin",  (char *) "/proc/self/fd/0"},
        {(char *) "/dev/stdout", (char *) "/proc/self/fd/1"},
        {(char *) "/dev/stderr", (char *) "/proc/self/fd/2"},
        {(char *) "/dev/core",   (char *) "/proc/kcore"    },
        {(char *) "/dev/ptmx",   (char *) "pts/ptmx"       },
};

/* A foreign directory, most likely the host's, in which nothing may be made. */
static bool dev_is_foreign(const InitPlan *init) {
        bool foreign = strcmp(init->rootfs, "/") == 0;

        for (size_t i = 0; i < init->n_mounts; i++) {
                const MountPlan *mount = &init->mounts[i];

                if (mount->kind != MOUNT_REMOUNT && strcmp(mount->destination, "/dev") == 0)
                        foreign = mount->kind == MOUNT_BIND;
        }
        return foreign;
}

static bool is_listed(const OciLinux *linux, const char *wanted) {
        for (size_t i = 0; i < linux->n_devices; i++) {
                g_autofree char *path = plan_path(linux->devices[i].path, "/");

                if (strcmp(path, wanted) == 0)
                        return true;
        }
        return false;
}

static void fill(Plan *plan, DevicePlan *entry, const OciDevice *device, const char *path, size_t i) {
        uint32_t type = device->type == 'b' ? S_IFBLK : device->type == 'p' ? S_IFIFO : S_IFCHR;

        plan_text(plan, &entry->name, "linux.devices[%zu]", i);
        image_link_string(plan->image, &entry->path, path);
        entry->mode = type | (device->file_mode.set ? device->file_mode.value & 07777 : 0666);
        entry->major = (uint32_t) device->major;
        entry->minor = (uint32_t) device->minor;
        entry->uid = (uint32_t) device->uid.value;
        entry->gid = (uint32_t) device->gid.value;
}

static void plan_links(Plan *plan) {
        InitPlan *init = plan->init;

        init->n_links = G_N_ELEMENTS(default_links);
        plan_array(plan, &init->links, init->n_links, sizeof(*init->links));
        for (size_t i = 0; i < init->n_links; i++) {
                image_link_string(plan->image, &init->links[i].path, default_links[i].path);
                image_link_string(plan->image, &init->links[i].target, default_links[i].target);
        }
}

/* A path that stands there twice, in any spelling, is covered once. */
static void link_paths(Plan *plan, char ***slot, char **paths) {
        g_autoptr(GPtrArray) unique = g_ptr_array_new_with_free_func(g_free);

        for (char **path = paths; path && *path; path++) {
                g_autofree char *normal = plan_path(*path, "/");

                if (!g_ptr_array_find_with_equal_func(unique, normal, g_str_equal, NULL))
                        g_ptr_array_add(unique, g_steal_pointer(&normal));
        }
        g_ptr_array_add(unique, NULL);
        image_link_strings(plan->image, slot, (const char *const *) unique->pdata);
}

bool plan_devices(Plan *plan, const OciConfig *config, GError **error) {
        const OciLinux *linux = &config->linux;
        InitPlan *init = plan->init;
        bool foreign_dev = dev_is_foreign(init);

        plan_array(plan, &init->devices, G_N_ELEMENTS(default_devices) + linux->n_devices,
                   sizeof(*init->devices));
        for (size_t i = 0; !foreign_dev && i < G_N_ELEMENTS(default_devices); i++) {
                DevicePlan *entry = &init->devices[init->n_devices];

                if (is_listed(linux, default_devices[i].path))
                        continue;
                *entry = default_devices[i];
                image_link_string(plan->image, &entry->path, default_devices[i].path);
                init->n_devices++;
        }
        for (size_t i = 0; i < linux->n_devices; i++) {
                g_autofree char *path = plan_path(linux->devices[i].path, "/");

                if (!foreign_dev || !g_str_has_prefix(path, "/dev/"))
                        fill(plan, &init->devices[init->n_devices++], &linux->devices[i], path, i);
        }
        if (!foreign_dev)
                plan_links(plan);
        link_paths(plan, &init->masked_paths, linux->masked_paths);
        link_paths(plan, &init->readonly_paths, linux->readonly_paths);
        return true;
}
