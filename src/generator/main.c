/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun-generator: .container files to .service units, at boot and at each daemon-reload, see
 * systemd.generator(7). What is wrong with one file is that file's affair. */

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/one-line.h"
#include "base/auto.h"
#include "base/fd.h"
#include "base/file.h"
#include "config.h"
#include "generator/bundle.h"
#include "generator/container-file.h"
#include "generator/install.h"
#include "generator/report.h"
#include "generator/search.h"
#include "generator/unit-writer.h"

#define MESSAGE_SIZE_MAX 2048

static gboolean arg_dry_run, arg_user, arg_version, arg_list_keys;
static bool failed;

static const GOptionEntry options[] = {
        {"dry-run",   0,   0,                    G_OPTION_ARG_NONE, &arg_dry_run,   "Print the units",           NULL},
        {"user",      0,   0,                    G_OPTION_ARG_NONE, &arg_user,      "Those of the user manager", NULL},
        {"version",   'v', 0,                    G_OPTION_ARG_NONE, &arg_version,   "Show the version",          NULL},
        {"list-keys", 0,   G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &arg_list_keys,
         "List the keys of [Container]",                                                                         NULL},
        G_OPTION_ENTRY_NULL,
};

static void tell(const GError *error) {
        g_autofree char *line = one_line(error->message, MESSAGE_SIZE_MAX);
        bool usage =
                error->domain == G_OPTION_ERROR || g_error_matches(error, UNITRUN_ERROR, UNITRUN_ERROR_USAGE);

        failed = true;
        report_problem(line, arg_dry_run || usage || isatty(STDERR_FILENO));
}

static bool make_link(int dir_fd, const InstallLink *link, GError **error) {
        g_autofree char *directory = strchr(link->path, '/') ? g_path_get_dirname(link->path) : NULL;

        if ((directory && mkdirat(dir_fd, directory, 0755) < 0 && errno != EEXIST) ||
            (symlinkat(link->target, dir_fd, link->path) < 0 && errno != EEXIST))
                return fail_errno(error, errno, "cannot make the link '%s'", link->path);
        return true;
}

static bool write_unit(int dir_fd, const ContainerFile *container, const char *text, const GPtrArray *links,
                       GError **error) {
        g_autofree char *name = g_strconcat(container->name, ".service", NULL);
        int r = file_replace(dir_fd, name, text, strlen(text), 0644);

        if (r < 0)
                return fail_errno(error, r, "cannot write '%s'", name);
        for (guint i = 0; i < links->len; i++)
                if (!make_link(dir_fd, g_ptr_array_index(links, i), error))
                        return false;
        return true;
}

static void print_unit(const ContainerFile *container, const char *text, const GPtrArray *links) {
        printf("---%s.service---\n%s", container->name, text);
        for (guint i = 0; i < links->len; i++) {
                const InstallLink *link = g_ptr_array_index(links, i);

                printf("---%s -> %s---\n", link->path, link->target);
        }
}

static bool generate(char *const *path, const char *name, bool user, int dir_fd, GError **error) {
        g_autofree char *file_path = NULL, *text = NULL;
        UnitFile *file = search_load(path, name, &file_path, error);
        g_autoptr(ContainerFile) container = file ? container_file_new(name, file_path, file, error) : NULL;
        g_autoptr(GPtrArray) links = container ? install_links(container, error) : NULL;
        BundleFacts bundle = {0};
        bool done;

        if (!links)
                return false;
        if (container->bundle && !bundle_facts_read(container->bundle, &bundle, error))
                return fail_prefix(error, "%s", file_path);
        text = unit_write(container, &bundle, user);
        bundle_facts_clear(&bundle);
        done = dir_fd < 0 || write_unit(dir_fd, container, text, links, error);
        if (dir_fd < 0)
                print_unit(container, text, links);
        return done || fail_prefix(error, "%s", file_path);
}

/* systemd tells since 251; before it is in whose directory of generators we are. */
static bool is_for_user(const char *program) {
        const char *scope = g_getenv("SYSTEMD_SCOPE");

        if (arg_user || arg_dry_run)
                return arg_user;
        return scope ? g_str_equal(scope, "user") : strstr(program, "/user-generators/") != NULL;
}

static bool check_arguments(int argc, GError **error) {
        if (arg_dry_run ? argc == 1 : argc == 2 || argc == 4)
                return true;
        return fail_code(error, UNITRUN_ERROR_USAGE,
                         "usage: unitrun-generator NORMAL-DIR [EARLY-DIR LATE-DIR], or --dry-run [--user]");
}

static bool generate_all(bool user, const char *directory, GError **error) {
        g_auto(GStrv) path = search_path(user);
        g_autoptr(GPtrArray) names = search_names(path, tell);
        autoclose int dir_fd = -EBADF;

        if (directory)
                dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory && dir_fd < 0)
                return fail_errno(error, errno, "cannot open '%s'", directory);
        for (guint i = 0; i < names->len; i++) {
                g_autoptr(GError) file_error = NULL;

                if (!generate(path, g_ptr_array_index(names, i), user, dir_fd, &file_error))
                        tell(file_error);
        }
        return true;
}

int main(int argc, char **argv) {
        g_autoptr(GOptionContext) context = g_option_context_new("[NORMAL-DIR [EARLY-DIR LATE-DIR]]");
        const char *program = argv[0];
        g_autoptr(GError) error = NULL;

        setlocale(LC_CTYPE, "");
        umask(0022);
        fd_open_standard();
        g_option_context_set_summary(context,
                                     "Makes services of .container files, see unitrun.container(5).");
        g_option_context_add_main_entries(context, options, NULL);
        if (!g_option_context_parse(context, &argc, &argv, &error)) {
                tell(error);
                return EXIT_FAILURE;
        }
        if (arg_version || arg_list_keys) {
                g_autofree char *keys = container_file_describe_keys();

                printf("%s", arg_list_keys ? keys : "unitrun-generator version " UNITRUN_VERSION "\n");
                return EXIT_SUCCESS;
        }
        if (!check_arguments(argc, &error) ||
            !generate_all(is_for_user(program), arg_dry_run ? NULL : argv[1], &error))
                tell(error);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
