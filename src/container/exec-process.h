/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/exec.h"
#include "oci/config.h"

/**
 * exec_process_plan:
 * @config: (inout): the container's; its process becomes the one that is to be executed
 *
 * The process object: that of the file, or the container's with what the options change of it. Capabilities
 * that are added never are inheritable (CVE-2022-29162), and ambient only if the config has inheritable ones.
 * An explicit user does not have the additional groups of the container's.
 */
bool exec_process_plan(OciConfig *config, const ExecOptions *options, GError **error);
