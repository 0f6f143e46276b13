/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * devices_make:
 * Makes the plan's device nodes and links in the rootfs. In a user namespace, where nobody can make nodes,
 * the host's node of the same path is bound. Returns 0 or a negative errno.
 */
int devices_make(Init *init, SetupFailure *reterr_failure);
