/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The plan as a whole: context, root, hooks. What is asked for and not there yet is refused here, by a table,
 * so that nothing of a config is passed over in silence. */

#include "container/plan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "container/net-devices.h"
#include "container/plan-parts.h"
#include "container/run-annotation.h"
#include "oci/state.h"

#define DEFAULT_CGROUP_ROOT "/sys/fs/cgroup"
#define PID_PLACEHOLDER     1 /* in the state for hooks; cut out again */

static void close_fd(gpointer fd) {
        close(*(int *) fd);
}

static Plan *plan_new(void) {
        Plan *plan = g_new0(Plan, 1);

        plan->image = image_new(INIT_PLAN_VERSION);
        if (!plan->image)
                g_error("out of memory");
        plan->init = image_alloc(plan->image, sizeof(*plan->init));
        plan->fds = g_array_new(FALSE, FALSE, sizeof(int));
        g_array_set_clear_func(plan->fds, close_fd);
        plan->warnings = g_ptr_array_new_with_free_func(g_free);
        return plan;
}

void plan_free(Plan *plan) {
        if (!plan)
                return;
        image_free(plan->image);
        g_array_unref(plan->fds);
        g_ptr_array_unref(plan->warnings);
        g_free(plan);
}

void plan_warn(Plan *plan, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        g_ptr_array_add(plan->warnings, g_strdup_vprintf(format, arguments));
        va_end(arguments);
}

char *plan_path(const char *path, const char *directory) {
        while (path[0] == '/' && path[1] == '/')
                path++;
        return g_canonicalize_filename(path, directory);
}

void *plan_array(Plan *plan, void *slot, size_t n, size_t size) {
        void *array = n > 0 ? image_alloc(plan->image, n * size) : NULL;

        image_link(plan->image, slot, array);
        return array;
}

void plan_text(Plan *plan, char **slot, const char *format, ...) {
        g_autofree char *text = NULL;
        va_list arguments;

        va_start(arguments, format);
        text = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        image_link_string(plan->image, slot, text);
}

static void plan_context(Plan *plan, const PlanContext *context) {
        InitPlan *init = plan->init;
        int32_t *preserve;

        image_link_string(plan->image, &init->id, context->id);
        init->setup_fd = init->gate_fd = init->console_fd = init->reaper_fd = -EBADF;
        for (size_t i = 0; i < G_N_ELEMENTS(init->stdio_fds); i++)
                init->stdio_fds[i] = -EBADF;
        init->no_pivot = context->no_pivot;
        init->n_preserve_fds = context->n_preserve_fds;
        preserve = plan_array(plan, &init->preserve_fds, context->n_preserve_fds, sizeof(*preserve));
        for (size_t i = 0; i < context->n_preserve_fds; i++)
                preserve[i] = context->preserve_fds[i];
        image_link_string(plan->image, &init->cgroup_root,
                          context->cgroup_root ? context->cgroup_root : DEFAULT_CGROUP_ROOT);
}

static bool plan_root(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        g_autofree char *rootfs = NULL;

        if (!config->root_path)
                return fail(error, "root: missing, a container needs a root filesystem");
        rootfs = plan_path(config->root_path, context->bundle);
        image_link_string(plan->image, &plan->init->rootfs, rootfs);
        plan->init->rootfs_readonly = config->root_readonly;
        return true;
}

static void link_hooks(Plan *plan, Hook **slot, size_t *ret_n, const OciHooks *hooks) {
        Hook *copies = plan_array(plan, slot, hooks->n, sizeof(*copies));

        for (size_t i = 0; i < hooks->n; i++) {
                const OciHook *hook = &hooks->items[i];

                image_link_string(plan->image, &copies[i].path, hook->path);
                image_link_strings(plan->image, &copies[i].args, (const char *const *) hook->args);
                image_link_strings(plan->image, &copies[i].env, (const char *const *) hook->env);
                copies[i].timeout_usec = hook->timeout.set ? hook->timeout.value * G_USEC_PER_SEC : 0;
        }
        *ret_n = hooks->n;
}

/* The state in two pieces, around the pid. */
static void link_state(Plan *plan, char *slots[2], const OciConfig *config, const PlanContext *context,
                       const char *status) {
        static const char key[] = "\"pid\":";
        const OciState state = {
                .id = context->id,
                .status = status,
                .pid = PID_PLACEHOLDER,
                .bundle = context->bundle,
                .annotations = &config->annotations,
        };
        g_autofree char *text = oci_state_for_hook(&state);
        char *pid = strstr(text, key) + strlen(key), *rest = pid;

        rest += strspn(rest, "0123456789");
        image_link_string(plan->image, &slots[1], rest);
        *pid = '\0';
        image_link_string(plan->image, &slots[0], text);
}

bool plan_hooks(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        InitPlan *init = plan->init;

        init->runtime_hooks =
                config->hooks[OCI_HOOK_PRESTART].n > 0 || config->hooks[OCI_HOOK_CREATE_RUNTIME].n > 0;
        link_hooks(plan, &init->create_container_hooks, &init->n_create_container_hooks,
                   &config->hooks[OCI_HOOK_CREATE_CONTAINER]);
        link_hooks(plan, &init->start_container_hooks, &init->n_start_container_hooks,
                   &config->hooks[OCI_HOOK_START_CONTAINER]);
        if (init->n_create_container_hooks > 0)
                link_state(plan, init->create_container_state, config, context, "creating");
        if (init->n_start_container_hooks > 0)
                link_state(plan, init->start_container_state, config, context, "created");
        return true;
}

Plan *plan_build(const OciConfig *config, const PlanContext *context, GError **error) {
        g_autoptr(Plan) plan = plan_new();

        plan->config = config;
        plan_context(plan, context);
        if (g_str_has_prefix(config->oci_version, "0."))
                plan_warn(plan, "ociVersion: '%s' is a draft of version 1.0, reading it as that",
                          config->oci_version);
        if (!run_annotations_check(plan, config, error) || !net_devices_check(config, error) ||
            !plan_root(plan, config, context, error) || !plan_namespaces(plan, config, error) ||
            !plan_mounts(plan, config, context, error) || !plan_devices(plan, config, error) ||
            !plan_process(plan, config, context, error) || !plan_seccomp(plan, config, context, error) ||
            !plan_hooks(plan, config, context, error))
                return NULL;
        return g_steal_pointer(&plan);
}

Plan *plan_build_exec(const OciConfig *config, const PlanContext *context, int pidfd, uint32_t namespaces,
                      GError **error) {
        g_autoptr(Plan) plan = plan_new();

        plan->config = config;
        plan_context(plan, context);
        plan->init->is_exec = true;
        plan->init->exec_pidfd = pidfd;
        plan->init->exec_root_fd = plan->init->exec_listener_fd = -EBADF;
        plan->init->exec_namespaces = namespaces;
        if (!plan_process(plan, config, context, error) || !plan_seccomp(plan, config, context, error))
                return NULL;
        return g_steal_pointer(&plan);
}

Plan *plan_build_mounts(const OciConfig *config, const PlanContext *context, GError **error) {
        g_autoptr(Plan) plan = plan_new();

        plan->config = config;
        plan_context(plan, context);
        if (!plan_root(plan, config, context, error) || !plan_mounts(plan, config, context, error) ||
            !plan_devices(plan, config, error))
                return NULL;
        return g_steal_pointer(&plan);
}
