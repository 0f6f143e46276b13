/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cli/command.h"

/* The command line, in two steps: what stands before the command, and what stands behind it. */

/**
 * parse_global:
 * Takes the options before the command off @argv. --help ends the program.
 * Returns (transfer none): what they say; NULL with UNITRUN_ERROR_USAGE.
 */
GlobalOptions *parse_global(int *argc, char ***argv, GError **error);

/**
 * parse_command:
 * Takes the options of @command off @argv, whose first word is its name: what is left behind that are its
 * arguments, as many as it takes. Fails with UNITRUN_ERROR_USAGE.
 */
bool parse_command(const Command *command, int *argc, char ***argv, GError **error);

/**
 * parse_help:
 * Returns (transfer full): what --help shows of @command, or for NULL of the program.
 */
char *parse_help(const Command *command);
