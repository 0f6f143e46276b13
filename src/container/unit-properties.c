/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a config to the properties of a unit. Nothing here talks to systemd: the result compares as text.
 *
 * DefaultDependencies= is left at systemd's default, unlike with runc and crun: a container then is stopped,
 * with its own stop signal and time-out, before the file systems and the network go away at shutdown. */

#include "container/unit-properties.h"

#include <signal.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/signal-name.h"
#include "unit/annotation.h"
#include "unit/name.h"

#define SHORT_ID_LENGTH      12
#define MIN_TASKS_WITH_HOOKS 32

/* Who writes a container's name and image where; the first that is there counts. podman writes neither. */
static const char *const name_annotations[] = {
        "io.kubernetes.cri.container-name", /* containerd */
        "io.kubernetes.cri-o.ContainerName",
        "io.kubernetes.container.name",
        "nerdctl/name",
};
static const char *const image_annotations[] = {
        "io.kubernetes.cri.image-name",
        "io.kubernetes.cri-o.ImageName",
        "org.opencontainers.image.ref.name",
};

/* It goes into lines of a journal, and of a unit file, where a backslash at the end swallows the next line.
 */
static void make_one_line(char *text) {
        for (char *c = text; *c; c++)
                if (g_ascii_iscntrl(*c) || (*c == '\\' && c[1] == '\0'))
                        *c = ' ';
}

static char *first_annotation(const OciConfig *config, const char *const *names, size_t n) {
        for (size_t i = 0; i < n; i++) {
                const char *value = oci_pairs_get(&config->annotations, names[i]);

                if (value && *value) {
                        char *copy = g_strdup(value);

                        make_one_line(copy);
                        return copy;
                }
        }
        return NULL;
}

bool unit_names_plan(const char *cgroups_path, const char *id, char **ret_unit, char **ret_slice,
                     GError **error) {
        if (!cgroups_path || *cgroups_path == '\0') {
                g_autofree char *unit = unit_name_service("unitrun", id, error);

                if (!unit)
                        return false;
                *ret_unit = g_steal_pointer(&unit);
                *ret_slice = NULL;
                return true;
        }
        if (strchr(cgroups_path, '/') && !strchr(cgroups_path, ':'))
                return fail_code(
                        error, UNITRUN_ERROR_UNSUPPORTED,
                        "linux.cgroupsPath: '%s' is a path in cgroupfs, but a container is a unit of "
                        "systemd: give 'slice:prefix:name' (podman: --cgroup-manager=systemd)",
                        cgroups_path);
        return unit_name_from_triple(cgroups_path, ret_unit, ret_slice, error) ||
               fail_prefix(error, "linux.cgroupsPath");
}

/* What a person knows the container by. */
typedef struct Identity {
        char short_id[SHORT_ID_LENGTH + 1];
        char *name;  /* NULL: not known */
        char *image; /* NULL: not known */
        char *program;
} Identity;

static void identity_clear(Identity *identity) {
        g_free(identity->name);
        g_free(identity->image);
        g_free(identity->program);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Identity, identity_clear)

static void identity_init(Identity *identity, const OciConfig *config, const char *id) {
        g_strlcpy(identity->short_id, id, sizeof(identity->short_id));
        identity->name = first_annotation(config, name_annotations, G_N_ELEMENTS(name_annotations));
        identity->image = first_annotation(config, image_annotations, G_N_ELEMENTS(image_annotations));
        if (config->process && config->process->args && config->process->args[0])
                identity->program = g_path_get_basename(config->process->args[0]);
}

/* An engine's ID is 64 digits of which nobody reads more than twelve; one that somebody chose is a name. */
static bool is_engine_id(const char *id) {
        return strlen(id) == 64 && strspn(id, "0123456789abcdef") == 64;
}

static char *describe(const Identity *identity, const char *id) {
        GString *text = g_string_new("Container ");

        if (identity->name)
                g_string_append_printf(text, "%s (%s)", identity->name, identity->short_id);
        else
                g_string_append(text, is_engine_id(id) ? identity->short_id : id);
        if (identity->image)
                g_string_append_printf(text, " of %s", identity->image);
        else if (identity->program && g_utf8_validate(identity->program, -1, NULL))
                g_string_append_printf(text, " running %s", identity->program);
        make_one_line(text->str);
        return g_string_free(text, FALSE);
}

/* podman's journald logs are all records with CONTAINER_ID_FULL, which conmon gives to what the container
 * wrote: with the same field on systemd's messages and the hooks' output, `podman logs` would show these as
 * well. */
static bool engine_logs_by_id(const OciConfig *config) {
        return g_strcmp0(oci_pairs_get(&config->annotations, "io.container.manager"), "libpod") == 0;
}

