/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* New limits for a container that exists. Files come before properties: the kernel may refuse a value,
 * systemd hardly does what the kernel has taken, and a file is as it was when its old value is written back.
 *
 * systemd keeps each property that is changed in a file of its own, and considers a unit changed on disk
 * (NeedDaemonReload=) when these were not made in the order of their names, until it reloads. So the first
 * update sets them all, in that order: those that it was not asked for to what they are. */

#include "container/update.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "container/resources.h"
#include "container/unit-properties.h"
#include "protocol/state-dir.h"
#include "unit/unit.h"

/* In the order of the files: "50-CPUQuota.conf", "50-CPUQuotaPeriodSec.conf". */
typedef struct KeptProperty {
        const char *name;
        const char *file;         /* NULL: "50-NAME.conf" */
        const char *default_file; /* of the unit's group, in which a default of the slice shows */
} KeptProperty;

static const KeptProperty kept_properties[] = {
        {"AllowedCPUs"               },
        {"AllowedMemoryNodes"        },
        {"CPUQuotaPerSecUSec",         "50-CPUQuota.conf"},
        {"CPUQuotaPeriodUSec",                            "50-CPUQuotaPeriodSec.conf"},
        {"CPUWeight"},
        {"IODeviceWeight"                 },
        {"IOReadBandwidthMax"            },
        {"IOReadIOPSMax"        },
        {"IOWeight"             },
        {"IOWriteBandwidthMax"                  },
        {"IOWriteIOPSMax"       },
        {"MemoryHigh"            },
        {"MemoryLow",                 NULL, "memory.low"},
        {"MemoryMax"                 },
        {"MemoryMin",                NULL, "memory.min"},
        {"MemorySwapMax"                 },
        {"TasksMax"                 },
};

static bool same_rule(const OciDeviceRule *one, const OciDeviceRule *other) {
        return one->allow == other->allow && one->type == other->type && one->major == other->major &&
               one->minor == other->minor && one->read == other->read && one->write == other->write &&
               one->mknod == other->mknod;
}

/* Engines that send all resources at each update send the devices of the config. */
static bool check_devices(const OciResources *resources, const OciConfig *config, GError **error) {
        static const OciResources none = {0};
        const OciResources *created = config->linux.resources ? config->linux.resources : &none;
        bool same = resources->n_devices == created->n_devices;

        for (size_t i = 0; same && i < resources->n_devices; i++)
                same = same_rule(&resources->devices[i], &created->devices[i]);
        return same || resources->n_devices == 0 ||
               fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                         "linux.resources.devices: the devices of a container can't be changed");
}

static bool has_drop_in(char *const *paths, const KeptProperty *property) {
        g_autofree char *file =
                property->file ? g_strdup(property->file) : g_strdup_printf("50-%s.conf", property->name);

        for (; *paths; paths++) {
                const char *slash = strrchr(*paths, '/');

                if (slash && strcmp(slash + 1, file) == 0)
                        return true;
        }
        return false;
}

/* 0 is also what systemd says of a property that the slice gives a default for: it is to stay that. */
static bool is_inherited(const KeptProperty *property, GVariant *value, int unit_fd) {
        uint64_t number;

        return property->default_file && g_variant_get_uint64(value) == 0 &&
               cgroup_read_number(unit_fd, property->default_file, &number) >= 0 && number != 0;
}

static bool read_present(UnitBus *bus, const char *unit, PropertySet **ret_values, char ***ret_drop_ins,
                         GError **error) {
        static const char *const drop_ins[] = {"DropInPaths", NULL};
        const char *names[G_N_ELEMENTS(kept_properties) + 1] = {NULL};
        g_autoptr(PropertySet) values = NULL;
        g_autoptr(PropertySet) paths = NULL;

        for (size_t i = 0; i < G_N_ELEMENTS(kept_properties); i++)
                names[i] = kept_properties[i].name;
        if (!unit_get_properties(bus, unit, "Unit", drop_ins, &paths, error) ||
            !unit_get_properties(bus, unit, "Service", names, &values, error))
                return false;
        *ret_drop_ins = property_set_find(paths, drop_ins[0])
                                ? g_variant_dup_strv(property_set_find(paths, drop_ins[0]), NULL)
                                : g_new0(char *, 1);
        *ret_values = g_steal_pointer(&values);
        return true;
}

