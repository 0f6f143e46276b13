/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Warnings go to the person at stderr, straight away. */

#include "base-glib/warning.h"

#include <string.h>
#include <unistd.h>

#include "base/fd.h"

void warn(const char *format, ...) {
        g_autofree char *text = NULL, *line = NULL;
        va_list arguments;

        va_start(arguments, format);
        text = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        line = g_strdup_printf("unitrun: warning: %s\n", text);
        fd_write_all(STDERR_FILENO, line, strlen(line));
}
