/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state of containers as people and engines read it. The annotations are in the saved config, which is
 * read only where they are shown: it is most of the work. */

#include "container/state.h"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "oci/state.h"
#include "protocol/state-dir.h"

/* Holds what the state only points to. */
typedef struct Shown {
        OciState state;
        OciConfig *config;
        char *created, *owner;
} Shown;

static void shown_free(void *data) {
        Shown *shown = data;

        oci_config_free(shown->config);
        g_free(shown->created);
        g_free(shown->owner);
        g_free(shown);
}

char *container_owner_name(const Container *container) {
        uid_t uid = container->facts ? container->facts->owner : geteuid();
        struct passwd *entry = getpwuid(uid);

        return g_strdup(entry ? entry->pw_name : "");
}

char *container_created_text(const Container *container) {
        int64_t usec = container->facts ? container->facts->created_usec : g_get_real_time();
        g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(usec / G_USEC_PER_SEC);
        g_autofree char *seconds = g_date_time_format(time, "%Y-%m-%dT%H:%M:%S");

        return g_strdup_printf("%s.%06dZ", seconds, (int) (usec % G_USEC_PER_SEC));
}

/* `delete` removes the facts first: without them a config that is not there is no fault. */
static OciConfig *load_config(const Container *container, GError **error) {
        OciConfig *config = container_load_config(container, error);

        if (!config && faccessat(container->dir->fd, STATE_FACTS, F_OK, 0) < 0) {
                g_clear_error(error);
                fail_code(error, UNITRUN_ERROR_NOT_FOUND, "container '%s' does not exist",
                          container->dir->id);
        }
        return config;
}

/* @reterr is set when the config can't be read. */
static Shown *show(const Container *container, GError **reterr) {
        Shown *shown = g_new0(Shown, 1);
        ContainerStatus status = container_status(container);
        const Facts *facts = container->facts;

        shown->created = container_created_text(container);
        shown->owner = container_owner_name(container);
        shown->state = (OciState){
                .id = container->dir->id,
                .status = container_status_name(status),
                .bundle = "",
                .rootfs = "",
                .created = shown->created,
                .owner = shown->owner,
        };
        if (!facts)
                return shown;
        shown->config = load_config(container, reterr);
        if (shown->config)
                shown->state.annotations = &shown->config->annotations;
        shown->state.pid = status == CONTAINER_STOPPED ? 0 : facts->pid;
        shown->state.bundle = facts->bundle;
        shown->state.rootfs = facts->rootfs;
        shown->state.unit = facts->unit;
        return shown;
}

char *container_state_json(const Container *container, GError **error) {
        g_autoptr(GError) local = NULL;
        Shown *shown = show(container, &local);
        char *json = local ? NULL : oci_state_to_json(&shown->state);

        shown_free(shown);
        if (local)
                g_propagate_error(error, g_steal_pointer(&local));
        return json;
}

char *container_states_json(const GPtrArray *containers) {
        g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(shown_free);
        g_autofree const OciState **states = g_new0(const OciState *, containers->len + 1);

        for (guint i = 0; i < containers->len; i++) {
                g_autoptr(GError) error = NULL;
                Shown *shown = show(g_ptr_array_index(containers, i), &error);

                if (g_error_matches(error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND)) {
                        shown_free(shown);
                        continue;
                }
                if (error)
                        warn("%s, ignoring its annotations", error->message);
                g_ptr_array_add(all, shown);
                states[all->len - 1] = &shown->state;
        }
        return oci_states_to_json(states, all->len);
}
