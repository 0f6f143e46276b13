/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>

#include "oci/config.h"

/* The state of a container as the spec's runtime.md, "State", has it: what hooks get on stdin and `state`
 * prints. */

typedef struct OciState {
        const char *id;
        const char *status;          /* "creating", "created", "running", "paused", "stopped" */
        pid_t pid;                   /* 0: left out for hooks, printed as 0 by `state` */
        const char *bundle;          /* absolute */
        const OciPairs *annotations; /* (nullable) */
        /* the rest is for `state` and `list` only */
        const char *rootfs;
        const char *created; /* RFC 3339, UTC, nanoseconds */
        const char *owner;   /* user name, "" for root like runc */
        const char *unit;    /* the systemd unit */
} OciState;

#define OCI_VERSION "1.3.0" /* the version of the spec that is implemented */

/**
 * oci_state_for_hook:
 * Returns (transfer full): one line of JSON without a newline at its end: ociVersion, id, status, pid (only
 * if not 0), bundle, annotations (only if there are any). Slashes are not escaped.
 */
char *oci_state_for_hook(const OciState *state);

/**
 * oci_state_for_listener:
 * @pid: of the process that the notifications come from
 * @metadata: (nullable): linux.seccomp.listenerMetadata
 * Returns (transfer full): the "container process state" that a seccomp agent gets along with the fd for
 * notifications (config-linux.md, "The Container Process State"): ociVersion, fds, pid, metadata, and the
 * state as hooks get it. The first two members called "pid" are that of the process and that of the state.
 */
char *oci_state_for_listener(const OciState *state, pid_t pid, const char *metadata);

/**
 * oci_state_to_json:
 * Returns (transfer full): the pretty form that `state` prints: ociVersion, id, pid, status, bundle, rootfs,
 * created, annotations, owner, and "systemdUnit" with the unit's name.
 */
char *oci_state_to_json(const OciState *state);

/**
 * oci_states_to_json:
 * Returns (transfer full): the same of @n states as an array, without line breaks.
 */
char *oci_states_to_json(const OciState *const *states, size_t n);
