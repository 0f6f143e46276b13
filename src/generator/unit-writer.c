/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/unit-writer.h"

#include <string.h>

#include "config.h"
#include "generator/words.h"

#define UNITRUN UNITRUN_BINDIR "/unitrun"
#define HOOK    UNITRUN_LIBEXECDIR "/unitrun-hook"

static bool says(const ContainerFile *container, const char *section, const char *key) {
        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (g_str_equal(line->section, section) && g_str_equal(line->key, key))
                        return true;
        }
        return false;
}

static void add_own_lines(GString *text, const ContainerFile *container, const char *section) {
        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (g_str_equal(line->section, section))
                        g_string_append_printf(text, "%s=%s\n", line->key, line->value);
        }
}

static void add_word(GString *text, const char *word) {
        g_autofree char *quoted = words_quote(word);

        g_string_append_printf(text, " %s", quoted);
}

static void add_unit_section(GString *text, const ContainerFile *container) {
        g_string_append_printf(text, "[Unit]\nSourcePath=%s\nDocumentation=man:unitrun.container(5)\n",
                               container->path);
        if (!says(container, "Unit", "Description"))
                g_string_append_printf(text, "Description=Container %s\n", container->id);
        for (guint i = 0; i < container->mounts_for->len; i++) {
                g_autofree char *path = words_quote(g_ptr_array_index(container->mounts_for, i));

                g_string_append_printf(text, "RequiresMountsFor=%s\n", path);
        }
        if (container->network_of)
                g_string_append_printf(text, "BindsTo=%s.service\nAfter=%s.service\n", container->network_of,
                                       container->network_of);
        add_own_lines(text, container, "Unit");
}

/* "$" means nothing in a line that begins with ":"; specifiers do. */
static void add_start(GString *text, const ContainerFile *container) {
        g_string_append(text, "ExecStart=:" UNITRUN " service");
        for (guint i = 0; i < container->options->len; i++)
                add_word(text, g_ptr_array_index(container->options, i));
        add_word(text, container->id);
        if (container->program)
                g_string_append(text, " --");
        for (char **word = container->program; word && *word; word++)
                add_word(text, *word);
        g_string_append_c(text, '\n');
}

/* One that is known is a line of its own, which `systemctl status` shows. */
static void add_hooks(GString *text, const ContainerFile *container, const BundleFacts *bundle, bool user) {
        const char *state_root = user ? "%t/unitrun" : "/run/unitrun";
        size_t n = bundle->n_poststart_hooks + container->poststart_hooks->len;

        if (n == 0 || (container->bundle && !bundle->known)) {
                g_string_append_printf(text, "ExecStartPost=" HOOK " %s/%s all\n", state_root, container->id);
                return;
        }
        for (size_t i = 0; i < n; i++)
                g_string_append_printf(text, "ExecStartPost=" HOOK " %s/%s %zu\n", state_root, container->id,
                                       i);
}

static void add_service_section(GString *text, const ContainerFile *container, const BundleFacts *bundle,
                                bool user) {
        g_string_append_printf(text,
                               "\n[Service]\nType=notify\nNotifyAccess=%s\nDelegate=yes\nKillMode=mixed\n",
                               user ? "all" : "main");
        g_string_append(text, "TimeoutStopSec=10\nOOMPolicy=continue\n");
        if (!user)
                g_string_append(text, "Slice=unitrun.slice\n");
        g_string_append_printf(
                text,
                "SyslogIdentifier=%s\nLogExtraFields=CONTAINER_NAME=%s\nLogExtraFields=CONTAINER_ID=%s\n",
                container->id, container->id, container->id);
        if (container->stop_signal)
                g_string_append_printf(text, "KillSignal=%s\n", container->stop_signal);
        g_string_append(text, bundle->limits ? bundle->limits : "");
        add_start(text, container);
        add_hooks(text, container, bundle, user);
        if (container->reload_signal)
                g_string_append_printf(text, "ExecReload=" UNITRUN " kill %s %s\n", container->id,
                                       container->reload_signal);
        g_string_append_printf(text,
                               "ExecStop=-" UNITRUN " service --thaw %s\nExecStopPost=" UNITRUN
                               " service --clean %s\n",
                               container->id, container->id);
        add_own_lines(text, container, "Service");
}

/* Sections for others, once each, in the order in which they come. */
static void add_foreign_sections(GString *text, const ContainerFile *container) {
        g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);

        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (!g_str_has_prefix(line->section, "X-") || !g_hash_table_add(done, line->section))
                        continue;
                g_string_append_printf(text, "\n[%s]\n", line->section);
                add_own_lines(text, container, line->section);
        }
}

char *unit_write(const ContainerFile *container, const BundleFacts *bundle, bool user) {
        GString *text = g_string_new(NULL);

        g_string_append_printf(text, "# Generated by unitrun-generator from %s\n\n", container->path);
        add_unit_section(text, container);
        add_service_section(text, container, bundle, user);
        if (says(container, "Install", "WantedBy") || says(container, "Install", "RequiredBy") ||
            says(container, "Install", "Alias")) {
                g_string_append(text, "\n[Install]\n");
                add_own_lines(text, container, "Install");
        }
        add_foreign_sections(text, container);
        return g_string_free(text, FALSE);
}
