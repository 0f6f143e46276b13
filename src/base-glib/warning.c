/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Warnings go to the person at stderr, straight away. */

#include "base-glib/warning.h"

#include <string.h>
#include <unistd.h>

#include "base-glib/one-line.h"
#include "base/fd.h"

#define WARNING_MAX 2000 /* bytes */

void warn(const char *format, ...) {
        g_autofree char *text = NULL, *shown = NULL, *line = NULL;
        va_list arguments;

        va_start(arguments, format);
        text = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        shown = one_line(text, WARNING_MAX);
        line = g_strdup_printf("unitrun: warning: %s\n", shown);
        fd_write_all(STDERR_FILENO, line, strlen(line));
}
