/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libFuzzer on .container files: whatever the bytes are, the answer is one line of error or a unit that reads
 * back, with the lines that were meant and no others. */

#include <stdint.h>
#include <string.h>

#include "generator/install.h"
#include "generator/unit-writer.h"
#include "generator/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned count(const UnitFile *file, const char *key) {
        unsigned n = 0;

        for (guint i = 0; i < file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(file->lines, i);

                n += g_str_equal(line->section, "Service") && g_str_equal(line->key, key);
        }
        return n;
}

static void check_unit(const ContainerFile *container) {
        BundleFacts bundle = {0};
        g_autofree char *text = unit_write(container, &bundle, false);
        g_autoptr(UnitFile) unit = unit_file_new();
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) links = install_links(container, &error);

        g_assert_true(!links == !!error);
        g_assert_true(unit_file_parse(unit, text, strlen(text), "unit", NULL));
        g_assert_cmpuint(count(unit, "ExecStart"), ==, 1 + count(container->file, "ExecStart"));
        g_assert_cmpuint(count(unit, "ExecStartPre"), ==, count(container->file, "ExecStartPre"));
        for (guint i = 0; i < unit->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(unit->lines, i);
                g_auto(GStrv) words = NULL;

                if (!g_str_equal(line->section, "Service") || !g_str_equal(line->key, "ExecStart") ||
                    *line->value == '\0')
                        continue;
                words = words_split(line->value, NULL);
                g_assert_nonnull(words);
                g_assert_true(g_str_has_prefix(words[0], ":/"));
        }
}

static void check_words(const char *text) {
        g_auto(GStrv) again = NULL;
        g_autofree char *quoted = words_quote(text);

        again = words_split(quoted, NULL);
        g_assert_nonnull(again);
        g_assert_cmpstr(again[0], ==, text);
        g_assert_null(again[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        g_autoptr(GError) error = NULL;
        UnitFile *file = unit_file_new();
        g_autoptr(ContainerFile) container = NULL;

        if (unit_file_parse(file, (const char *) data, size, "fuzz", &error)) {
                g_autofree char *text = g_strndup((const char *) data, size);

                check_words(text);
                container = container_file_new("fuzz", "/fuzz", file, &error);
        } else {
                unit_file_free(file);
        }
        g_assert_true(!container == !!error);
        if (container)
                check_unit(container);
        return 0;
}
