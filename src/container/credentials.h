/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/state-dir.h"
#include "oci/config.h"

/* A service's credentials (systemd.exec(5), LoadCredential=) for its program: systemd lets only the user of
 * the unit read them, which is not the one that the program runs as. */

/**
 * credentials_path:
 * Returns (nullable) (transfer none): $CREDENTIALS_DIRECTORY of this process, where they are in the container
 * as well.
 */
const char *credentials_path(void);

/**
 * credentials_directory:
 * Returns (transfer full): where the program's copies are on the host.
 */
char *credentials_directory(const char *state_dir);

/**
 * credentials_copy:
 * Copies them, readable for process.user of @config alone.
 */
bool credentials_copy(const StateDir *dir, const OciConfig *config, GError **error);
