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
        char **args;          /* argv; NULL or empty: {path} */
        char **env;           /* NULL: the caller's environment; an empty list: none */
        int64_t timeout_usec; /* 0: none */
} Hook;

/* What a STATE_HOOKS image holds. */
#define HOOK_LIST_VERSION UINT64_C(0x686f6f6b00000003)

typedef struct HookList {
        char *state;       /* the state JSON that each hook gets on stdin, one line */
        char **caller_env; /* for hooks without env: the environment of who called create */
        Hook *hooks;
        size_t n_hooks;
        char *unit;            /* in which they run; NULL: not known */
        pid_t caller;          /* whose user and mount namespaces the hooks run in; 0: those that we are in */
        uint64_t caller_ticks; /* its start time */
} HookList;

/**
 * hook_run:
 * @kind: "poststart", …, for the text
 * @index: of the hook in its list, for the text
 * @state: the state JSON; a hook that does not read it or ends early is no error (EPIPE is ignored)
 * @env: what a hook without env gets, or NULL for environ
 * @reterr_failure: FAILURE_HOOK and "poststart hook 'PATH' exited with status 2: STDERR'S LAST LINES", "… was
 * killed by SIGSEGV", "… timed out after 1 s", "… could not be executed: …", on one line. A hook that is not
 * the first of its list is "poststart hook 'PATH' (hooks.poststart[1])", since lists repeat paths
 *
 * Runs the hook and waits for it. Its stdout and stderr go to the journal (identifier "unitrun"), or nowhere
 * when there is none: the caller's own belong to the engine, which parses one and shows the other as the
 * runtime's error. stderr passes through a pipe of which the last KiB is kept for the failure; it ends with
 * the hook, so what a hook leaves running in the background must have a stderr of its own.
 *
 * cwd is the caller's; signal mask and dispositions are the defaults, no fds but 0, 1, 2. The hook leads a
 * process group, which is killed at the time-out; the hook itself is also killed if the caller dies. No
 * malloc, no GLib: it is also called in init. Returns 0 or a negative errno (-ETIMEDOUT; -EPERM: it failed).
 */
int hook_run(const Hook *hook, const char *kind, size_t index, const char *state, char **env,
             SetupFailure *reterr_failure);

/* hook_run() with all that can be chosen. */
typedef struct HookCall {
        const char *kind;
        size_t index;
        const char *state;
        char **env;
        int output_fd; /* gets the hook's stdout and stderr; stays the caller's */
} HookCall;

/**
 * hook_call:
 * @ret_exit_status: (nullable): also set on failure: what the hook exited with, -1 when it was killed, timed
 * out or was not executed
 *
 * Like hook_run(), with an output of the caller's choice, for example hook_journal_open("web.service").
 */
int hook_call(const Hook *hook, const HookCall *call, int *ret_exit_status, SetupFailure *reterr_failure);

/**
 * hook_journal_open:
 * @unit: (nullable): the unit to which the journal counts the lines (it believes only root), so that
 * `journalctl -u UNIT` shows them
 *
 * Opens a stream to the journal, as sd_journal_stream_fd(3) does, for text lines of priority "info" under the
 * identifier "unitrun"; "<3>" at the head of a line changes its priority. Without a journal it is /dev/null.
 * Never waits. Returns an fd for close(), or a negative errno when there is no /dev/null either.
 */
int hook_journal_open(const char *unit);
