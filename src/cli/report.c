/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The last words of the program. runtime-contract: one JSON object {"level","msg","time"} per failure,
 * nothing on success. */

#include "cli/report.h"

#include <errno.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "base/journal.h"
#include "container/service-unit.h"

#define JOURNAL_PREFIX "journald:"

#define SHORT_ID_LENGTH 12

static int log_fd = -EBADF;
static bool log_to_journal;
static const char *log_identifier = "unitrun";
static ReportFormat log_format = REPORT_TEXT;
static const char *about_container;
static char *about_unit;

static void write_entry(const char *level, const char *message);

/* Our own g_debug() lines; those of libraries are theirs. */
static GLogWriterOutput write_debug(GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                                    gpointer unused) {
        const char *message = NULL, *domain = "";

        for (gsize i = 0; i < n_fields; i++)
                if (g_str_equal(fields[i].key, "MESSAGE"))
                        message = fields[i].value;
                else if (g_str_equal(fields[i].key, "GLIB_DOMAIN"))
                        domain = fields[i].value;
        if (!(level & G_LOG_LEVEL_DEBUG))
                return g_log_writer_default(level, fields, n_fields, unused);
        if (message && g_str_equal(domain, G_LOG_DOMAIN))
                write_entry("debug", message);
        return G_LOG_WRITER_HANDLED;
}

bool report_open(const char *log, const char *format, bool debug, GError **error) {
        if (debug)
                g_log_set_writer_func(write_debug, NULL, NULL);
        if (!format || g_str_equal(format, "text"))
                log_format = REPORT_TEXT;
        else if (g_str_equal(format, "json"))
                log_format = REPORT_JSON;
        else
                return fail_code(error, UNITRUN_ERROR_USAGE, "--log-format: '%s' is not 'text' or 'json'",
                                 format);
        if (!log || log[0] == '\0')
                return true;
        if (g_str_has_prefix(log, JOURNAL_PREFIX)) {
                log_to_journal = true;
                if (log[strlen(JOURNAL_PREFIX)])
                        log_identifier = log + strlen(JOURNAL_PREFIX);
                return true;
        }
        log_fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
        return log_fd < 0 ? fail_errno(error, errno, "--log: cannot open '%s'", log) : true;
}

void report_container(const char *id) {
        about_container = id;
}

void report_unit(const char *unit) {
        g_free(about_unit);
        about_unit = g_strdup(unit);
}

static char *entry_as_json(const char *level, const char *message, const char *time) {
        g_autoptr(JsonBuilder) builder = json_builder_new();
        g_autoptr(JsonGenerator) generator = json_generator_new();
        g_autoptr(JsonNode) root = NULL;

        json_builder_begin_object(builder);
        json_builder_set_member_name(builder, "level");
        json_builder_add_string_value(builder, level);
        json_builder_set_member_name(builder, "msg");
        json_builder_add_string_value(builder, message);
        json_builder_set_member_name(builder, "time");
        json_builder_add_string_value(builder, time);
        json_builder_end_object(builder);
        root = json_builder_get_root(builder);
        json_generator_set_root(generator, root);
        return json_generator_to_data(generator, NULL);
}

static void write_to_file(int fd, const char *level, const char *message) {
        g_autoptr(GDateTime) now = g_date_time_new_now_utc();
        g_autofree char *time = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
        g_autofree char *valid = g_utf8_make_valid(message, -1);
        g_autofree char *entry = NULL, *line = NULL;

        if (log_format == REPORT_JSON)
                entry = entry_as_json(level, valid, time);
        else
                entry = g_strdup_printf("time=\"%s\" level=%s msg=\"%s\"", time, level, valid);
        line = g_strconcat(entry, "\n", NULL);
        /* Nobody is left to tell when the log can't be written; stderr has it all the same. */
        fd_write_all(fd, line, strlen(line));
}

static void add_field(GPtrArray *fields, const char *name, const char *value) {
        if (value)
                g_ptr_array_add(fields, g_strdup_printf("%s=%s", name, value));
}

/* Each field is one of the entry's whatever is in it: sd_journal_sendv(3) tells sizes. */
static bool send_to_journal(int priority, const char *message) {
        g_autoptr(GPtrArray) fields = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *number = g_strdup_printf("%d", priority);
        g_autofree char *short_id = about_container ? g_strndup(about_container, SHORT_ID_LENGTH) : NULL;
        g_autofree struct iovec *parts = NULL;
        g_autoptr(ServiceUnit) own = service_unit_find(NULL);

        add_field(fields, "MESSAGE", message);
        add_field(fields, "PRIORITY", number);
        add_field(fields, "SYSLOG_IDENTIFIER", log_identifier);
        add_field(fields, "MESSAGE_ID", priority == LOG_ERR ? MESSAGE_ID_COMMAND_FAILED : NULL);
        add_field(fields, "CONTAINER_ID", short_id);
        add_field(fields, "CONTAINER_ID_FULL", about_container);
        add_field(fields, "UNIT", about_unit);
        /* The journal finds out by our PID, unless we have ended by then. */
        if (own)
                add_field(fields, geteuid() == 0 ? "OBJECT_SYSTEMD_UNIT" : "OBJECT_SYSTEMD_USER_UNIT",
                          own->name);
        parts = g_new0(struct iovec, fields->len);
        for (guint k = 0; k < fields->len; k++) {
                char *field = g_ptr_array_index(fields, k);

                parts[k] = (struct iovec){field, strlen(field)};
        }
        return sd_journal_sendv(parts, (int) fields->len) >= 0;
}

static void write_entry(const char *level, const char *message) {
        if (log_to_journal)
                send_to_journal(g_str_equal(level, "debug") ? LOG_DEBUG : LOG_ERR, message);
        else
                write_to_file(log_fd >= 0 ? log_fd : STDERR_FILENO, level, message);
}

/* As systemd tells who has its output there (systemd.exec(5), $JOURNAL_STREAM). */
static bool is_journal(int fd) {
        const char *stream = g_getenv("JOURNAL_STREAM");
        g_autofree char *own = NULL;
        struct stat status;

        if (!stream || fstat(fd, &status) < 0)
                return false;
        own = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) status.st_dev,
                              (guint64) status.st_ino);
        return g_str_equal(stream, own);
}

void report_error(const char *message) {
        g_autofree char *line = g_strdup_printf("unitrun: %s\n", message);

        /* A line there could be an entry with all its fields. */
        if (log_to_journal || !is_journal(STDERR_FILENO) || !send_to_journal(LOG_ERR, message))
                fd_write_all(STDERR_FILENO, line, strlen(line));
        if (log_fd >= 0 || log_to_journal)
                write_entry("error", message);
}
