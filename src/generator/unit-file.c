/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/unit-file.h"

#include <string.h>

#include "base-glib/error.h"

typedef struct Parser {
        UnitFile *file;
        const char *name;
        unsigned line;       /* of what is read */
        unsigned first_line; /* of what it continues */
        char *section;       /* NULL: none yet */
} Parser;

static void line_free(void *data) {
        UnitLine *line = data;

        g_free(line->section);
        g_free(line->key);
        g_free(line->value);
        g_free(line->place);
        g_free(line);
}

UnitFile *unit_file_new(void) {
        UnitFile *file = g_new0(UnitFile, 1);

        file->lines = g_ptr_array_new_with_free_func(line_free);
        return file;
}

void unit_file_free(UnitFile *file) {
        if (!file)
                return;
        g_ptr_array_unref(file->lines);
        g_free(file);
}

static bool parse_section(Parser *parser, const char *text, GError **error) {
        size_t n = strlen(text);

        if (n < 3 || text[n - 1] != ']' || strcspn(text + 1, "[]") != n - 2)
                return fail(error, "%s:%u: '%s' is not a section, '[Name]'", parser->name, parser->first_line,
                            text);
        g_free(parser->section);
        parser->section = g_strndup(text + 1, n - 2);
        return true;
}

static bool parse_assignment(Parser *parser, const char *text, GError **error) {
        const char *equals = strchr(text, '=');
        UnitLine *line;

        if (!equals || equals == text)
                return fail(error, "%s:%u: '%s' is not an assignment, 'Key=value'", parser->name,
                            parser->first_line, text);
        if (!parser->section)
                return fail(error, "%s:%u: '%s' stands before the first section", parser->name,
                            parser->first_line, text);
        line = g_new0(UnitLine, 1);
        line->section = g_strdup(parser->section);
        line->key = g_strchomp(g_strndup(text, (gsize) (equals - text)));
        line->value = g_strstrip(g_strdup(equals + 1));
        line->place = g_strdup_printf("%s:%u", parser->name, parser->first_line);
        g_ptr_array_add(parser->file->lines, line);
        return true;
}

/* A whole line, however many it was written on. */
static bool parse_line(Parser *parser, char *text, GError **error) {
        g_strstrip(text);
        if (*text == '\0')
                return true;
        return *text == '[' ? parse_section(parser, text, error) : parse_assignment(parser, text, error);
}

static bool is_comment(const char *text) {
        text += strspn(text, " \t");
        return *text == '#' || *text == ';';
}

/* A backslash that is escaped itself is none. */
static bool goes_on(const char *text) {
        size_t backslashes = 0;

        for (size_t n = strlen(text); n > 0 && text[n - 1] == '\\'; n--)
                backslashes++;
        return backslashes % 2 != 0;
}

/* A line that ends in a backslash goes on with the next one that is no comment; the backslash is a blank
 * then. */
static bool parse_lines(Parser *parser, char *const *lines, GError **error) {
        g_autoptr(GString) whole = g_string_new(NULL);

        for (; *lines; lines++) {
                parser->line++;
                if (is_comment(*lines))
                        continue;
                if (whole->len == 0)
                        parser->first_line = parser->line;
                g_string_append(whole, *lines);
                if (goes_on(whole->str)) {
                        whole->str[whole->len - 1] = ' ';
                        continue;
                }
                if (!parse_line(parser, whole->str, error))
                        return false;
                g_string_truncate(whole, 0);
        }
        return parse_line(parser, whole->str, error);
}

static bool check_text(const char *text, gsize size, const char *name, GError **error) {
        const char *end;

        if (memchr(text, '\0', size))
                return fail(error, "%s: there is a NUL byte in it", name);
        if (!g_utf8_validate(text, (gssize) size, &end))
                return fail(error, "%s: byte %td is not UTF-8", name, end - text);
        return true;
}

bool unit_file_parse(UnitFile *file, const char *text, gsize size, const char *name, GError **error) {
        Parser parser = {.file = file, .name = name};
        g_autofree char *copy = NULL;
        g_auto(GStrv) lines = NULL;
        bool done;

        if (!check_text(text, size, name, error))
                return false;
        copy = g_strndup(text, size);
        lines = g_strsplit(copy, "\n", -1);
        for (char **line = lines; *line; line++)
                if (g_str_has_suffix(*line, "\r"))
                        (*line)[strlen(*line) - 1] = '\0';
        done = parse_lines(&parser, lines, error);
        g_free(parser.section);
        return done;
}