static bool set_properties(const Container *container, const PropertySet *changes, int unit_fd,
                           GError **error) {
        const Facts *facts = container->facts;
        g_autoptr(UnitBus) bus =
                unit_bus_connect(facts->user_manager ? UNIT_MANAGER_USER : UNIT_MANAGER_SYSTEM, error);
        g_autoptr(PropertySet) present = NULL;
        g_autoptr(PropertySet) all = property_set_new();
        g_auto(GStrv) drop_ins = NULL;

        if (!bus || !read_present(bus, facts->unit, &present, &drop_ins, error))
                return false;
        for (size_t i = 0; i < G_N_ELEMENTS(kept_properties); i++) {
                const KeptProperty *property = &kept_properties[i];
                GVariant *is = property_set_find(present, property->name);
                GVariant *becomes = property_set_find(changes, property->name);

                if (becomes)
                        property_set_put(all, property->name, becomes);
                else if (is && !has_drop_in(drop_ins, property) && !is_inherited(property, is, unit_fd))
                        property_set_put(all, property->name, is);
        }
        property_set_put_all(all, changes);
        return unit_set_properties(bus, facts->unit, all, error);
}

static bool apply(const Container *container, const ResourcePlan *plan, int unit_fd, int payload_fd,
                  GError **error) {
        const Facts *facts = container->facts;
        g_autoptr(ResourceUndo) undo = NULL;

        if (!resources_apply_update(plan, facts->cgroup, payload_fd, &undo, error))
                return false;
        if (facts->no_unit || property_set_get_n(plan->properties) == 0 ||
            set_properties(container, plan->properties, unit_fd, error))
                return true;
        resources_undo(undo, payload_fd);
        return false;
}

static bool check_status(const Container *container, ContainerStatus *ret_status, GError **error) {
        *ret_status = container_status(container);
        if (*ret_status == CONTAINER_CREATING)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot update a container that is still being created: '%s'",
                                 container->dir->id);
        return *ret_status != CONTAINER_STOPPED ||
               fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                         container->dir->id);
}

static bool open_groups(const Container *container, int *ret_unit_fd, int *ret_payload_fd, GError **error) {
        const char *cgroup = container->facts->cgroup;
        autoclose int unit_fd = cgroup_open(cgroup);
        autoclose int payload_fd = unit_fd < 0 ? unit_fd : cgroup_open_sub(unit_fd, CGROUP_PAYLOAD);

        if (!cgroup)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "container '%s' has no control group that limits could be set for",
                                 container->dir->id);
        if (payload_fd == -ENOENT)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                                 container->dir->id);
        if (payload_fd < 0)
                return fail_errno(error, payload_fd, "cannot open the cgroup '%s'", cgroup);
        *ret_unit_fd = steal_fd(&unit_fd);
        *ret_payload_fd = steal_fd(&payload_fd);
        return true;
}

/* One update after the other: each takes what it finds for what it has to put back. Nobody else locks this
 * file; `create` and `delete` lock the directory. Returns the lock, for close(). */
static int wait_for_others(const Container *container, GError **error) {
        autoclose int fd = openat(container->dir->fd, STATE_CONFIG, O_RDONLY | O_CLOEXEC);

        if (fd < 0 || flock(fd, LOCK_EX) < 0) {
                fail_errno(error, errno, "cannot lock '%s/" STATE_CONFIG "'", container->dir->path);
                return -EBADF;
        }
        return steal_fd(&fd);
}

/* Before the rest, which can put back itself what it has changed. */
static bool write_schemata(const ResctrlGroup *group, const char *lines, char **ret_before, GError **error) {
        g_autofree char *path = NULL;

        if (!group->path)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "the container has no group there (linux.intelRdt)");
        path = g_build_filename(group->path, "schemata", NULL);
        return g_file_get_contents(path, ret_before, NULL, error) && resctrl_write(group, lines, error);
}

bool container_update(const Container *container, const OciResources *resources, const char *schemata,
                      GError **error) {
        g_autofree char *schemata_before = NULL;
        autoclose int lock = -EBADF, unit_fd = -EBADF, payload_fd = -EBADF;
        g_autoptr(OciConfig) config = NULL;
        g_autoptr(ResourcePlan) plan = NULL;
        ResourcesPresent present;
        ContainerStatus status;

        if (!check_status(container, &status, error))
                return false;
        lock = wait_for_others(container, error);
        config = lock < 0 ? NULL : container_load_config(container, error);
        if (!config || !check_devices(resources, config, error) ||
            !open_groups(container, &unit_fd, &payload_fd, error))
                return false;
        resources_present_load(payload_fd, &present);
        plan = resources_plan_update(resources, &present, error);
        if (!plan)
                return false;
        if (status == CONTAINER_CREATED)
                unit_properties_leave_room(plan->properties, config);
        if (schemata && !write_schemata(&container->facts->resctrl, schemata, &schemata_before, error))
                return fail_prefix(error, "Intel RDT schemata");
        if (apply(container, plan, unit_fd, payload_fd, error))
                return true;
        if (schemata)
                resctrl_write(&container->facts->resctrl, schemata_before, NULL);
        return false;
}
