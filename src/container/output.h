/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Standard input and output of a container whose output goes to the journal. */

typedef struct Output {
        int program[3];    /* fds 0, 1, 2 of the program; close-on-exec */
        int supervisor[4]; /* for its relay: pipe and stream of stdout, then of stderr */
} Output;

/**
 * output_init, output_clear:
 * All fds are -EBADF; closes them.
 */
void output_init(Output *output);
void output_clear(Output *output);

/**
 * output_open:
 * @identifier: of the lines in the journal, whose priority is "info", and "warning" for those of stderr
 * @unit: (nullable): the container's
 *
 * Nothing is to be read from stdin. Without a journal this fails.
 */
bool output_open(Output *output, const char *identifier, const char *unit, GError **error);

/**
 * output_close_program:
 * The program has its fds: our copies would keep its pipes open.
 */
void output_close_program(Output *output);
