/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* sd_notify(3) without libsystemd. Where $NOTIFY_SOCKET is not set, nobody wants to know, and all functions
 * succeed. */

/**
 * notify_send:
 * @format: assignments, one a line. What comes from a container must hold no newline, or it could make
 * assignments of its own
 *
 * Sends one datagram, as the process itself, so that NotifyAccess=main lets it pass. Returns 0 or a negative
 * errno.
 */
int notify_send(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * notify_send_text:
 * The same for a text that is there as a whole, of any length.
 */
int notify_send_text(const char *text);

/**
 * notify_wait_processed:
 * Returns 0 once the manager has processed what was sent before (BARRIER=1), -ETIMEDOUT, or another negative
 * errno.
 */
int notify_wait_processed(int timeout_msec);
