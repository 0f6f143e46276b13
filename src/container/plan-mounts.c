/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Mounts: what kind each is, its options sorted into flags, propagation and what the file system gets. */

#include <linux/sched.h>
#include <string.h>
#include <sys/mount.h>

#include "base-glib/error.h"
#include "base/path.h"
#include "container/mount-option.h"
#include "container/plan-parts.h"
#include "protocol/state-dir.h"

/* What mount(2) replaces when a bind mount is given flags of its own. */
#define BIND_FLAGS                                                                                           \
        (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC |                      \
         MOUNT_ATTR_NOSYMFOLLOW)

static uint32_t mount_kind(const OciMount *mount, const MountOptions *options) {
        static const struct {
                const char *type;
                MountKind kind;
        } kinds[] = {
                {"bind",    MOUNT_BIND  },
                {"proc",    MOUNT_PROC  },
                {"sysfs",   MOUNT_SYSFS },
                {"tmpfs",   MOUNT_TMPFS },
                {"cgroup",  MOUNT_CGROUP},
                {"cgroup2", MOUNT_CGROUP},
        };

        if (options->remount)
                return MOUNT_REMOUNT;
        if (options->bind)
                return MOUNT_BIND;
        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
                if (strcmp(mount->type, kinds[i].type) == 0)
                        return kinds[i].kind;
        return MOUNT_FILESYSTEM;
}

static bool check_bind(Plan *plan, const OciMount *mount, const MountOptions *options, GError **error) {
        if (!mount->source)
                return fail(error, "mounts[%zu].source: missing, a bind mount of '%s' needs one",
                            options->index, mount->destination);
        for (guint i = 0; i < options->parameters->len; i++) {
                const char *name = g_ptr_array_index(options->parameters, i);

                /* Unknown words are for the filesystem (config.md), and a bind mount has none to make. */
                if (!mount_option_find(name)) {
                        plan_warn(plan, "mounts[%zu].options: '%s' means nothing to a bind mount, ignoring",
                                  options->index, name);
                        continue;
                }
                /* The negative ones are the default. */
                if (!g_str_has_prefix(name, "no") && strcmp(name, "async") != 0)
                        return fail(error, "mounts[%zu].options: '%s' can't be set for a bind mount",
                                    options->index, name);
        }
        return true;
}

static bool has_parameter(const GPtrArray *parameters, const char *prefix) {
        for (guint i = 0; i < parameters->len; i++)
                if (g_str_has_prefix(g_ptr_array_index(parameters, i), prefix))
                        return true;
        return false;
}

#define CONTEXT_ANNOTATION "run.oci.mount_context_type"

/* linux.mountLabel as an option of the filesystem. procfs, sysfs and cgroup2 have labels of their own, a bind
 * mount its source's; the root of an mqueue takes one, but no such option. */
static char *label_parameter(const Plan *plan, MountPlan *entry, const OciMount *mount,
                             const MountOptions *options) {
        const char *type = oci_pairs_get(&plan->config->annotations, CONTEXT_ANNOTATION);
        g_autofree char *prefix = g_strconcat(type ? type : "context", "=", NULL);

        if (!plan->config->linux.mount_label ||
            (entry->kind != MOUNT_TMPFS && entry->kind != MOUNT_FILESYSTEM) ||
            has_parameter(options->parameters, prefix))
                return NULL;
        if (strcmp(mount->type, "mqueue") != 0)
                return g_strconcat(prefix, plan->config->linux.mount_label, NULL);
        image_link_string(plan->image, &entry->label, plan->config->linux.mount_label);
        return NULL;
}

static bool check_label(const OciConfig *config, const PlanContext *context, GError **error) {
        static const char *const types[] = {"context", "fscontext", "defcontext", "rootcontext", NULL};
        const char *type = oci_pairs_get(&config->annotations, CONTEXT_ANNOTATION);

        if (type && !g_strv_contains(types, type))
                return fail(error,
                            "annotations['" CONTEXT_ANNOTATION "']: '%s' is not one of context, "
                            "fscontext, defcontext and rootcontext",
                            type);
        if (config->linux.mount_label && !context->selinux)
                return fail(error, "linux.mountLabel: '%s' can't be applied, SELinux is not enabled here",
                            config->linux.mount_label);
        return true;
}

