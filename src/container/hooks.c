/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the config's hooks to hook_run(), and to the image for ExecStartPost=. */

#include "container/hooks.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/image.h"
#include "base/process.h"
#include "container/container.h"
#include "hook/hook.h"
#include "oci/state.h"
#include "protocol/state-dir.h"

static char *state_text(const HookSubject *subject, const char *status) {
        OciState state = {
                .id = subject->dir->id,
                .status = status,
                .pid = subject->pid,
                .bundle = subject->bundle,
                .annotations = &subject->config->annotations,
        };

        return oci_state_for_hook(&state);
}

static int64_t timeout_usec(const OciHook *hook) {
        return hook->timeout.set ? hook->timeout.value * G_USEC_PER_SEC : 0;
}

static bool run_one(const OciHook *oci_hook, const HookCall *call, GError **error) {
        g_autofree SetupFailure *failure = g_new0(SetupFailure, 1);
        Hook hook = {
                .path = oci_hook->path,
                .args = oci_hook->args,
                .env = oci_hook->env,
                .timeout_usec = timeout_usec(oci_hook),
        };

        return hook_call(&hook, call, /* ret_exit_status= */ NULL, failure) < 0
                       ? fail(error, "%s", failure->text)
                       : true;
}

/* Runs the hooks of @kind; with @ignore a failure is a warning. */
static bool run_all(const HookSubject *subject, OciHookKind kind, const char *status, bool ignore,
                    GError **error) {
        const OciHooks *hooks = &subject->config->hooks[kind];
        g_autofree char *state = NULL;
        autoclose int output_fd = -EBADF;

        if (hooks->n == 0)
                return true;
        state = state_text(subject, status);
        /* journald counts a line to the unit whose cgroup its writer sits in: that of our caller. */
        output_fd = hook_journal_open(/* unit= */ NULL);
        if (output_fd < 0)
                return fail_errno(error, output_fd, "cannot open '/dev/null'");
        for (size_t i = 0; i < hooks->n; i++) {
                HookCall call = {
                        .kind = oci_hook_kind_name(kind),
                        .index = i,
                        .state = state,
                        .output_fd = output_fd,
                };
                g_autoptr(GError) hook_error = NULL;

                if (run_one(&hooks->items[i], &call, &hook_error))
                        continue;
                if (!ignore) {
                        g_propagate_error(error, g_steal_pointer(&hook_error));
                        return false;
                }
                warn("%s, ignoring", hook_error->message);
        }
        return true;
}

bool hooks_run(const HookSubject *subject, OciHookKind kind, const char *status, GError **error) {
        return run_all(subject, kind, status, /* ignore= */ false, error);
}

void hooks_run_poststop(const HookSubject *subject) {
        g_autoptr(GError) error = NULL;

        if (!run_all(subject, OCI_HOOK_POSTSTOP, "stopped", /* ignore= */ true, &error))
                warn("cannot run the poststop hooks: %s, ignoring", error->message);
}

static void fill_list(Image *image, HookList *list, const OciHooks *hooks, const char *state) {
        g_auto(GStrv) environment = g_get_environ();

        image_link_string(image, &list->state, state);
        image_link_strings(image, &list->caller_env, (const char *const *) environment);
        list->n_hooks = hooks->n;
        Hook *copies = image_alloc(image, hooks->n * sizeof(Hook));
        image_link(image, &list->hooks, copies);
        for (size_t i = 0; i < hooks->n; i++) {
                image_link_string(image, &copies[i].path, hooks->items[i].path);
                image_link_strings(image, &copies[i].args, (const char *const *) hooks->items[i].args);
                image_link_strings(image, &copies[i].env, (const char *const *) hooks->items[i].env);
                copies[i].timeout_usec = timeout_usec(&hooks->items[i]);
        }
}

/* An engine without root is in a user namespace of its own, and systemd is not. We are gone by then, and the
 * engine's process above us is not. */
static void note_caller(HookList *list) {
        pid_t parent = getppid();

        if (container_manager() == UNIT_MANAGER_USER && geteuid() == 0 &&
            process_start_time(parent, &list->caller_ticks) >= 0)
                list->caller = parent;
}

bool hooks_write_poststart(const HookSubject *subject, GError **error) {
        const OciHooks *hooks = &subject->config->hooks[OCI_HOOK_POSTSTART];
        g_autofree char *state = NULL;
        int r;

        if (hooks->n == 0)
                return true;
        state = state_text(subject, "running");
        Image *image = image_new(HOOK_LIST_VERSION);
        HookList *list = image_alloc(image, sizeof(HookList));
        fill_list(image, list, hooks, state);
        note_caller(list);
        image_link_string(image, &list->unit, subject->unit);
        /* The commit comes later: until then nobody reads this file. */
        autoclose int fd =
                openat(subject->dir->fd, STATE_HOOKS, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        r = fd < 0 ? -errno : image_write(image, list, fd);
        image_free(image);
        return r < 0 ? fail_errno(error, r, "cannot write '%s/%s'", subject->dir->path, STATE_HOOKS) : true;
}

bool hooks_add_poststart(OciConfig *config, char *const *lines, GError **error) {
        OciHooks *hooks = &config->hooks[OCI_HOOK_POSTSTART];

        for (; lines && *lines; lines++) {
                g_auto(GStrv) args = NULL;

                if (!g_shell_parse_argv(*lines, NULL, &args, error))
                        return fail_prefix(error, "poststart hook '%s'", *lines);
                if (args[0][0] != '/')
                        return fail(error, "poststart hook '%s': '%s' is no absolute path", *lines, args[0]);
                hooks->items = g_renew(OciHook, hooks->items, hooks->n + 1);
                hooks->items[hooks->n++] =
                        (OciHook){.path = g_strdup(args[0]), .args = g_steal_pointer(&args)};
        }
        return true;
}
