/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two pipes from the program to the supervisor, and for each a stream from there to the journal. */

#include "container/output.h"

#include <errno.h>
#include <fcntl.h>
#include <syslog.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/journal.h"

void output_init(Output *output) {
        for (size_t i = 0; i < G_N_ELEMENTS(output->program); i++)
                output->program[i] = -EBADF;
        for (size_t i = 0; i < G_N_ELEMENTS(output->supervisor); i++)
                output->supervisor[i] = -EBADF;
}

void output_close_program(Output *output) {
        for (size_t i = 0; i < G_N_ELEMENTS(output->program); i++)
                close_clear(&output->program[i]);
}

void output_clear(Output *output) {
        output_close_program(output);
        for (size_t i = 0; i < G_N_ELEMENTS(output->supervisor); i++)
                close_clear(&output->supervisor[i]);
}

static bool open_stream(const char *identifier, const char *unit, int priority, int *ret_program,
                        int *ret_supervisor, GError **error) {
        int ends[2], fd = journal_open(identifier, unit, priority);

        if (fd < 0)
                return fail_errno(error, fd, "--stdio: cannot open a stream to the journal");
        ret_supervisor[1] = fd;
        if (pipe2(ends, O_CLOEXEC) < 0)
                return fail_errno(error, errno, "cannot make a pipe");
        ret_supervisor[0] = ends[0];
        *ret_program = ends[1];
        return true;
}

bool output_open(Output *output, const char *identifier, const char *unit, GError **error) {
        output->program[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (output->program[0] < 0)
                return fail_errno(error, errno, "cannot open '/dev/null'");
        return open_stream(identifier, unit, LOG_INFO, &output->program[1], &output->supervisor[0], error) &&
               open_stream(identifier, unit, LOG_WARNING, &output->program[2], &output->supervisor[2], error);
}