static void link_parameters(Plan *plan, MountPlan *entry, const OciMount *mount,
                            const MountOptions *options) {
        g_autofree char *label = label_parameter(plan, entry, mount, options);

        if (label)
                g_ptr_array_add(options->parameters, label);
        /* A device that can't be written to needs a superblock that is read-only as well. */
        if (entry->kind == MOUNT_FILESYSTEM && entry->flags.set & MOUNT_ATTR_RDONLY && mount->source &&
            path_is_absolute(mount->source))
                g_ptr_array_add(options->parameters, (char *) "ro");
        if (options->parameters->len == 0)
                return;
        g_ptr_array_add(options->parameters, NULL);
        image_link_strings(plan->image, &entry->parameters, (const char *const *) options->parameters->pdata);
        g_ptr_array_set_size(options->parameters, (int) options->parameters->len - 1);
}

/* A bind mount that is given any flag is what its flags say: what its source has beyond them goes, unless it
 * is locked (a user namespace). That is what mount(2) did, engines know no other way, and mount(8) leaves
 * alone only what was given no flag at all. */
static void link_flags(MountPlan *entry, const MountOptions *options) {
        entry->flags = options->flags;
        entry->recursive_flags = options->recursive_flags;
        if (entry->kind == MOUNT_BIND && options->has_flags)
                entry->drop = BIND_FLAGS & ~(entry->flags.set | entry->flags.clear);
}

static bool check_remount(const OciMount *mount, const MountOptions *options, GError **error) {
        if (options->bind && options->parameters->len > 0)
                return fail(error, "mounts[%zu].options: '%s' can't be set for a bind mount", options->index,
                            (const char *) g_ptr_array_index(options->parameters, 0));
        if (options->copy_up)
                return fail(error, "mounts[%zu].options: 'tmpcopyup' comes too late for a remount",
                            options->index);
        return true;
}

static bool check_kind(Plan *plan, const MountPlan *entry, const OciMount *mount, const MountOptions *options,
                       GError **error) {
        if (entry->kind == MOUNT_REMOUNT)
                return check_remount(mount, options, error);
        if (strcmp(entry->destination, "/") == 0)
                return fail(error, "mounts[%zu].destination: '%s' is the root itself, which can't be covered",
                            options->index, mount->destination);
        if (entry->kind == MOUNT_BIND && !check_bind(plan, mount, options, error))
                return false;
        if (options->copy_up && entry->kind != MOUNT_TMPFS)
                return fail(error, "mounts[%zu].options: 'tmpcopyup' is for mounts of type tmpfs",
                            options->index);
        return true;
}

static void link_source(Plan *plan, MountPlan *entry, const OciMount *mount, const MountOptions *options,
                        const PlanContext *context) {
        g_autofree char *path = NULL;

        if (entry->kind == MOUNT_BIND) {
                path = plan_path(mount->source, context->bundle);
                image_link_string(plan->image, &entry->source, path);
                return;
        }
        if (entry->kind != MOUNT_REMOUNT) {
                image_link_string(plan->image, &entry->type,
                                  entry->kind == MOUNT_CGROUP ? "cgroup2" : mount->type);
                image_link_string(plan->image, &entry->source, mount->source ? mount->source : mount->type);
        }
        entry->has_mode = has_parameter(options->parameters, "mode=");
        link_parameters(plan, entry, mount, options);
}

static bool fill(Plan *plan, MountPlan *entry, const OciMount *mount, const MountOptions *options,
                 const PlanContext *context, GError **error) {
        g_autofree char *destination = plan_path(mount->destination, "/");
        g_autofree char *joined = g_strjoinv(",", mount->options);

        if (!mount->type && !options->bind && !options->remount)
                return fail(error, "mounts[%zu].type: missing ('%s' is no bind mount)", options->index,
                            mount->destination);
        if (!path_is_absolute(
                    mount->destination)) /* config.md: it "MUST be interpreted as relative to "/"" */
                plan_warn(plan, "mounts[%zu].destination: '%s' is not an absolute path, taking it for '%s'",
                          options->index, mount->destination, destination);
        entry->kind = mount_kind(mount, options);
        plan_text(plan, &entry->name, "mounts[%zu]", options->index);
        image_link_string(plan->image, &entry->destination, destination);
        image_link_string(plan->image, &entry->options, joined);
        if (!check_kind(plan, entry, mount, options, error) ||
            !plan_id_map(plan, entry, mount, options, &plan->config->linux, error))
                return false;
        link_flags(entry, options);
        entry->links = options->links;
        entry->recursive = options->recursive;
        entry->copy_up = options->copy_up;
        entry->n_propagation = options->propagation->len;
        if (entry->n_propagation > 0)
                image_link_data(plan->image, &entry->propagation, options->propagation->data,
                                entry->n_propagation * sizeof(uint32_t));
        link_source(plan, entry, mount, options, context);
        return true;
}

