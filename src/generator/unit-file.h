/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* The syntax of unit files, see systemd.syntax(7): what stands where, in order. */

typedef struct UnitLine {
        char *section; /* "Container" */
        char *key;
        char *value; /* continuation lines joined, without blanks at the ends */
        char *place; /* "FILE:LINE", for messages */
} UnitLine;

typedef struct UnitFile {
        GPtrArray *lines; /* of UnitLine */
} UnitFile;

UnitFile *unit_file_new(void);
void unit_file_free(UnitFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UnitFile, unit_file_free)

/**
 * unit_file_parse:
 * @text: @size bytes
 * @name: of the file, for messages
 *
 * Adds the lines of @text behind those that are there, as drop-ins are read. Fails with "FILE:LINE: …".
 */
bool unit_file_parse(UnitFile *file, const char *text, gsize size, const char *name, GError **error);
