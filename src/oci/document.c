/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* JSON text to tree. The text is copied once, strings are unescaped where they stand in that copy (they never
 * grow), nodes come from blocks that are freed together.
 *
 * Why not JsonParser of json-glib: version 1.6 makes -1 of 18446744073709551615 (what engines write for
 * RLIM_INFINITY and seccomp masks) and of every number beyond it, ends a string at \u0000, takes comments,
 * hex numbers, 'single quotes' and "var x =", and recurses without a limit: 100,000 brackets are a crash. A
 * container's config decides about privileges: what it says must be one thing for everybody who reads it. */

#include "oci/document.h"

#include <string.h>

#include "base-glib/error.h"

#define BLOCK_NODES       512
#define KEYS_TO_HASH_FROM 16 /* fewer keys are compared one by one */

struct Document {
        char *buffer;
        GPtrArray *blocks; /* of BLOCK_NODES nodes each */
        size_t n_nodes;
        DocumentNode *root;
};

typedef struct Parser {
        Document *document;
        char *at; /* next character; strings before it may have been unescaped */
        char *end;
        const char *text; /* as it was given, for positions */
        int depth;
} Parser;

static bool parse_value(Parser *parser, DocumentNode *node, GError **error);

void document_free(Document *document) {
        if (!document)
                return;
        g_free(document->buffer);
        g_ptr_array_unref(document->blocks);
        g_free(document);
}

const DocumentNode *document_root(const Document *document) {
        return document->root;
}

const char *document_kind_name(DocumentKind kind) {
        static const char *const names[] = {
                [DOCUMENT_OBJECT] = "an object", [DOCUMENT_ARRAY] = "an array",
                [DOCUMENT_STRING] = "a string",  [DOCUMENT_NUMBER] = "a number",
                [DOCUMENT_TRUE] = "true",        [DOCUMENT_FALSE] = "false",
                [DOCUMENT_NULL] = "null",
        };

        return names[kind];
}

static DocumentNode *document_add(Document *document) {
        size_t i = document->n_nodes++ % BLOCK_NODES;

        if (i == 0)
                g_ptr_array_add(document->blocks, g_new0(DocumentNode, BLOCK_NODES));
        return (DocumentNode *) g_ptr_array_index(document->blocks, document->blocks->len - 1) + i;
}

static bool fail_at_offset(const char *text, size_t offset, GError **error, const char *reason) {
        size_t line = 1, column = 1;

        for (size_t i = 0; i < offset; i++)
                if (text[i] == '\n') {
                        line++;
                        column = 1;
                } else if (((unsigned char) text[i] & 0xc0) != 0x80) /* not inside a character */
                        column++;
        return fail(error, "line %zu, column %zu: %s", line, column, reason);
}

static bool fail_at(const Parser *parser, const char *at, GError **error, const char *format, ...)
        G_GNUC_PRINTF(4, 5);

static bool fail_at(const Parser *parser, const char *at, GError **error, const char *format, ...) {
        g_autofree char *reason = NULL;
        va_list arguments;

        va_start(arguments, format);
        reason = g_strdup_vprintf(format, arguments);
        va_end(arguments);
        return fail_at_offset(parser->text, (size_t) (at - parser->document->buffer), error, reason);
}

static void skip_space(Parser *parser) {
        while (parser->at < parser->end && strchr(" \t\r\n", *parser->at))
                parser->at++;
}

static bool next_is(Parser *parser, char wanted) {
        skip_space(parser);
        if (parser->at == parser->end || *parser->at != wanted)
                return false;
        parser->at++;
        return true;
}

static bool fail_unexpected(Parser *parser, GError **error, const char *wanted) {
        skip_space(parser);
        if (parser->at == parser->end)
                return fail_at(parser, parser->at, error, "the text ends where %s is expected", wanted);
        if (g_ascii_isprint(*parser->at))
                return fail_at(parser, parser->at, error, "'%c' where %s is expected", *parser->at, wanted);
        return fail_at(parser, parser->at, error, "%s expected", wanted);
}

static bool parse_hex(const Parser *parser, const char *at, gunichar *ret) {
        gunichar value = 0;

        if (parser->end - at < 4)
                return false;
        for (int i = 0; i < 4; i++) {
                if (!g_ascii_isxdigit(at[i]))
                        return false;
                value = value << 4 | (gunichar) g_ascii_xdigit_value(at[i]);
        }
        *ret = value;
        return true;
}

/* \uXXXX, a surrogate pair as two of them (RFC 8259, 7). @at: behind the 'u'. Returns the bytes read, 0 on
 * failure. */
