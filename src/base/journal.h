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

/* Of messages that data/unitrun.catalog explains. */
#define MESSAGE_ID_COMMAND_FAILED "d138dbb88b1144c7bfcfa060bfb5f776"
#define MESSAGE_ID_FILE_UNUSABLE  "6fba60c5f39a4b0fbd6ce4fc5d5b2b8f"
#define MESSAGE_ID_HOOK_FAILED    "0b8ee9c1f2f94fd39a3a5d8bb1a7c2e4"
#define MESSAGE_ID_PROGRAM_FAILED "5e0a1c6d7d8b4a1f9c53c2e1f0b6a947"
#define MESSAGE_ID_OUT_OF_MEMORY  "c92f4d1e3b7a4f0a8d6e5b2c1a9f8e73"

/**
 * journal_tell:
 * @unit: (nullable): whose entry it is. The journal finds that out itself by the sender's PID, unless the
 * sender has ended by then
 * @message: on one line
 *
 * Sends an entry with a message ID. Never waits. Returns 0 or a negative errno: there is no journal, or it is
 * busy.
 */
int journal_tell(const char *identifier, int priority, const char *message_id, const char *unit,
                 const char *message);
