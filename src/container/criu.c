/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/criu.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "base/socket.h"
#include "oci/word.h"

#define MESSAGE_MAX  (64 * 1024)
#define LOG_MAX      (64 * 1024 * 1024)
#define LOG_LEVEL    4
#define VERSION_MIN  31100 /* external network namespaces */
#define CONFIG_FILE  "/etc/criu/runc.conf"
#define CONFIG_LABEL "org.criu.config"

/* enum criu_cg_mode */
static const Word cgroup_modes[] = {
        {"ignore", 0},
        {"soft",   3},
        {"full",   4},
        {"strict", 5},
};

static const Word *find_mode(const char *name) {
        static const Words modes = WORDS("a mode", cgroup_modes);

        return words_find(&modes, name ? name : "soft");
}

/* "ADDRESS:PORT", the address may be "[::1]". */
static bool split_server(const char *text, char **ret_address, unsigned *ret_port) {
        const char *colon = strrchr(text, ':');
        guint64 port;

        if (!colon || colon == text || !g_ascii_string_to_unsigned(colon + 1, 10, 1, 65535, &port, NULL))
                return false;
        *ret_address = g_strndup(text, (gsize) (colon - text));
        *ret_port = (unsigned) port;
        return true;
}

bool criu_options_check(const CriuOptions *options, GError **error) {
        g_autofree char *address = NULL;
        unsigned port;

        if (geteuid() != 0)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "checkpoint and restore need root: criu cannot do it for a user");
        if (!find_mode(options->manage_cgroups_mode))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--manage-cgroups-mode: '%s' is not 'soft', 'full', 'strict' or 'ignore'",
                                 options->manage_cgroups_mode);
        if (options->empty_ns && !g_str_equal(options->empty_ns, "network"))
                return fail_code(error, UNITRUN_ERROR_USAGE, "--empty-ns: '%s' is not 'network'",
                                 options->empty_ns);
        if (options->page_server && !split_server(options->page_server, &address, &port))
                return fail_code(error, UNITRUN_ERROR_USAGE, "--page-server: '%s' is not ADDRESS:PORT",
                                 options->page_server);
        if (options->parent_path && g_path_is_absolute(options->parent_path))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--parent-path: '%s' must be relative to the image directory",
                                 options->parent_path);
        if (options->status_fd >= 0) {
                int flags = fcntl(options->status_fd, F_GETFL);

                if (flags < 0)
                        return fail_errno(error, errno, "--status-fd: %d", options->status_fd);
                if ((flags & O_ACCMODE) == O_RDONLY)
                        return fail(error, "--status-fd: %d is not writable", options->status_fd);
        }
        return true;
}

void criu_put_page_server(GByteArray *message, const CriuOptions *options) {
        g_autofree char *address = NULL;
        unsigned port;

        if (options->page_server && split_server(options->page_server, &address, &port))
                criu_put_pair_number(message, CRIU_PAGE_SERVER, address, port);
}

char *criu_find(GError **error) {
        char *path = g_find_program_in_path("criu");

        /* Some callers have no PATH, or none with sbin. */
        if (!path && access("/usr/sbin/criu", X_OK) == 0)
                path = g_strdup("/usr/sbin/criu");
        if (!path)
                fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                          "checkpoint and restore need the program criu, which is not installed");
        return path;
}

void criu_dirs_clear(CriuDirs *dirs) {
        close_clear(&dirs->image_fd);
        close_clear(&dirs->work_fd);
}

static int open_dir(const char *path, bool make, bool *ret_made, const char *option, GError **error) {
        int fd;

        *ret_made = make && mkdir(path, 0700) == 0;
        if (make && !*ret_made && errno != EEXIST) {
                fail_errno(error, errno, "%s: cannot make '%s'", option, path);
                return -1;
        }
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                fail_errno(error, errno, "%s: cannot open '%s'", option, path);
        return fd;
}

bool criu_dirs_open(const CriuOptions *options, bool make, CriuDirs *ret, GError **error) {
        bool made;

        ret->image_fd = open_dir(options->image_path, make, &ret->made, "--image-path", error);
        if (ret->image_fd < 0)
                return false;
        if (!options->work_path)
                return true;
        ret->work_fd = open_dir(options->work_path, /* make= */ true, &made, "--work-path", error);
        return ret->work_fd >= 0;
}

/* The annotation names another configuration file, or with "" none. */
static const char *config_file(const OciConfig *config) {
        const char *label = oci_pairs_get(&config->annotations, CONFIG_LABEL);

        return !label ? CONFIG_FILE : *label ? label : NULL;
}

GByteArray *criu_common_options(const CriuOptions *options, const CriuDirs *dirs, const OciConfig *config,
                                const char *log_file) {
        GByteArray *message = g_byte_array_new();

        criu_put_number(message, CRIU_IMAGES_DIR_FD, (uint64_t) dirs->image_fd);
        if (dirs->work_fd >= 0)
                criu_put_number(message, CRIU_WORK_DIR_FD, (uint64_t) dirs->work_fd);
        criu_put_number(message, CRIU_LOG_LEVEL, LOG_LEVEL);
        criu_put_text(message, CRIU_LOG_FILE, log_file);
        criu_put_number(message, CRIU_NOTIFY_SCRIPTS, true);
        criu_put_number(message, CRIU_ORPHAN_PTS_MASTER, true);
        criu_put_number(message, CRIU_MANAGE_CGROUPS, true);
        criu_put_number(message, CRIU_MANAGE_CGROUPS_MODE,
                        (uint64_t) find_mode(options->manage_cgroups_mode)->value);
        criu_put_number(message, CRIU_SHELL_JOB, options->shell_job);
        criu_put_number(message, CRIU_EXT_UNIX_SK, options->ext_unix_sk);
        criu_put_number(message, CRIU_TCP_ESTABLISHED, options->tcp_established);
        criu_put_number(message, CRIU_FILE_LOCKS, options->file_locks);
        criu_put_number(message, CRIU_AUTO_DEDUP, options->auto_dedup);
        criu_put_number(message, CRIU_LAZY_PAGES, options->lazy_pages);
        if (options->empty_ns)
                criu_put_number(message, CRIU_EMPTY_NS, CLONE_NEWNET);
        criu_put_text(message, CRIU_CONFIG_FILE, config_file(config));
        return message;
}

