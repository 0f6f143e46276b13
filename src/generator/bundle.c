/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/bundle.h"

#include <fcntl.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "container/resources.h"
#include "generator/property-line.h"
#include "oci/config.h"
#include "unit/properties.h"

#define CONFIG_FILE "config.json"

void bundle_facts_clear(BundleFacts *facts) {
        g_clear_pointer(&facts->limits, g_free);
}

static void add_line(const char *name, GVariant *value, void *text) {
        property_line_add(text, name, value);
}

/* Which devices may be used is left to the container's own group: the unit's process has to make them. */
static char *limit_lines(const OciConfig *config, GError **error) {
        g_autoptr(ResourcePlan) plan = resources_plan(config->linux.resources, RESOURCES_CREATE,
                                                      /* control_devices= */ false, error);
        GString *text;

        if (!plan)
                return NULL;
        text = g_string_new(NULL);
        property_set_foreach(plan->properties, add_line, text);
        return g_string_free(text, FALSE);
}

bool bundle_facts_read(const char *path, BundleFacts *ret_facts, GError **error) {
        g_autoptr(OciConfig) config = NULL;
        autoclose int fd = -EBADF;

        *ret_facts = (BundleFacts){0};
        if (strchr(path, '%'))
                return true;
        fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || faccessat(fd, CONFIG_FILE, F_OK, 0) < 0)
                return true;
        config = oci_config_load(fd, CONFIG_FILE, NULL, error);
        if (config)
                ret_facts->limits = limit_lines(config, error);
        if (!ret_facts->limits)
                return fail_prefix(error, "bundle '%s'", path);
        ret_facts->n_poststart_hooks = config->hooks[OCI_HOOK_POSTSTART].n;
        ret_facts->known = true;
        return true;
}
