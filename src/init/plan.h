/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What unitrun-init does, decided beforehand by the front end (container/plan-*.c): strings, numbers, and fds
 * that it inherits under the numbers that stand here. It reaches unitrun-init as an image (base/image.h).
 *
 * This file is the contract between container/ and init/. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hook/hook.h"

#define INIT_PLAN_VERSION UINT64_C(0x696e697400000001)
