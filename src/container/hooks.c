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
#include "hook/hook.h"
#include "oci/state.h"
#include "protocol/state-dir.h"

static char *state_text(const OciConfig *config, const StateDir *dir, const char *bundle, const char *status,
                        pid_t pid) {
        OciState state = {
                .id = dir->id,
                .status = status,
                .pid = pid,
                .bundle = bundle,
                .annotations = &config->annotations,
        };

        return oci_state_for_hook(&state);
}

static int64_t timeout_usec(const OciHook *hook) {
        return hook->timeout.set ? hook->timeout.value * G_USEC_PER_SEC : 0;
}

static bool run_one(const OciHook *oci_hook, OciHookKind kind, size_t index, const char *state,
                    GError **error) {
        g_autofree SetupFailure *failure = g_new0(SetupFailure, 1);
        Hook hook = {
                .path = oci_hook->path,
                .args = oci_hook->args,
                .env = oci_hook->env,
                .timeout_usec = timeout_usec(oci_hook),
        };

        if (hook_run(&hook, oci_hook_kind_name(kind), index, state, /* env= */ NULL, failure) < 0)
                return fail(error, "%s", failure->text);
        return true;
}

bool hooks_run(const OciConfig *config, OciHookKind kind, const StateDir *dir, const char *bundle,
               const char *status, pid_t pid, GError **error) {
        const OciHooks *hooks = &config->hooks[kind];
        g_autofree char *state = hooks->n > 0 ? state_text(config, dir, bundle, status, pid) : NULL;

        for (size_t i = 0; i < hooks->n; i++)
                if (!run_one(&hooks->items[i], kind, i, state, error))
                        return false;
        return true;
}

void hooks_run_poststop(const OciConfig *config, const StateDir *dir, const char *bundle) {
        const OciHooks *hooks = &config->hooks[OCI_HOOK_POSTSTOP];
        g_autofree char *state = hooks->n > 0 ? state_text(config, dir, bundle, "stopped", 0) : NULL;

        for (size_t i = 0; i < hooks->n; i++) {
                g_autoptr(GError) error = NULL;

                if (!run_one(&hooks->items[i], OCI_HOOK_POSTSTOP, i, state, &error))
                        warn("%s, ignoring", error->message);
        }
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

bool hooks_write_poststart(const OciConfig *config, const StateDir *dir, const char *bundle, pid_t pid,
                           GError **error) {
        const OciHooks *hooks = &config->hooks[OCI_HOOK_POSTSTART];
        g_autofree char *state = NULL;
        int r;

        if (hooks->n == 0)
                return true;
        state = state_text(config, dir, bundle, "running", pid);
        Image *image = image_new(HOOK_LIST_VERSION);
        HookList *list = image_alloc(image, sizeof(HookList));
        fill_list(image, list, hooks, state);
        /* The commit comes later: until then nobody reads this file. */
        autoclose int fd = openat(dir->fd, STATE_HOOKS, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        r = fd < 0 ? -errno : image_write(image, list, fd);
        image_free(image);
        return r < 0 ? fail_errno(error, r, "cannot write '%s/%s'", dir->path, STATE_HOOKS) : true;
}
