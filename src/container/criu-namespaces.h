/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/plan.h"

/* Namespaces of a container that the config names by path. CRIU leaves those of network and PIDs as they are
 * and wants them back under a name of their own; it joins the others itself. */

/**
 * criu_namespaces_dump:
 * @init: the container's, whose namespaces they are
 */
bool criu_namespaces_dump(GByteArray *message, const OciConfig *config, pid_t init, GError **error);

/**
 * criu_namespaces_restore:
 * @plan: has opened them; criu inherits the fds under their numbers
 */
bool criu_namespaces_restore(GByteArray *message, const Plan *plan, GError **error);