static size_t parse_unicode(const Parser *parser, const char *at, gunichar *ret, GError **error) {
        gunichar high, low;

        if (!parse_hex(parser, at, &high))
                return fail_at(parser, at, error, "\\u needs four hexadecimal digits");
        if (high == 0)
                return fail_at(parser, at, error, "a NUL character (\\u0000) in a string");
        *ret = high;
        if (high < 0xd800 || high > 0xdfff)
                return 4;
        if (high > 0xdbff || parser->end - at < 10 || at[4] != '\\' || at[5] != 'u' ||
            !parse_hex(parser, at + 6, &low) || low < 0xdc00 || low > 0xdfff)
                return fail_at(parser, at, error, "half of a surrogate pair");
        *ret = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return 10;
}

/* @escape: behind the backslash. Writes at @out, which is not ahead of @escape. */
static bool parse_escape(Parser *parser, char **escape, char **out, GError **error) {
        static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        const char *letter;
        gunichar character = 0;
        size_t n;

        if (*escape == parser->end)
                return fail_at(parser, *escape, error, "a string without an end");
        if (**escape == 'u') {
                n = parse_unicode(parser, *escape + 1, &character, error);
                if (n == 0)
                        return false;
                *escape += 1 + n;
                *out += g_unichar_to_utf8(character, *out);
                return true;
        }
        letter = strchr(letters, **escape);
        if (!letter)
                return fail_at(parser, *escape - 1, error, "an unknown escape sequence");
        *(*out)++ = meanings[letter - letters];
        (*escape)++;
        return true;
}

/* At the opening quote. */
static bool parse_string(Parser *parser, const char **ret_text, size_t *ret_size, GError **error) {
        char *start = parser->at + 1, *out = start, *at = start;

        for (;;) {
                if (at == parser->end)
                        return fail_at(parser, parser->at, error, "a string without an end");
                if (*at == '"')
                        break;
                if ((unsigned char) *at < 0x20)
                        return fail_at(parser, at, error, "a control character in a string");
                if (*at != '\\') {
                        *out++ = *at++;
                        continue;
                }
                at++;
                if (!parse_escape(parser, &at, &out, error))
                        return false;
        }
        *out = '\0'; /* over the closing quote at the latest */
        parser->at = at + 1;
        *ret_text = start;
        *ret_size = (size_t) (out - start);
        return true;
}

static size_t count_digits(const Parser *parser, const char *at) {
        const char *start = at;

        while (at < parser->end && g_ascii_isdigit(*at))
                at++;
        return (size_t) (at - start);
}

static bool parse_number(Parser *parser, DocumentNode *node, GError **error) {
        char *at = parser->at;
        size_t n;

        if (*at == '-')
                at++;
        n = count_digits(parser, at);
        if (n == 0 || (n > 1 && *at == '0'))
                return fail_at(parser, parser->at, error, "not a JSON number");
        at += n;
        if (at < parser->end && *at == '.') {
                n = count_digits(parser, at + 1);
                if (n == 0)
                        return fail_at(parser, parser->at, error, "not a JSON number");
                at += 1 + n;
        }
        if (at < parser->end && (*at == 'e' || *at == 'E')) {
                at++;
                if (at < parser->end && (*at == '+' || *at == '-'))
                        at++;
                n = count_digits(parser, at);
                if (n == 0)
                        return fail_at(parser, parser->at, error, "not a JSON number");
                at += n;
        }
        node->kind = DOCUMENT_NUMBER;
        node->text = parser->at;
        node->size = (size_t) (at - parser->at);
        parser->at = at;
        return true;
}

static bool parse_literal(Parser *parser, DocumentNode *node, GError **error) {
        static const struct {
                const char *text;
                DocumentKind kind;
        } literals[] = {
                {"true",  DOCUMENT_TRUE },
                {"false", DOCUMENT_FALSE},
                {"null",  DOCUMENT_NULL },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(literals); i++) {
                size_t n = strlen(literals[i].text);

                if ((size_t) (parser->end - parser->at) < n || memcmp(parser->at, literals[i].text, n) != 0)
                        continue;
                node->kind = literals[i].kind;
                parser->at += n;
                return true;
        }
        return fail_unexpected(parser, error, "a value");
}

/* Notes the key of the newest member; true when the object had it before. */
static bool key_is_duplicate(const DocumentNode *object, const char *key, GHashTable **seen) {
        if (!*seen && object->n < KEYS_TO_HASH_FROM) {
                for (const DocumentNode *member = object->first; member; member = member->next)
                        if (strcmp(member->key, key) == 0)
                                return true;
                return false;
        }
        if (!*seen) {
                *seen = g_hash_table_new(g_str_hash, g_str_equal);
                for (const DocumentNode *member = object->first; member; member = member->next)
                        g_hash_table_add(*seen, (gpointer) member->key);
        }
        return !g_hash_table_add(*seen, (gpointer) key);
}

