/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * home_add:
 * Sets init->env: the environment of the config and, unless it has a HOME, one with the home of the
 * container's user as the container's /etc/passwd has it, "/" for who does not stand there. The spec knows no
 * such thing, but runc and crun do it, and engines rely on it. Returns 0 or a negative errno.
 */
int home_add(Init *init, SetupFailure *reterr_failure);

/**
 * home_find:
 * @passwd: the text of a passwd(5) file; is changed
 *
 * Returns (nullable) (transfer none): the home of @uid, a piece of @passwd.
 */
const char *home_find(char *passwd, uid_t uid);
