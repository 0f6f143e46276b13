/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun events ID */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "cli/command.h"
#include "container/events.h"

#define INTERVAL_DEFAULT_USEC (5 * G_USEC_PER_SEC)
#define INTERVAL_MAX_USEC     ((double) G_MAXINT32 * G_USEC_PER_SEC)

static char *arg_interval;
static gboolean arg_stats;

static const GOptionEntry options[] = {
        {"interval", 0, 0, G_OPTION_ARG_STRING, &arg_interval,
         "Show the numbers that often, such as 100ms (5s)",                                         "TIME"},
        {"stats",    0, 0, G_OPTION_ARG_NONE,   &arg_stats,    "Show the numbers once, and return", NULL  },
        G_OPTION_ENTRY_NULL,
};

/* Returns the end of the unit at the start of @text, NULL if there is none. A number alone is seconds. */
static const char *read_unit(const char *text, double *ret_usec) {
        static const struct {
                const char *name;
                double usec;
        } units[] = {
                {"ms",        1e3   },
                {"us",        1     },
                {"\xc2\xb5s", 1     },
                {"ns",        1e-3  },
                {"h",         3600e6},
                {"m",         60e6  },
                {"s",         1e6   },
                {"",          1e6   },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
                if (g_str_has_prefix(text, units[i].name)) {
                        *ret_usec = units[i].usec;
                        return text + strlen(units[i].name);
                }
        return NULL;
}

/* As Go's programs write a time: "5s", "1m30s", "0.5s". */
static bool read_time(const char *text, uint64_t *ret_usec, GError **error) {
        const char *rest = text;
        double sum = 0, usec;
        char *end;

        do {
                double number = g_ascii_isdigit(*rest) ? g_ascii_strtod(rest, &end) : 0;

                rest = g_ascii_isdigit(*rest) ? read_unit(end, &usec) : NULL;
                if (!rest)
                        return fail_code(error, UNITRUN_ERROR_USAGE,
                                         "--interval: '%s' is not a time such as 5s or 100ms", text);
                sum += number * usec;
        } while (*rest);
        if (!(sum >= 1 && sum <= INTERVAL_MAX_USEC))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--interval: duration interval must be greater than 0, not '%s'", text);
        *ret_usec = (uint64_t) sum;
        return true;
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(Container) container = command_open(global, arguments[0], error);
        uint64_t interval_usec = INTERVAL_DEFAULT_USEC;
        g_autofree char *stats = NULL;

        if (!container || (arg_interval && !read_time(arg_interval, &interval_usec, error)))
                return -1;
        if (!arg_stats) {
                /* A pipe that nobody reads from ends us without a complaint. */
                signal(SIGPIPE, SIG_IGN);
                return container_events(container, interval_usec, STDOUT_FILENO, error) ? 0 : -1;
        }
        stats = container_stats(container, error);
        if (!stats)
                return -1;
        fputs(stats, stdout);
        return 0;
}

const Command command_events = {
        .name = "events",
        .arguments = "ID",
        .summary = "Show what a container uses, and when it is out of memory, as JSON",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