static bool plan_mount(Plan *plan, const OciConfig *config, size_t i, MountPlan *entry,
                       const PlanContext *context, GError **error) {
        const OciMount *mount = &config->mounts[i];
        g_auto(MountOptions) options = {0};

        return mount_options_parse(mount, i, &options, error) &&
               fill(plan, entry, mount, &options, context, error);
}

static bool is_below(const char *path, const char *directory) {
        size_t n = strlen(directory);

        return strncmp(path, directory, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* Where a mount goes in the order of things. */
typedef struct Place {
        size_t index; /* in the config */
        bool cgroup;
        char *destination; /* normalised */
} Place;

static void place_clear(gpointer data) {
        Place *place = data;

        g_free(place->destination);
}

static bool overlap(const Place *a, const Place *b) {
        return is_below(a->destination, b->destination) || is_below(b->destination, a->destination);
}

/* Init can mount cgroup2 only once it is in its cgroup, which systemd has to make first; until then there is
 * other work. So mounts of cgroup2 go to the end, unless a later mount has to be on top of them, or below. */
static GArray *order_mounts(const OciConfig *config) {
        GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));

        g_array_set_clear_func(places, place_clear);
        for (size_t i = 0; i < config->n_mounts; i++) {
                const OciMount *mount = &config->mounts[i];
                Place place = {
                        .index = i,
                        .cgroup = mount->type && g_str_has_prefix(mount->type, "cgroup"),
                        .destination = plan_path(mount->destination, "/"),
                };

                g_array_append_val(places, place);
        }
        for (guint i = places->len; i-- > 0;) {
                Place place = g_array_index(places, Place, i);
                bool movable = place.cgroup;

                for (guint k = i + 1; movable && k < places->len; k++)
                        movable = !overlap(&place, &g_array_index(places, Place, k));
                if (!movable)
                        continue;
                memmove(&g_array_index(places, Place, i), &g_array_index(places, Place, i + 1),
                        (places->len - 1 - i) * sizeof(Place));
                g_array_index(places, Place, places->len - 1) = place;
        }
        return places;
}

/* Devices are made between early and late mounts, so what they lie in must be early. */
static size_t count_early(const MountPlan *mounts, size_t n) {
        size_t early = n;

        for (size_t i = 0; i < n; i++) {
                if (mounts[i].kind == MOUNT_CGROUP && early == n)
                        early = i;
                if (early < n && is_below(mounts[i].destination, "/dev"))
                        return n;
        }
        return early;
}

static void plan_propagation(Plan *plan, const OciLinux *linux) {
        const MountOption *option =
                linux->rootfs_propagation ? mount_option_find(linux->rootfs_propagation) : NULL;

        if (!option)
                return;
        plan->init->rootfs_propagation = (uint32_t) option->value;
        plan->init->host_stays_shared = option->value & MS_SHARED;
}

/* What the unit gives to the program, behind all else: the config may mount something at /run. */
static void plan_of_unit(Plan *plan, MountPlan *entry, const char *name, const char *directory,
                         const char *destination) {
        static const uint32_t private = MS_PRIVATE;

        image_link_string(plan->image, &entry->name, name);
        entry->kind = MOUNT_BIND;
        image_link_string(plan->image, &entry->destination, destination);
        image_link_string(plan->image, &entry->source, directory);
        image_link_string(plan->image, &entry->options, "bind,ro,nosuid,nodev,noexec");
        entry->flags.set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
        entry->n_propagation = 1;
        image_link_data(plan->image, &entry->propagation, &private, sizeof(private));
}

bool plan_mounts(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        g_autoptr(GArray) places = order_mounts(config);
        InitPlan *init = plan->init;
        size_t n = config->n_mounts;

        if (!check_label(config, context, error))
                return false;
        init->n_mounts = config->n_mounts + (context->notify_directory ? 1 : 0) +
                         (context->credentials_directory ? 1 : 0);
        plan_array(plan, &init->mounts, init->n_mounts, sizeof(*init->mounts));
        plan_array(plan, &init->id_maps, init->n_mounts, sizeof(*init->id_maps));
        for (size_t i = 0; i < config->n_mounts; i++) {
                size_t index = g_array_index(places, Place, i).index;

                if (!plan_mount(plan, config, index, &init->mounts[i], context, error))
                        return false;
        }
        if (context->notify_directory)
                plan_of_unit(plan, &init->mounts[n++], "NOTIFY_SOCKET", context->notify_directory,
                             NOTIFY_DESTINATION);
        if (context->credentials_directory)
                plan_of_unit(plan, &init->mounts[n++], "CREDENTIALS_DIRECTORY",
                             context->credentials_directory, context->credentials_path);
        init->n_early_mounts = count_early(init->mounts, init->n_mounts);
        plan_propagation(plan, &config->linux);
        return true;
}
