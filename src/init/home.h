/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "init/init.h"

/**
 * home_of_user:
 * The home of the container's user as the container's /etc/passwd has it, "/" for who does not stand there.
 * The spec knows no such thing, but runc and crun do it, and engines rely on it.
 *
 * Returns: a string for free(), or NULL (out of memory).
 */
char *home_of_user(const Init *init);

/**
 * home_find:
 * @passwd: the text of a passwd(5) file; is changed
 *
 * Returns (nullable) (transfer none): the home of @uid, a piece of @passwd.
 */
const char *home_find(char *passwd, uid_t uid);
