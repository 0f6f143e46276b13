/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/restore.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "container/cgroup-path.h"
#include "container/criu-mounts.h"
#include "container/criu-namespaces.h"
#include "container/handover.h"
#include "protocol/state-dir.h"

#define LOG_FILE        "restore.log"
#define DESCRIPTORS_MAX 65536
#define CONSOLE_NAME    "/dev/console"

static bool make_yard(Creation *creation, GError **error) {
        g_autofree char *path = g_build_filename(creation->dir->path, STATE_CRIU, NULL);

        if (mkdirat(creation->dir->fd, STATE_CRIU, 0700) < 0)
                return fail_errno(error, errno, "cannot make '%s'", path);
        image_link_string(creation->plan->image, &creation->plan->init->criu_yard, path);
        return true;
}

bool restore_prepare(Creation *creation, GError **error) {
        InitPlan *init = creation->plan->init;
        g_autofree char *program = criu_find(error);
        int pair[2];

        if (!program ||
            !criu_dirs_open(creation->options->restore, /* make= */ false, &creation->criu_dirs, error) ||
            !make_yard(creation, error))
                return false;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return fail_errno(error, errno, "cannot make a socket pair");
        creation->criu = pair[0];
        creation->criu_child = init->criu_fd = pair[1];
        init->is_restore = true;
        image_link_string(creation->plan->image, &init->criu, program);
        return true;
}

/* Pipes that the program had from outside: others take their place. Of the strings only those matter that
 * hold no quotes. */
static bool put_descriptors(GByteArray *message, const Creation *creation, GError **error) {
        autofree char *text = NULL;
        g_auto(GStrv) parts = NULL;
        int r = file_read(creation->criu_dirs.image_fd, CRIU_DESCRIPTORS, DESCRIPTORS_MAX, &text, NULL);

        if (r < 0)
                return fail_errno(error, r, "--image-path: cannot read '%s/%s'",
                                  creation->options->restore->image_path, CRIU_DESCRIPTORS);
        parts = g_strsplit(text, "\"", 8);
        for (unsigned fd = 0; fd <= 2 && g_strv_length(parts) > 2 * fd + 1; fd++)
                if (g_str_has_prefix(parts[2 * fd + 1], "pipe:"))
                        criu_put_pair_number(message, CRIU_INHERIT_FD, parts[2 * fd + 1], fd);
        return true;
}

static GByteArray *make_options(const Creation *creation, GError **error) {
        const CriuOptions *options = creation->options->restore;
        g_autofree char *payload =
                creation->home == HOME_NOWHERE ? NULL : cgroup_path_payload(creation->cgroup);
        g_autoptr(GByteArray) message =
                criu_common_options(options, &creation->criu_dirs, creation->config, LOG_FILE);

        criu_put_text(message, CRIU_ROOT, creation->plan->init->rootfs);
        criu_put_number(message, CRIU_RST_SIBLING, true);
        criu_put_number(message, CRIU_EVASIVE_DEVICES, true);
        criu_put_text(message, CRIU_LSM_PROFILE, options->lsm_profile);
        criu_put_text(message, CRIU_LSM_MOUNT_CONTEXT, options->lsm_mount_context);
        criu_put_text(message, CRIU_CGROUP_YARD, creation->plan->init->criu_yard);
        if (payload)
                criu_put_pair(message, CRIU_CG_ROOT, NULL, payload);
        criu_mounts_restore(message, creation->plan);
        if (!criu_namespaces_restore(message, creation->plan, error) ||
            !put_descriptors(message, creation, error))
                return NULL;
        return g_steal_pointer(&message);
}

bool restore_begin(Creation *creation, GError **error) {
        g_autoptr(GByteArray) options = make_options(creation, error);

        return options && criu_send(creation->criu, criu_request(CRIU_RESTORE, options), error);
}

static bool take_init(Creation *creation, pid_t pid, GError **error) {
        if (creation->init == pid)
                return true;
        if (pid <= 0 || creation->init > 0)
                return fail(error, "criu names no process of its");
        creation->init_pidfd = sys_pidfd_open(pid, 0);
        if (creation->init_pidfd < 0)
                return fail_errno(error, errno, "cannot watch the container's init (PID %d)", (int) pid);
        creation->init = pid;
        return true;
}

/* A new terminal, for the program that had one. */
static bool pass_terminal_on(const Creation *creation, int fd, GError **error) {
        int r;

        if (creation->console < 0 || fd < 0)
                return fail(error,
                            "the program in the image has a terminal, but config.json: process.terminal "
                            "is not true");
        r = socket_send(creation->console, CONSOLE_NAME, strlen(CONSOLE_NAME), &fd, 1);
        return r >= 0 || fail_errno(error, r, "cannot send the terminal to the console socket");
}

static bool take_notification(Creation *creation, const CriuResponse *response, int fd, GError **error) {
        const char *script = response->script ? response->script : "";

        g_debug("criu: %s", script);
        if (g_str_equal(script, "setup-namespaces"))
                return take_init(creation, response->pid, error) && handover_run_hooks(creation, error);
        if (g_str_equal(script, "post-restore"))
                return take_init(creation, response->pid, error) &&
                       handover_init(creation, HANDOVER_RESTORED, error);
        if (g_str_equal(script, "orphan-pts-master"))
                return pass_terminal_on(creation, fd, error);
        return true;
}

/* All is there and runs. */
static bool end_restoration(Creation *creation, GError **error) {
        int r;

        close_clear(&creation->criu);
        if (creation->plan->init->reaper_fd >= 0) {
                r = message_send(creation->setup, SETUP_RESTORED, creation->init);
                return r >= 0 || fail_errno(error, r, "cannot talk to the reaper");
        }
        process_reap(creation->criu_pid);
        process_reap(creation->stage);
        creation->criu_pid = creation->stage = 0;
        creation->finished = true;
        return true;
}

bool restore_handle(Creation *creation, GError **error) {
        g_auto(CriuResponse) response = {0};
        g_autoptr(GError) local = NULL;
        autoclose int fd = -EBADF;

        if (!criu_receive(creation->criu, &response, &fd, &local))
                return criu_fail_silent(local, creation->options->restore, &creation->criu_dirs, LOG_FILE,
                                        error);
        if (response.type == CRIU_NOTIFY)
                return take_notification(creation, &response, fd, error) &&
                       criu_send(creation->criu, criu_acknowledge(true), error);
        if (!response.success)
                return criu_fail(&response, creation->options->restore, &creation->criu_dirs, LOG_FILE,
                                 error);
        if (response.type != CRIU_RESTORE || creation->init <= 0)
                return fail(error, "unexpected answer %u from criu", response.type);
        return end_restoration(creation, error);
}
