/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/failure.h"

/* One way to run a hook, for the front end (prestart, createRuntime, poststop), for init (createContainer,
 * startContainer) and for the helper behind ExecStartPost= (poststart). See runtime-spec, config.md,
 * "POSIX-platform Hooks". */

typedef struct Hook {
        char *path;           /* absolute */
        char **args;          /* argv; NULL: {path} */
        char **env;           /* NULL: the caller's environment; an empty list: none */
        int64_t timeout_usec; /* 0: none */
} Hook;

/* What a STATE_HOOKS image holds. */
#define HOOK_LIST_VERSION UINT64_C(0x686f6f6b00000001)

typedef struct HookList {
        char *state;       /* the state JSON that each hook gets on stdin, one line */
        char **caller_env; /* for hooks without env: the environment of who called create */
        Hook *hooks;
        size_t n_hooks;
} HookList;

/**
 * hook_run:
 * @kind: "poststart", …, for the text
 * @index: of the hook in its list, for the text
 * @state: the state JSON; a hook that does not read it or ends early is no error (EPIPE is ignored)
 * @env: what a hook without env gets, or NULL for environ
 * @reterr_failure: FAILURE_HOOK and "poststart hook 'PATH' exited with status 2: STDERR'S LAST LINES", "… was
 * killed by SIGSEGV", "… timed out after 1 s", "… could not be executed: …" (with the index when two hooks
 * share a path)
 *
 * Runs the hook and waits for it. Its stdout goes where the caller's stderr goes… (see the .c file), stderr
 * is passed on too and its end is kept for the failure. cwd is the caller's; signal mask and dispositions are
 * the defaults, no fds but 0, 1, 2. At the time-out the hook and what it started (its process group) is
 * killed. No malloc, no GLib: it is also called in init. Returns 0 or a negative errno (-ETIMEDOUT; -EPERM:
 * it failed).
 */
int hook_run(const Hook *hook, const char *kind, size_t index, const char *state, char **env,
             SetupFailure *reterr_failure);
