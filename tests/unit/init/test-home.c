/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Homes in passwd files, proper and odd ones. */

#include "init/home.h"

#include <glib.h>

static const char passwd[] = "root:x:0:0:root:/root:/bin/sh\n"
                             "broken\n"
                             "short:x:7\n"
                             "\n"
                             "negative:x:-1:0::/negative:\n"
                             "sign:x:+8:0::/sign:\n"
                             "spaces:x: 9:0::/spaces:\n"
                             "trailing:x:10x:0::/trailing:\n"
                             "relative:x:11:11::home:/bin/sh\n"
                             "again:x:11:11::/again:/bin/sh\n"
                             "noshell:x:12:12::/noshell\n"
                             "empty:x:13:13:::/bin/sh\n"
                             "huge:x:99999999999999999999:1::/huge:\n"
                             "max:x:4294967294:1::/max:\n"
                             "last:x:14:14::/last:/bin/sh";

static const struct {
        uid_t uid;
        const char *home;
} rows[] = {
        {0,          "/root"   },
        {7,          NULL      },
        {8,          NULL      },
        {9,          NULL      },
        {10,         NULL      },
        {11,         "/again"  },
        {12,         "/noshell"},
        {13,         NULL      },
        {14,         "/last"   },
        {15,         NULL      },
        {4294967294, "/max"    },
        {4294967295, NULL      },
};

static void test_find(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *copy = g_strdup(passwd);

                g_assert_cmpstr(home_find(copy, rows[i].uid), ==, rows[i].home);
        }
}

static void test_empty(void) {
        char text[] = "";

        g_assert_null(home_find(text, 0));
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/home/find", test_find);
        g_test_add_func("/home/empty", test_empty);
        return g_test_run();
}
