/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the command line of `exec` to a process object. */

#include "container/exec-process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base-glib/error.h"

#define ID_MAX (UINT32_MAX - 1) /* 4294967295 means "no change" to setresuid(2) */

static bool parse_id(const char *text, const char *option, uint32_t *ret_id, GError **error) {
        guint64 value;

        if (!g_ascii_string_to_unsigned(text, 10, 0, ID_MAX, &value, NULL))
                return fail_code(error, UNITRUN_ERROR_USAGE, "%s: '%s' is not a number from 0 to %u", option,
                                 text, ID_MAX);
        *ret_id = (uint32_t) value;
        return true;
}

static bool set_user(OciProcess *process, const char *user, GError **error) {
        g_auto(GStrv) ids = NULL;

        if (!user)
                return true;
        ids = g_strsplit(user, ":", -1);
        if (!ids[0] || (ids[1] && ids[2]))
                return fail_code(error, UNITRUN_ERROR_USAGE, "--user: '%s' is not UID or UID:GID", user);
        g_clear_pointer(&process->additional_gids, g_free);
        process->n_additional_gids = 0;
        return parse_id(ids[0], "--user", &process->uid, error) &&
               (!ids[1] || parse_id(ids[1], "--user", &process->gid, error));
}

static bool add_groups(OciProcess *process, char **groups, GError **error) {
        size_t n = process->n_additional_gids;

        if (!groups)
                return true;
        process->additional_gids = g_renew(uint32_t, process->additional_gids, n + g_strv_length(groups));
        for (; *groups; groups++) {
                if (!parse_id(*groups, "--additional-gids", &process->additional_gids[n], error))
                        return false;
                process->n_additional_gids = ++n;
        }
        return true;
}

static void append(char ***list, const char *text) {
        guint n = *list ? g_strv_length(*list) : 0;

        *list = g_renew(char *, *list, n + 2);
        (*list)[n] = g_strdup(text);
        (*list)[n + 1] = NULL;
}

static bool add_capabilities(OciProcess *process, char **names, GError **error) {
        OciCapabilities *sets = &process->capabilities;

        for (; names && *names; names++) {
                if (!g_str_has_prefix(*names, "CAP_"))
                        return fail_code(error, UNITRUN_ERROR_USAGE,
                                         "--cap: '%s' is not the name of a capability, such as 'CAP_KILL'",
                                         *names);
                process->has_capabilities = true;
                append(&sets->bounding, *names);
                append(&sets->effective, *names);
                append(&sets->permitted, *names);
                if (sets->inheritable && sets->inheritable[0])
                        append(&sets->ambient, *names);
        }
        return true;
}

static char **find_variable(char **env, const char *entry) {
        size_t n = strcspn(entry, "=") + 1;

        while (*env && strncmp(*env, entry, n) != 0)
                env++;
        return *env ? env : NULL;
}

static bool add_env(OciProcess *process, char **env, GError **error) {
        for (; env && *env; env++) {
                char **present;

                if (**env == '=' || !strchr(*env, '='))
                        return fail_code(error, UNITRUN_ERROR_USAGE, "--env: '%s' is not NAME=VALUE", *env);
                present = find_variable(process->env, *env);
                if (!present) {
                        append(&process->env, *env);
                        continue;
                }
                g_free(*present);
                *present = g_strdup(*env);
        }
        return true;
}

static void set_text(char **slot, const char *text) {
        if (!text)
                return;
        g_free(*slot);
        *slot = g_strdup(text);
}

static bool change_process(OciProcess *process, const ExecOptions *options, GError **error) {
        if (options->cwd && options->cwd[0] != '/')
                return fail_code(error, UNITRUN_ERROR_USAGE, "--cwd: '%s' is not an absolute path",
                                 options->cwd);
        g_strfreev(process->args);
        process->args = g_strdupv(options->args);
        process->terminal = options->tty;
        process->console_height.set = process->console_width.set = false;
        process->console_height.value = process->console_width.value = 0;
        process->no_new_privileges |= options->no_new_privileges;
        set_text(&process->cwd, options->cwd);
        set_text(&process->apparmor_profile, options->apparmor_profile);
        set_text(&process->selinux_label, options->selinux_label);
        return set_user(process, options->user, error) && add_groups(process, options->groups, error) &&
               add_env(process, options->env, error) &&
               add_capabilities(process, options->capabilities, error);
}

bool exec_process_plan(OciConfig *config, const ExecOptions *options, GError **error) {
        OciProcess *process;

        if (!options->process)
                return config->process ? change_process(config->process, options, error)
                                       : fail(error, "config.json: process: missing, --process has to say "
                                                     "what to execute");
        process = oci_process_load(AT_FDCWD, options->process, error);
        if (!process)
                return fail_prefix(error, "--process");
        oci_process_free(config->process);
        config->process = process;
        return true;
}
