/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "generator/unit-file.h"

/* Where .container files are, by systemd's rules (systemd.unit(5), "Unit File Load Path"): a name counts
 * once, from the first directory that has it; a link to /dev/null or an empty file masks it;
 * files *.conf in NAME.container.d add to it. */

#define CONTAINER_SUFFIX ".container"

/**
 * search_path:
 * @user: that of the user manager
 * Returns (transfer full): the directories, those that win first. $UNITRUN_CONTAINER_DIRS stands in for them
 * all.
 */
char **search_path(bool user);

/**
 * search_names:
 * Returns (transfer full): the names that are there and not masked, without suffix, sorted. Directories that
 * are missing are no error; one that can't be read is told to @tell.
 */
GPtrArray *search_names(char *const *path, void (*tell)(const GError *error));

/**
 * search_load:
 * @ret_path: (transfer full): of the file itself
 * Reads the file of @name and its drop-ins.
 */
UnitFile *search_load(char *const *path, const char *name, char **ret_path, GError **error);