static void put_identity(PropertySet *set, const OciConfig *config, const char *id) {
        g_auto(Identity) identity = {{0}};
        g_autofree char *description = NULL;
        GVariantBuilder fields;
        const struct {
                const char *name;
                const char *value;
        } journal_fields[] = {
                {"CONTAINER_ID",      identity.short_id},
                {"CONTAINER_ID_FULL", id               },
                {"CONTAINER_NAME",    NULL             },
                {"IMAGE_NAME",        NULL             },
        };

        identity_init(&identity, config, id);
        description = describe(&identity, id);
        property_set_put_string(set, "Description", description);
        property_set_put_strings(set, "Documentation", (const char *const[]){"man:unitrun(1)", NULL});
        property_set_put_string(set, "SyslogIdentifier",
                                identity.name ? identity.name : (is_engine_id(id) ? identity.short_id : id));

        g_variant_builder_init(&fields, G_VARIANT_TYPE("aay"));
        for (size_t i = 0; i < G_N_ELEMENTS(journal_fields); i++) {
                const char *value = journal_fields[i].value;
                g_autofree char *field = NULL;

                if (strcmp(journal_fields[i].name, "CONTAINER_NAME") == 0)
                        value = identity.name;
                else if (strcmp(journal_fields[i].name, "IMAGE_NAME") == 0)
                        value = identity.image;
                else if (strcmp(journal_fields[i].name, "CONTAINER_ID_FULL") == 0 &&
                         engine_logs_by_id(config))
                        continue;
                if (!value)
                        continue;
                field = g_strdup_printf("%s=%s", journal_fields[i].name, value);
                /* systemd writes them unquoted into the unit's file, and splits them at daemon-reload. */
                g_strdelimit(field, " \t\"'\\", '_');
                g_variant_builder_add_value(
                        &fields, g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, field, strlen(field), 1));
        }
        property_set_put(set, "LogExtraFields", g_variant_builder_end(&fields));
}

int unit_stop_signal(const OciConfig *config) {
        const char *asked = oci_pairs_get(&config->annotations, ANNOTATION_PROPERTY_PREFIX "KillSignal");
        const char *of_image = oci_pairs_get(&config->annotations, "org.opencontainers.image.stopSignal");
        g_autoptr(PropertySet) set = property_set_new();
        int number;

        if (asked && annotation_apply(set, "KillSignal", asked, NULL))
                return g_variant_get_int32(property_set_find(set, "KillSignal"));
        number = of_image ? signal_from_name(of_image) : 0;
        return number > 0 ? number : SIGTERM;
}

static void put_commands(PropertySet *set, const OciConfig *config, const UnitPlan *plan) {
        const char *const start[] = {plan->supervisor_path, plan->state_dir, NULL};

        property_set_append_command(set, "ExecStart", start);
        for (size_t i = 0; i < config->hooks[OCI_HOOK_POSTSTART].n; i++) {
                g_autofree char *index = g_strdup_printf("%zu", i);
                const char *const hook[] = {plan->hook_path, plan->state_dir, index, NULL};

                property_set_append_command(set, "ExecStartPost", hook);
        }
}

/* What makes a unit a container's; systemd.service(5), systemd.unit(5), systemd.kill(5). */
static void put_nature(PropertySet *set, const OciConfig *config, const UnitPlan *plan) {
        static const char *const accounting[] = {"CPUAccounting", "MemoryAccounting", "TasksAccounting",
                                                 "IOAccounting"};

        if (plan->slice)
                property_set_put_string(set, "Slice", plan->slice);
        property_set_put_string(set, "Type", "notify");
        property_set_put_string(set, "NotifyAccess", "main");
        property_set_put_bool(set, "Delegate", true);
        /* A unit that ended is dropped, whatever its result: its name is free again. */
        property_set_put_string(set, "CollectMode", "inactive-or-failed");
        property_set_put_string(set, "KillMode", "mixed");
        property_set_put_int32(set, "KillSignal", unit_stop_signal(config));
        /* The victim of the OOM killer is one process; whether the container goes on is for its init to say.
         */
        property_set_put_string(set, "OOMPolicy", "continue");
        /* A container may stay "created" for as long as its engine likes. */
        property_set_put_uint64(set, "TimeoutStartUSec", UINT64_MAX);
        /* The supervisor sits inside the container's memory limit. The user manager may not do this. */
        if (plan->manager == UNIT_MANAGER_SYSTEM)
                property_set_put_int32(set, "OOMScoreAdjust", -1000);
        for (size_t i = 0; i < G_N_ELEMENTS(accounting); i++)
                property_set_put_bool(set, accounting[i], true);
        put_commands(set, config, plan);
}

static bool put_annotations(PropertySet *set, const OciConfig *config, GError **error) {
        for (size_t i = 0; i < config->annotations.n; i++) {
                const OciPair *pair = &config->annotations.items[i];

                if (!g_str_has_prefix(pair->key, ANNOTATION_PROPERTY_PREFIX))
                        continue;
                if (!annotation_apply(set, pair->key + strlen(ANNOTATION_PROPERTY_PREFIX), pair->value,
                                      error))
                        return fail_prefix(error, "annotations.%s", pair->key);
        }
        return true;
}

/* Poststart hooks run in the unit, beside the payload, and count as its tasks with the supervisor. The
 * payload group has the exact limit either way. */
void unit_properties_leave_room(PropertySet *set, const OciConfig *config) {
        GVariant *tasks = property_set_find(set, "TasksMax");

        if (config->hooks[OCI_HOOK_POSTSTART].n > 0 && tasks &&
            g_variant_get_uint64(tasks) < MIN_TASKS_WITH_HOOKS)
                property_set_put_uint64(set, "TasksMax", MIN_TASKS_WITH_HOOKS);
}

PropertySet *unit_properties_plan(const OciConfig *config, const UnitPlan *plan,
                                  const ResourcePlan *resources, GError **error) {
        g_autoptr(PropertySet) set = property_set_new();

        put_identity(set, config, plan->id);
        put_nature(set, config, plan);
        if (!put_annotations(set, config, error))
                return NULL;
        if (resources)
                property_set_put_all(set, resources->properties);
        unit_properties_leave_room(set, config);
        return g_steal_pointer(&set);
}
