/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* checkpoint: criu does the work on the container's processes; here is what it cannot know. */

#include "container/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "container/criu-mounts.h"
#include "container/criu-namespaces.h"
#include "container/notify-socket.h"
#include "container/service.h"

#define LOG_FILE "dump.log"
#define END_MSEC 10000

static bool check_status(const Container *container, GError **error) {
        ContainerStatus status = container_status(container);

        if (status == CONTAINER_RUNNING || status == CONTAINER_PAUSED)
                return true;
        return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: it is %s",
                         container_status_name(status));
}

static void put_flags(GByteArray *message, const CriuOptions *options) {
        criu_put_number(message, CRIU_LEAVE_RUNNING, options->leave_running);
        criu_put_number(message, CRIU_LINK_REMAP, options->link_remap);
        criu_put_number(message, CRIU_TCP_SKIP_IN_FLIGHT, options->tcp_skip_in_flight);
        criu_put_page_server(message, options);
        if (options->parent_path) {
                criu_put_text(message, CRIU_PARENT_IMG, options->parent_path);
                criu_put_number(message, CRIU_TRACK_MEM, true);
        } else if (options->pre_dump) {
                criu_put_number(message, CRIU_TRACK_MEM, true);
        }
        if (options->lazy_pages && options->status_fd >= 0)
                criu_put_number(message, CRIU_STATUS_FD, (uint64_t) options->status_fd);
}

/* Frozen by the group nothing of the container can run away or notice. */
static void put_freezer(GByteArray *message, const Facts *facts) {
        g_autofree char *payload = cgroup_path_payload(facts->cgroup), *path = NULL;

        if (!payload)
                return;
        path = g_strconcat(CGROUP_ROOT, payload, NULL);
        criu_put_text(message, CRIU_FREEZE_CGROUP, path);
}

/* A JSON array of three strings: what restore has to give other pipes for. */
static bool write_descriptors(const Facts *facts, const CriuDirs *dirs, GError **error) {
        g_autoptr(GString) text = g_string_new("[");
        int r;

        for (size_t i = 0; i < G_N_ELEMENTS(facts->stdio); i++) {
                g_autofree char *quoted = g_strescape(facts->stdio[i] ? facts->stdio[i] : "/dev/null", NULL);

                g_string_append_printf(text, "%s\"%s\"", i > 0 ? "," : "", quoted);
        }
        g_string_append(text, "]\n");
        r = file_replace(dirs->image_fd, CRIU_DESCRIPTORS, text->str, text->len, 0600);
        return r >= 0 || fail_errno(error, r, "cannot write '%s' into the image", CRIU_DESCRIPTORS);
}

static bool put_mounts(GByteArray *message, const Container *container, const OciConfig *config,
                       GError **error) {
        g_autofree char *path = g_strdup_printf("/proc/%d/root", (int) container->facts->pid),
                        *notify = notify_socket_directory(container->dir->path);
        const PlanContext context = {
                .id = container->dir->id,
                .bundle = container->facts->bundle,
                .notify_directory = g_file_test(notify, G_FILE_TEST_IS_DIR) ? notify : NULL,
        };
        g_autoptr(Plan) plan = plan_build_mounts(config, &context, error);
        autoclose int root_fd = -EBADF;

        if (!plan)
                return fail_prefix(error, "config.json");
        root_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root_fd < 0)
                return fail_errno(error, errno, "cannot open the container's root");
        return criu_mounts_dump(message, plan, root_fd, error);
}

/* criu restores as the root of the container's user namespace, who has to find the image: the directory
 * becomes that user's, if it was made for it. What is in it is not for anybody else. */
static bool give_to_container(const CriuDirs *dirs, const OciConfig *config, GError **error) {
        const OciLinux *linux = &config->linux;
        uint32_t uid, gid;

        if (!dirs->made || !oci_id_mappings_find(&linux->uid_mappings, 0, &uid) ||
            !oci_id_mappings_find(&linux->gid_mappings, 0, &gid))
                return true;
        return fchown(dirs->image_fd, uid, gid) >= 0 ||
               fail_errno(error, errno, "--image-path: cannot give the directory to user %u", uid);
}

static bool dump(const Container *container, const CriuOptions *options, int pidfd, GError **error) {
        const Facts *facts = container->facts;
        g_autoptr(OciConfig) config = container_load_config(container, error);
        g_autoptr(GByteArray) message = NULL;
        g_auto(CriuDirs) dirs = CRIU_DIRS_INIT;
        g_auto(CriuResponse) response = {0};
        g_autoptr(GError) local = NULL;

        if (!config || !criu_dirs_open(options, /* make= */ true, &dirs, error) ||
            !give_to_container(&dirs, config, error))
                return false;
        message = criu_common_options(options, &dirs, config, LOG_FILE);
        criu_put_number(message, CRIU_PID, (uint64_t) facts->pid);
        criu_put_text(message, CRIU_ROOT, facts->rootfs);
        put_flags(message, options);
        put_freezer(message, facts);
        if (!criu_namespaces_dump(message, config, facts->pid, error))
                return false;
        if (!options->pre_dump &&
            (!put_mounts(message, container, config, error) || !write_descriptors(facts, &dirs, error)))
                return false;
        /* The PID is still the container's: it was looked up before. */
        if (process_signal(pidfd, 0) < 0)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running");
        if (!criu_swrk(criu_request(options->pre_dump ? CRIU_PRE_DUMP : CRIU_DUMP, message), &response,
                       &local))
                return criu_fail_silent(local, options, &dirs, LOG_FILE, error);
        if (!response.success)
                return criu_fail(&response, options, &dirs, LOG_FILE, error);
        if (options->leave_running || options->pre_dump)
                return true;
        return process_wait_exit(pidfd, END_MSEC) >= 0 ||
               fail(error, "the container does not end after its checkpoint");
}

bool container_checkpoint(const Container *container, const CriuOptions *options, GError **error) {
        autoclose int pidfd = -EBADF;

        if (!criu_options_check(options, error) || !container_service_check(container, "stop", error) ||
            !check_status(container, error) || !criu_check_features(options, error))
                return fail_prefix(error, "cannot checkpoint container '%s'", container->dir->id);
        pidfd = container_open_init(container, error);
        if (pidfd >= 0 && dump(container, options, pidfd, error))
                return true;
        return fail_prefix(error, "cannot checkpoint container '%s'", container->dir->id);
}
