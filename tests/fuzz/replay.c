/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The main() of a fuzz target for compilers without libFuzzer: every file below the given directories is one
 * input. A finding of the fuzzer stays in the corpus and is tested again here. */

#include <glib.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay_file(gconstpointer data) {
        g_autofree char *text = NULL;
        size_t size;

        g_assert_true(g_file_get_contents(data, &text, &size, NULL));
        LLVMFuzzerTestOneInput((const uint8_t *) text, size);
}

/* One test per file. @group: of the test's name. */
static void add_files(const char *group, const char *directory) {
        g_autoptr(GError) error = NULL;
        GDir *dir = g_dir_open(directory, 0, &error);
        const char *name;

        g_assert_no_error(error);
        while ((name = g_dir_read_name(dir))) {
                char *path = g_build_filename(directory, name, NULL);
                g_autofree char *test = g_strdup_printf("%s/%s", group, name);

                if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
                        add_files(test, path);
                        g_free(path);
                } else
                        g_test_add_data_func_full(test, path, replay_file, g_free);
        }
        g_dir_close(dir);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        for (int i = 1; i < argc; i++) {
                g_autofree char *group = g_path_get_basename(argv[i]), *path = g_strconcat("/", group, NULL);

                add_files(path, argv[i]);
        }
        return g_test_run();
}
