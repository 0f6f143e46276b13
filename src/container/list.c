/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All containers of a state root. Others are being created and deleted meanwhile: what is gone when its turn
 * comes was never there. */

#include "container/list.h"

#include <string.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"

static int compare_ids(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *read_ids(const char *root, bool may_be_missing, GError **error) {
        g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GError) local = NULL;
        g_autoptr(GDir) dir = g_dir_open(root, 0, &local);
        const char *name;

        if (!dir && !(may_be_missing && g_error_matches(local, G_FILE_ERROR, G_FILE_ERROR_NOENT))) {
                fail(error, "cannot list the containers: %s", local->message);
                return NULL;
        }
        while (dir && (name = g_dir_read_name(dir)))
                if (container_id_check(name, NULL))
                        g_ptr_array_add(ids, g_strdup(name));
        g_ptr_array_sort(ids, compare_ids);
        return g_steal_pointer(&ids);
}

static void free_container(void *container) {
        container_free(container);
}

GPtrArray *container_list(const char *root, bool may_be_missing, GError **error) {
        g_autoptr(GPtrArray) ids = read_ids(root, may_be_missing, error);
        g_autoptr(GPtrArray) containers = NULL;

        if (!ids)
                return NULL;
        containers = g_ptr_array_new_with_free_func(free_container);
        for (guint i = 0; i < ids->len; i++) {
                g_autoptr(GError) local = NULL;
                Container *container = container_open(root, g_ptr_array_index(ids, i), &local);

                if (container)
                        g_ptr_array_add(containers, container);
                else if (!g_error_matches(local, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND))
                        warn("%s, ignoring", local->message);
        }
        return g_steal_pointer(&containers);
}
