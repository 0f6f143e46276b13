/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/processes.h"

#include <string.h>

static void test_lines_of_processes_are_kept(void) {
        static const struct {
                const char *table, *shown; /* NULL: an error */
        } rows[] = {
                {"PID CMD\n    7 a\n   77 b\n  777 c\n",             "PID CMD\n   77 b\n"    },
                {"UID          PID CMD\nroot          77 sleep 7\n",
                 "UID          PID CMD\nroot          77 sleep 7\n"                          },
                {"CMD   PID\nsleep  77\nsh  \n",                     "CMD   PID\nsleep  77\n"},
                {"PID\n77x\n 77\n-77\n 1234567890123\n",             "PID\n 77\n"            },
                {"PPID SPID TPID\n77 77 77\n",                       NULL                    },
                {"",                                                 NULL                    },
                {"PID\n",                                            "PID\n"                 },
                {"PID CMD\n  77 a",                                  "PID CMD\n  77 a\n"     },
        };
        g_autoptr(GArray) pids = g_array_new(FALSE, FALSE, sizeof(pid_t));

        for (pid_t pid = 77; pid < 80; pid++)
                g_array_append_val(pids, pid);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;
                g_autofree char *shown = processes_filter(rows[i].table, pids, &error);

                g_assert_cmpstr(shown, ==, rows[i].shown);
                if (!shown)
                        g_assert_nonnull(strstr(error->message, "column PID"));
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container/processes/filter", test_lines_of_processes_are_kept);
        return g_test_run();
}
