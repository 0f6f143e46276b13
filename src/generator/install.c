/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/install.h"

#include <string.h>

#include "base-glib/error.h"
#include "generator/words.h"

static const struct {
        const char *key, *directory; /* NULL: an alias */
} kinds[] = {
        {"WantedBy",   ".wants"   },
        {"RequiredBy", ".requires"},
        {"UpheldBy",   ".upholds" },
        {"Alias",      NULL       },
};

static void link_free(void *data) {
        InstallLink *link = data;

        g_free(link->path);
        g_free(link->target);
        g_free(link);
}

static bool check_unit_name(const char *name, GError **error) {
        static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z "0123456789:_.\\-@";
        const char *dot = strrchr(name, '.');

        return (dot && dot != name && dot[1] && strspn(name, letters) == strlen(name)) ||
               fail(error, "'%s' is not the name of a unit", name);
}

/* Returns (transfer full) (nullable): the instance that links of a template are for, NULL: none. */
static char *default_instance(const ContainerFile *container) {
        const char *instance = NULL;

        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (g_str_equal(line->section, "Install") && g_str_equal(line->key, "DefaultInstance"))
                        instance = *line->value ? line->value : NULL;
        }
        return g_strdup(instance);
}

static void add_link(GPtrArray *links, const char *name, const char *unit, const char *file,
                     const char *directory) {
        InstallLink *link = g_new0(InstallLink, 1);

        link->path = directory ? g_strconcat(name, directory, "/", unit, NULL) : g_strdup(name);
        link->target = g_strconcat(directory ? "../" : "", file, NULL);
        g_ptr_array_add(links, link);
}

static bool add_line(GPtrArray *links, const UnitLine *line, const char *unit, const char *file,
                     GError **error) {
        g_auto(GStrv) names = NULL;

        if (g_str_equal(line->key, "DefaultInstance"))
                return true;
        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
                if (!g_str_equal(kinds[i].key, line->key))
                        continue;
                names = words_split(line->value, error);
                for (char **name = names; name && *name; name++) {
                        if (!check_unit_name(*name, error))
                                return false;
                        add_link(links, *name, unit, file, kinds[i].directory);
                }
                return names != NULL;
        }
        return fail(
                error,
                "a generated unit has only WantedBy=, RequiredBy=, UpheldBy=, Alias= and DefaultInstance=");
}

GPtrArray *install_links(const ContainerFile *container, GError **error) {
        g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(link_free);
        g_autofree char *instance = default_instance(container), *unit = NULL,
                        *file = g_strconcat(container->name, ".service", NULL);
        bool template = g_str_has_suffix(container->name, "@");

        unit = template && instance ? g_strconcat(container->name, instance, ".service", NULL)
                                    : g_strdup(file);
        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (!g_str_equal(line->section, "Install"))
                        continue;
                /* An empty one takes back what stands before it; links have no other list. */
                if (*line->value == '\0')
                        g_ptr_array_set_size(links, 0);
                else if (!add_line(links, line, unit, file, error)) {
                        fail_prefix(error, "%s: %s=", line->place, line->key);
                        return NULL;
                }
        }
        if (template && !instance)
                g_ptr_array_set_size(links, 0);
        return g_steal_pointer(&links);
}
