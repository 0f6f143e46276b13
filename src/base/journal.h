/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/**
 * journal_open:
 * @identifier: of the lines, SYSLOG_IDENTIFIER=
 * @unit: (nullable): the unit to which the journal counts lines whose writer it does not find in any (it
 * believes only root)
 * @priority: of the lines, syslog(3); "<3>" at the head of a line changes it
 *
 * Opens a stream to the journal, as sd_journal_stream_fd(3) does for who has libsystemd. Never waits. Returns
 * an fd for close(), or a negative errno.
 */
int journal_open(const char *identifier, const char *unit, int priority);
