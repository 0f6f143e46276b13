/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "container/facts.h"
#include "container/state-dir.h"
#include "oci/config.h"

/* The hooks that the front end runs in its own (the runtime's) namespaces, and the preparation of those that
 * systemd runs. */

/* Whose hooks, and what they are told. */
typedef struct HookSubject {
        const OciConfig *config;
        const StateDir *dir;
        const char *bundle;
        const char *unit; /* (nullable): the container's, for poststart */
        pid_t pid;        /* of init, 0 when it is gone */
} HookSubject;

/**
 * hooks_run:
 * @status: of the container, for the state the hooks get ("creating", "stopped")
 *
 * Runs all hooks of @kind in order; the first that fails ends it.
 */
bool hooks_run(const HookSubject *subject, OciHookKind kind, const char *status, GError **error);

/**
 * hooks_run_poststop:
 * Runs all poststop hooks. Failures are told on stderr and the rest goes on (runtime-spec, runtime.md,
 * "Lifecycle", 13).
 */
void hooks_run_poststop(const HookSubject *subject);

/**
 * hooks_add_poststart:
 * @lines: command lines as a shell would split them
 */
bool hooks_add_poststart(OciConfig *config, char *const *lines, GError **error);

/**
 * hooks_write_poststart:
 * Writes the image from which unitrun-hook runs the poststart hooks. Does nothing when there are none.
 */
bool hooks_write_poststart(const HookSubject *subject, GError **error);
