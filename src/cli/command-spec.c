/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun spec: a config.json to start from. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "cli/command.h"
#include "oci/example-config.h"

#define CONFIG_FILE "config.json"

static char *arg_bundle;
static gboolean arg_rootless;

static const GOptionEntry options[] = {
        {"bundle",   'b', 0, G_OPTION_ARG_FILENAME, &arg_bundle,
         "Where the file goes; the current directory by default",    "DIR"},
        {"rootless", 0,   0, G_OPTION_ARG_NONE,     &arg_rootless,
         "For a container that who calls this can run without root", NULL },
        G_OPTION_ENTRY_NULL,
};

static bool write_config(const char *directory, const char *text, GError **error) {
        g_autofree char *path = g_build_filename(directory, CONFIG_FILE, NULL);
        autoclose int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        int r;

        if (fd < 0 && errno == EEXIST)
                return fail(error, "'%s' exists: remove it first", path);
        if (fd < 0)
                return fail_errno(error, errno, "cannot make '%s'", path);
        r = fd_write_all(fd, text, strlen(text));
        if (r >= 0)
                return true;
        unlink(path);
        return fail_errno(error, r, "cannot write '%s'", path);
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autofree char *json = oci_example_config(arg_rootless, geteuid(), getegid());
        g_autofree char *text = g_strconcat(json, "\n", NULL);

        return write_config(arg_bundle ? arg_bundle : ".", text, error) ? 0 : -1;
}

const Command command_spec = {
        .name = "spec",
        .arguments = "",
        .summary = "Write a config.json to start from",
        .options = options,
        .min_arguments = 0,
        .max_arguments = 0,
        .run = run,
};
