/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The identity maps of a user namespace, written from outside. */

#include "container/id-map.h"

#include <fcntl.h>

#include "base-glib/error.h"
#include "base/file.h"

static bool write_map(const OciIdMappings *mappings, pid_t pid, const char *file, const char *json_path,
                      GError **error) {
        g_autoptr(GString) text = g_string_new(NULL);
        g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int) pid, file);
        int r;

        for (size_t i = 0; i < mappings->n; i++)
                g_string_append_printf(text, "%u %u %u\n", mappings->items[i].container_id,
                                       mappings->items[i].host_id, mappings->items[i].size);
        r = file_write(AT_FDCWD, path, text->str);
        return r < 0 ? fail_errno(error, r, "config.json: %s: cannot write %s of the user namespace",
                                  json_path, file)
                     : true;
}

bool id_map_write(const OciConfig *config, pid_t pid, GError **error) {
        return write_map(&config->linux.uid_mappings, pid, "uid_map", "linux.uidMappings", error) &&
               write_map(&config->linux.gid_mappings, pid, "gid_map", "linux.gidMappings", error);
}
