/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cli/criu-options.h"

#include "base-glib/absolute-path.h"

char *arg_criu_image_path, *arg_criu_work_path, *arg_criu_cgroups_mode, *arg_criu_empty_ns, *arg_criu_program;
gboolean arg_criu_tcp, arg_criu_unix, arg_criu_shell_job, arg_criu_file_locks, arg_criu_lazy_pages,
        arg_criu_auto_dedup;

bool criu_options_make(CriuOptions *ret, GError **error) {
        *ret = (CriuOptions){
                .manage_cgroups_mode = arg_criu_cgroups_mode,
                .empty_ns = arg_criu_empty_ns,
                .tcp_established = arg_criu_tcp,
                .ext_unix_sk = arg_criu_unix,
                .shell_job = arg_criu_shell_job,
                .file_locks = arg_criu_file_locks,
                .lazy_pages = arg_criu_lazy_pages,
                .auto_dedup = arg_criu_auto_dedup,
                .status_fd = -1,
        };
        ret->image_path = absolute_path(arg_criu_image_path ? arg_criu_image_path : "checkpoint",
                                        "--image-path", error);
        if (!ret->image_path)
                return false;
        if (arg_criu_work_path)
                ret->work_path = absolute_path(arg_criu_work_path, "--work-path", error);
        return !arg_criu_work_path || ret->work_path;
}

void criu_options_clear(CriuOptions *options) {
        g_clear_pointer(&options->image_path, g_free);
        g_clear_pointer(&options->work_path, g_free);
}
