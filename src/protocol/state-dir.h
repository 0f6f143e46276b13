/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The names in a container's state directory (/run/unitrun/ID, mode 0700) and who writes each; every file is
 * written whole and renamed.
 *
 * Life of the directory: made and flock(2)ed by `create`; STATE_INTENT before systemd is asked for the unit,
 * so that the next command can clear what a SIGKILL leaves; STATE_FACTS renamed into place is the commit:
 * from then on the container exists, before it there is nothing but leftovers of whoever holds (or held) the
 * lock. */

#define STATE_INTENT           "intent" /* front end: which unit of which manager is about to be asked for */
#define STATE_CONFIG           "config.json" /* front end: copy of the bundle's config, as it was at create */
#define STATE_HOOKS            "hooks" /* front end: image of a HookList, the poststart hooks with their state */
#define STATE_FACTS            "facts"  /* front end: the immutable facts; their presence is the commit */
#define STATE_STATUS           "status" /* supervisor: see protocol/status.h */
#define STATE_HOOK_FAILURE     "hook-failure" /* hook helper: the text of the failed poststart hook */
#define STATE_SOCKET_HANDOVER  "handover"     /* front end listens during create, the supervisor connects */
#define STATE_SOCKET_GATE      "gate"         /* init listens from create to start, the supervisor connects */
#define STATE_SOCKET_CONTROL   "control"      /* supervisor listens for later commands */
#define STATE_CREDENTIALS      "credentials" /* front end: directory with the program's copies */
#define STATE_NOTIFY_TO        "notify-to" /* front end: the caller's NOTIFY_SOCKET, and as whom to send there */
#define STATE_CRIU             "criu"      /* front end: an empty directory, for the mounts of `restore` */
#define STATE_NOTIFY_DIRECTORY "notify"    /* made by the front end, for the supervisor's socket */

#define NOTIFY_DESTINATION "/run/notify"
#define NOTIFY_SOCKET_NAME "notify.sock"