static bool parse_key(Parser *parser, const DocumentNode *object, GHashTable **seen, const char **ret_key,
                      GError **error) {
        char *start;
        size_t size;

        skip_space(parser);
        start = parser->at;
        if (start == parser->end || *start != '"')
                return fail_unexpected(parser, error, "a property's name in double quotes");
        if (!parse_string(parser, ret_key, &size, error))
                return false;
        if (key_is_duplicate(object, *ret_key, seen)) {
                g_autofree char *shown = g_strescape(*ret_key, NULL);

                return fail_at(parser, start, error, "the property '%.100s' stands here a second time",
                               shown);
        }
        if (!next_is(parser, ':'))
                return fail_unexpected(parser, error, "':'");
        return true;
}

/* The inside of an object or an array, behind its opening bracket. */
static bool parse_children(Parser *parser, DocumentNode *parent, GError **error) {
        bool is_object = parent->kind == DOCUMENT_OBJECT;
        char closing = is_object ? '}' : ']';
        g_autoptr(GHashTable) seen = NULL;
        DocumentNode **link = &parent->first;

        if (next_is(parser, closing))
                return true;
        do {
                const char *key = NULL;
                DocumentNode *child;

                if (is_object && !parse_key(parser, parent, &seen, &key, error))
                        return false;
                if (parser->document->n_nodes >= DOCUMENT_VALUES_MAX)
                        return fail_at(parser, parser->at, error, "more than %d values", DOCUMENT_VALUES_MAX);
                child = document_add(parser->document);
                child->key = key;
                if (!parse_value(parser, child, error))
                        return false;
                *link = child;
                link = &child->next;
                parent->n++;
        } while (next_is(parser, ','));

        if (!next_is(parser, closing))
                return fail_unexpected(parser, error, is_object ? "',' or '}'" : "',' or ']'");
        return true;
}

static bool parse_container(Parser *parser, DocumentNode *node, GError **error) {
        if (parser->depth == DOCUMENT_DEPTH_MAX)
                return fail_at(parser, parser->at, error, "nested more than %d levels deep",
                               DOCUMENT_DEPTH_MAX);
        node->kind = *parser->at == '{' ? DOCUMENT_OBJECT : DOCUMENT_ARRAY;
        parser->at++;
        parser->depth++;
        if (!parse_children(parser, node, error))
                return false;
        parser->depth--;
        return true;
}

static bool parse_value(Parser *parser, DocumentNode *node, GError **error) {
        skip_space(parser);
        if (parser->at == parser->end)
                return fail_unexpected(parser, error, "a value");
        if (*parser->at == '{' || *parser->at == '[')
                return parse_container(parser, node, error);
        if (*parser->at == '"') {
                node->kind = DOCUMENT_STRING;
                return parse_string(parser, &node->text, &node->size, error);
        }
        if (*parser->at == '-' || g_ascii_isdigit(*parser->at))
                return parse_number(parser, node, error);
        return parse_literal(parser, node, error);
}

static bool check_bytes(const char *text, size_t size, GError **error) {
        const char *end;

        if (size == 0)
                return fail(error, "line 1, column 1: the text is empty");
        if (g_str_has_prefix(text, "\xef\xbb\xbf"))
                return fail(error, "line 1, column 1: a byte order mark, which JSON does not have");
        if (!g_utf8_validate_len(text, size, &end))
                return fail_at_offset(text, (size_t) (end - text), error, "not valid UTF-8");
        return true;
}

Document *document_parse(const char *text, size_t size, GError **error) {
        g_autoptr(Document) document = g_new0(Document, 1);
        Parser parser = {.document = document};

        document->buffer = g_malloc(size + 1);
        if (size > 0)
                memcpy(document->buffer, text, size);
        document->buffer[size] = '\0';
        document->blocks = g_ptr_array_new_with_free_func(g_free);
        parser.at = document->buffer;
        parser.end = document->buffer + size;
        parser.text = text;
        if (!check_bytes(document->buffer, size, error))
                return NULL;

        document->root = document_add(document);
        if (!parse_value(&parser, document->root, error))
                return NULL;
        skip_space(&parser);
        if (parser.at != parser.end) {
                fail_unexpected(&parser, error, "the end of the text");
                return NULL;
        }
        return g_steal_pointer(&document);
}