bool criu_send(int fd, GByteArray *message, GError **error) {
        int r = socket_send(fd, message->data, message->len, NULL, 0);

        g_byte_array_unref(message);
        return r >= 0 || fail_errno(error, r, "cannot talk to criu");
}

bool criu_receive(int fd, CriuResponse *ret, int *ret_fd, GError **error) {
        g_autofree uint8_t *buffer = g_malloc(MESSAGE_MAX);
        int came = -EBADF;
        size_t n_fds = 1;
        ssize_t n = socket_receive(fd, buffer, MESSAGE_MAX, &came, &n_fds);

        if (n > 0 && n_fds == 1 && ret_fd)
                *ret_fd = came;
        else if (n > 0 && n_fds == 1)
                close(came);
        if (n < 0)
                return fail_errno(error, (int) n, "cannot hear criu");
        if (n == 0)
                return fail(error, "criu ended without an answer");
        return criu_response_parse(buffer, (size_t) n, ret) ||
               fail(error, "criu says what is no answer of its RPC");
}

/* The first line of its log that it calls an error. */
static char *find_error(const CriuDirs *dirs, const char *log_file) {
        autofree char *text = NULL;

        if (file_read(dirs->work_fd >= 0 ? dirs->work_fd : dirs->image_fd, log_file, LOG_MAX, &text, NULL) <
            0)
                return NULL;
        for (char *at = text, *line; (line = strsep(&at, "\n"));) {
                const char *found = strstr(line, "Error (");

                if (found)
                        return g_strdup(found);
        }
        return NULL;
}

static bool fail_with_log(const char *reason, const CriuOptions *options, const CriuDirs *dirs,
                          const char *log_file, GError **error) {
        g_autofree char *line = find_error(dirs, log_file);

        return fail(error, "criu failed: %s, see: %s/%s", line ? line : reason,
                    options->work_path ? options->work_path : options->image_path, log_file);
}

bool criu_fail_silent(const GError *reason, const CriuOptions *options, const CriuDirs *dirs,
                      const char *log_file, GError **error) {
        return fail_with_log(reason->message, options, dirs, log_file, error);
}

bool criu_fail(const CriuResponse *response, const CriuOptions *options, const CriuDirs *dirs,
               const char *log_file, GError **error) {
        const char *reason = response->message ? response->message
                             : response->error ? g_strerror(response->error)
                                               : "no reason given";

        return fail_with_log(reason, options, dirs, log_file, error);
}

static bool spawn(int child_fd, GPid *ret_pid, GError **error) {
        g_autofree char *program = criu_find(error);
        const char *const args[] = {program, "swrk", "3", NULL};
        const int target = 3;

        return program && g_spawn_async_with_pipes_and_fds(NULL, args, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
                                                           NULL, -1, -1, -1, &child_fd, &target, 1, ret_pid,
                                                           NULL, NULL, NULL, error);
}

static bool converse(int fd, GByteArray *request, CriuResponse *ret, GError **error) {
        if (!criu_send(fd, request, error))
                return false;
        for (;;) {
                criu_response_clear(ret);
                if (!criu_receive(fd, ret, NULL, error))
                        return false;
                if (ret->type != CRIU_NOTIFY)
                        return true;
                g_debug("criu: %s", ret->script ? ret->script : "notification");
                if (!criu_send(fd, criu_acknowledge(true), error))
                        return false;
        }
}

bool criu_swrk(GByteArray *request, CriuResponse *ret, GError **error) {
        int pair[2];
        GPid pid;
        bool success;

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
                g_byte_array_unref(request);
                return fail_errno(error, errno, "cannot make a socket pair");
        }
        success = spawn(pair[1], &pid, error);
        close(pair[1]);
        if (!success) {
                close(pair[0]);
                g_byte_array_unref(request);
                return false;
        }
        success = converse(pair[0], request, ret, error);
        close(pair[0]);
        process_reap(pid);
        return success;
}

bool criu_check(GError **error) {
        g_auto(CriuResponse) response = {0};

        if (!criu_swrk(criu_request(CRIU_VERSION, NULL), &response, error))
                return false;
        if (!response.success || response.version < VERSION_MIN)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "criu is too old: checkpoint and restore need 3.11");
        return true;
}

bool criu_check_features(const CriuOptions *options, GError **error) {
        g_auto(CriuResponse) response = {0};

        if (!options->pre_dump && !options->parent_path && !options->lazy_pages)
                return true;
        if (!criu_swrk(criu_request_features(), &response, error))
                return false;
        if (!response.track_memory && (options->pre_dump || options->parent_path))
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "--pre-dump and --parent-path: criu cannot track memory on this kernel");
        if (!response.lazy_pages && options->lazy_pages)
                return fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                                 "--lazy-pages: criu cannot send pages later on this kernel");
        return true;
}
