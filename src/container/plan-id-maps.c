/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ID-mapped mounts: where the mapping of each comes from. config.md: from its uidMappings and gidMappings;
 * else from the container's user namespace. crun's spelling, which podman passes on, has a mapping behind the
 * option: "idmap=uids=@0-1-10#10-100-5;gids=…", triplets of the first ID in the file system, the first ID on
 * the host (with "@": in the container's user namespace) and how many. */

#include <linux/sched.h>
#include <string.h>

#include "base-glib/error.h"
#include "container/plan-parts.h"

typedef struct IdMapTexts {
        GString *uids;
        GString *gids;
} IdMapTexts;

static void append_mappings(GString *text, const OciIdMappings *mappings) {
        for (size_t i = 0; i < mappings->n; i++)
                g_string_append_printf(text, "%u %u %u\n", mappings->items[i].container_id,
                                       mappings->items[i].host_id, mappings->items[i].size);
}

/* The host's ID for @id of the container's user namespace. */
static bool find_host_id(const OciIdMappings *mappings, uint64_t id, uint64_t *ret_id) {
        for (size_t i = 0; i < mappings->n; i++) {
                const OciIdMapping *mapping = &mappings->items[i];

                if (id < mapping->container_id || id - mapping->container_id >= mapping->size)
                        continue;
                *ret_id = mapping->host_id + (id - mapping->container_id);
                return true;
        }
        return false;
}

static bool parse_triplet(const char *text, const OciIdMappings *container, GString *lines) {
        bool relative = *text == '@';
        g_auto(GStrv) parts = g_strsplit(text + relative, "-", -1);
        guint64 numbers[3];

        if (g_strv_length(parts) != G_N_ELEMENTS(numbers))
                return false;
        for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
                if (!g_ascii_string_to_unsigned(parts[i], 10, 0, G_MAXUINT32 - 1, &numbers[i], NULL))
                        return false;
        if (numbers[2] == 0 || (relative && !find_host_id(container, numbers[1], &numbers[1])))
                return false;
        g_string_append_printf(lines, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                               numbers[0], numbers[1], numbers[2]);
        return true;
}

static bool parse_list(const char *text, const OciIdMappings *container, GString *lines) {
        g_auto(GStrv) triplets = g_strsplit(text, "#", -1);

        for (char **triplet = triplets; *triplet; triplet++)
                if (!parse_triplet(*triplet, container, lines))
                        return false;
        return *triplets != NULL;
}

static bool parse_text(const char *text, const OciLinux *linux, IdMapTexts *texts) {
        g_auto(GStrv) parts = g_strsplit(text, ";", -1);

        for (char **part = parts; *part; part++) {
                bool uids = g_str_has_prefix(*part, "uids=");

                if (!uids && !g_str_has_prefix(*part, "gids="))
                        return false;
                if (!parse_list(*part + strlen("uids="), uids ? &linux->uid_mappings : &linux->gid_mappings,
                                uids ? texts->uids : texts->gids))
                        return false;
        }
        return texts->uids->len > 0 && texts->gids->len > 0;
}

/* One user namespace serves all mounts of the same mapping. */
static size_t add_id_map(Plan *plan, const MountPlan *entry, const IdMapTexts *texts) {
        InitPlan *init = plan->init;
        IdMapPlan *map;

        for (size_t i = 0; i < init->n_id_maps; i++)
                if (strcmp(init->id_maps[i].uid_map, texts->uids->str) == 0 &&
                    strcmp(init->id_maps[i].gid_map, texts->gids->str) == 0)
                        return i;
        map = &init->id_maps[init->n_id_maps];
        image_link_string(plan->image, &map->name, entry->name);
        image_link_string(plan->image, &map->uid_map, texts->uids->str);
        image_link_string(plan->image, &map->gid_map, texts->gids->str);
        return init->n_id_maps++;
}

static bool has_user_namespace(const InitPlan *init) {
        for (size_t i = 0; i < init->n_join; i++)
                if (init->join[i].type == CLONE_NEWUSER)
                        return true;
        return init->new_namespaces & CLONE_NEWUSER;
}

static bool plan_own_map(Plan *plan, MountPlan *entry, const OciMount *mount, const MountOptions *options,
                         const OciLinux *linux, GError **error) {
        IdMapTexts texts = {g_string_new(NULL), g_string_new(NULL)};
        bool ok = true;

        append_mappings(texts.uids, &mount->uid_mappings);
        append_mappings(texts.gids, &mount->gid_mappings);
        if (options->id_map_text && mount->uid_mappings.n > 0)
                ok = fail(error,
                          "mounts[%zu].options[%zu]: has a mapping, and so has mounts[%zu].uidMappings",
                          options->index, options->id_map_option, options->index);
        else if (options->id_map_text && !parse_text(options->id_map_text, linux, &texts))
                ok = fail(error,
                          "mounts[%zu].options[%zu]: '%s' is not a mapping like uids=0-1000-1;gids=0-1000-1 "
                          "(with @ before a triplet: of IDs in linux.uidMappings and linux.gidMappings)",
                          options->index, options->id_map_option, options->id_map_text);
        if (ok) {
                entry->id_map_kind = ID_MAP_OWN;
                entry->id_map = add_id_map(plan, entry, &texts);
        }
        g_string_free(texts.uids, TRUE);
        g_string_free(texts.gids, TRUE);
        return ok;
}

bool plan_id_map(Plan *plan, MountPlan *entry, const OciMount *mount, const MountOptions *options,
                 const OciLinux *linux, GError **error) {
        bool mapped = mount->uid_mappings.n > 0;

        if (!mapped && !options->id_map)
                return true;
        if (entry->kind != MOUNT_BIND && entry->kind != MOUNT_FILESYSTEM && entry->kind != MOUNT_TMPFS)
                return fail(error, "mounts[%zu].%s: '%s' is no mount that can be ID-mapped", options->index,
                            mapped ? "uidMappings" : "options", mount->destination);
        entry->id_map_recursive = options->id_map_recursive;
        if (mapped || options->id_map_text)
                return plan_own_map(plan, entry, mount, options, linux, error);
        if (!has_user_namespace(plan->init))
                return fail(
                        error,
                        "mounts[%zu].options[%zu]: '%s' needs uidMappings and gidMappings beside it, or a "
                        "user namespace among linux.namespaces",
                        options->index, options->id_map_option, mount->options[options->id_map_option]);
        entry->id_map_kind = ID_MAP_CONTAINER;
        return true;
}
