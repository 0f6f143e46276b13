/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Looking up the program: what is found where, and the words for what is not, which engines turn into 126 and
 * 127. */

#include "init/exec.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Row {
        const char *name;
        const char *path;    /* PATH; NULL: none. "@" is the test's directory */
        const char *program; /* found, or NULL */
        const char *failure;
        int status; /* exit status for the failure */
} Row;

static const Row rows[] = {
        {"tool",          "@/a:@/b",    "@/b/tool",    NULL,                                                   0  },
        {"tool",          "@/dirs:@/b", "@/b/tool",    NULL,                                                   0  },
        {"tool",          "@/not:@/b",  "@/b/tool",    NULL,                                                   0  },
        {"tool",          "@/a::@/b",   "@/b/tool",    NULL,                                                   0  },
        {".hidden",       "@/b",        "@/b/.hidden", NULL,                                                   0  },
        {"./b/tool",      "@/a",        "./b/tool",    NULL,                                                   0  },
        {"b/tool",        "@/a",        "b/tool",      NULL,                                                   0  },
        {"here",          "@/a:",       "./here",      NULL,                                                   0  },
        {"sh",            NULL,         "/bin/sh",     NULL,                                                   0  },
        {"nosuch",        "@/a:@/b",    NULL,          "exec: \"nosuch\": executable file not found in $PATH", 127},
        {"",              "@/b",        NULL,          "exec: \"\": executable file not found in $PATH",       127},
        {"plain",         "@/not",      NULL,          "exec: \"plain\": permission denied",                   126},
        {"/no/such",      "",           NULL,          "exec: \"/no/such\": no such file or directory",        127},
        {"/etc/passwd/x", "",           NULL,          "exec: \"/etc/passwd/x\": no such file or directory",   127},
        {"/etc",          "",           NULL,          "exec: \"/etc\": permission denied",                    126},
        {"./not/plain",   "",           NULL,          "exec: \"./not/plain\": permission denied",             126},
};

static char *directory;

static char *expand(const char *text) {
        g_autoptr(GString) expanded = g_string_new(text);

        g_string_replace(expanded, "@", directory, 0);
        return g_string_free(g_steal_pointer(&expanded), FALSE);
}

static void test_row(gconstpointer data) {
        const Row *row = data;
        g_autofree char *path = row->path ? expand(row->path) : NULL;
        g_autofree char *variable = g_strconcat("PATH=", path, NULL);
        g_autofree char *program = row->program ? expand(row->program) : NULL;
        char *args[] = {(char *) row->name, NULL};
        char *env[] = {(char *) "A=b", path ? variable : NULL, NULL};
        const InitPlan plan = {.args = args, .env = env};
        Init init = {.plan = &plan};
        SetupFailure failure = {0};
        int r = exec_find_program(&init, &failure);

        if (program) {
                g_assert_cmpint(r, ==, 0);
                /* On a merged /usr the default PATH finds sh there first. */
                if (!path && g_str_equal(init.program, "/usr/bin/sh"))
                        return;
                g_assert_cmpstr(init.program, ==, program);
        } else {
                g_assert_cmpstr(failure.text, ==, row->failure);
                g_assert_cmpint(failure.code, ==, FAILURE_EXEC);
                g_assert_cmpint(exec_exit_status(r), ==, row->status);
        }
}

static void make_tree(void) {
        static const char script[] =
                "mkdir a b dirs not; mkdir dirs/tool; for f in b/tool b/.hidden here; do : >$f;"
                " chmod 755 $f; done; : >not/tool; : >not/plain; chmod 644 not/*";
        const char *argv[] = {"/bin/sh", "-ec", script, NULL};
        int status;

        directory = g_dir_make_tmp("exec-XXXXXX", NULL);
        g_assert_cmpint(chdir(directory), ==, 0);
        g_assert_true(g_spawn_sync(NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
        g_assert_cmpint(status, ==, 0);
}

static void remove_tree(void) {
        g_autofree char *command = g_strdup_printf("rm -rf '%s'", directory);

        g_assert_cmpint(chdir("/"), ==, 0);
        g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
        g_free(directory);
}

int main(int argc, char **argv) {
        int r;

        g_test_init(&argc, &argv, NULL);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *path = g_strdup_printf("/exec/find/%zu", i);

                g_test_add_data_func(path, &rows[i], test_row);
        }
        make_tree();
        r = g_test_run();
        remove_tree();
        return r;
}
