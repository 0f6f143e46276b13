/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "generator/container-file.h"

/* [Install], which for a generated unit is not `systemctl enable`'s affair: the links are made with it. */

typedef struct InstallLink {
        char *path;   /* below the generator's directory: "multi-user.target.wants/web.service" */
        char *target; /* "../web.service" */
} InstallLink;

/**
 * install_links:
 * Returns (transfer full): the links of WantedBy=, RequiredBy=, UpheldBy= and Alias=. A template gets them
 * for its DefaultInstance= only. Other keys and names that are none of units are errors.
 */
GPtrArray *install_links(const ContainerFile *container, GError **error);
