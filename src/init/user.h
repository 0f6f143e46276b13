/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * user_become:
 * From the container's root to process.user with the capabilities of the config: groups, gid, uid, umask, the
 * five sets. Until user_finish() the process also keeps what it needs to load the seccomp program.
 * Returns 0 or a negative errno.
 */
int user_become(Init *init, SetupFailure *reterr_failure);

/**
 * user_finish:
 * noNewPrivileges and the seccomp program, which is the very last thing before exec and has to allow nothing
 * but that. Without noNewPrivileges loading it needs CAP_SYS_ADMIN, which user_become() kept; exec drops it.
 */
int user_finish(Init *init, SetupFailure *reterr_failure);
