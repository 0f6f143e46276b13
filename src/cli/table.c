/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The commands, in the order in which help lists them: a container's life, what it does meanwhile, and the
 * rest. */

#include "cli/table.h"

#include "base-glib/error.h"
#include "oci/word.h"

static const Command *const commands[] = {
        &command_create,  &command_start,    &command_run,    &command_exec,       &command_kill,
        &command_delete,  &command_state,    &command_list,   &command_ps,         &command_events,
        &command_pause,   &command_resume,   &command_update, &command_checkpoint, &command_restore,
        &command_service, &command_features, &command_spec,   &command_help,
};

const Command *table_find(const char *name) {
        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
                if (g_str_equal(commands[i]->name, name))
                        return commands[i];
        return NULL;
}

bool table_fail_unknown(const char *name, GError **error) {
        Word items[G_N_ELEMENTS(commands)];
        const Words words = {.items = items, .n = G_N_ELEMENTS(commands)};
        g_autofree char *hint = NULL;
        const char *nearest;

        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
                items[i].name = commands[i]->name;
        nearest = words_nearest(&words, name);
        hint = nearest ? g_strdup_printf(" (did you mean '%s'?)", nearest) : g_strdup("");
        return fail_code(error, UNITRUN_ERROR_USAGE, "'%s' is not a command%s, see 'unitrun --help'", name,
                         hint);
}

char *table_describe(void) {
        GString *text = g_string_new("Commands:\n");

        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
                g_autofree char *call = g_strdup_printf("%s %s", commands[i]->name, commands[i]->arguments);

                g_string_append_printf(text, "  %s%*s %s\n", call, MAX(28 - (int) g_utf8_strlen(call, -1), 0),
                                       "", commands[i]->summary);
        }
        g_string_append(text, "\n'unitrun COMMAND --help' shows the options of a command. See unitrun(1).");
        return g_string_free(text, FALSE);
}
