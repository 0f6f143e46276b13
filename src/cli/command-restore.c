/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun restore ID */

#include "cli/attend.h"
#include "cli/command.h"
#include "cli/create-options.h"
#include "cli/criu-options.h"
#include "container/foreground.h"

static gboolean arg_detach, arg_keep;
static char *arg_lsm_profile, *arg_lsm_mount_context;

/* clang-format off */
static const GOptionEntry options[] = {
        CREATE_OPTIONS,
        CRIU_OPTIONS,
        {"detach", 'd', 0, G_OPTION_ARG_NONE, &arg_detach, "Return as soon as the container runs", NULL},
        {"keep", 0, 0, G_OPTION_ARG_NONE, &arg_keep, "Do not delete the container when it has ended", NULL},
        {"lsm-profile", 0, 0, G_OPTION_ARG_STRING, &arg_lsm_profile, "Another profile than in the image, such as apparmor:NAME", "LSM:PROFILE"},
        {"lsm-mount-context", 0, 0, G_OPTION_ARG_STRING, &arg_lsm_mount_context, "Another SELinux context of mounts than in the image", "CONTEXT"},
        G_OPTION_ENTRY_NULL,
};
/* clang-format on */

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        const char *id = arguments[0];
        g_autofree char *root = command_root(global, error);
        g_autoptr(Created) created = NULL;
        g_auto(CriuOptions) criu = {0};
        CreateOptions create;

        if (!root || !create_options_make(global, root, id, &create, error) ||
            !criu_options_make(&criu, error) || (!arg_detach && !foreground_prepare(error)))
                return -1;
        criu.lsm_profile = arg_lsm_profile;
        criu.lsm_mount_context = arg_lsm_mount_context;
        create.restore = &criu;
        create.foreground = !arg_detach;
        created = container_create(&create, error);
        if (!created)
                return -1;
        return arg_detach ? attend_detached(created, error) : attend_foreground(created, arg_keep, error);
}

const Command command_restore = {
        .name = "restore",
        .arguments = "ID",
        .summary = "Make a container from a bundle and an image, and let it go on",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .check = criu_check,
        .run = run,
};
