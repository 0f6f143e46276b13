/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The undoing of a create: the same list whether it failed here or was killed and is found by the next
 * command. */

#include "container/creation.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/process.h"
#include "cgroup/group.h"
#include "container/facts.h"
#include "container/hooks.h"
#include "container/host-mounts.h"
#include "container/removal.h"
#include "container/resources.h"
#include "protocol/state-dir.h"

#define GROUP_TIMEOUT_MSEC 200

Creation *creation_new(const CreateOptions *options) {
        Creation *creation = g_new0(Creation, 1);

        creation->options = options;
        creation->handover_listener = -EBADF;
        creation->handover = -EBADF;
        creation->setup = -EBADF;
        creation->gate = -EBADF;
        creation->console = -EBADF;
        creation->pidfd_socket = -EBADF;
        output_init(&creation->output);
        creation->reaper = -EBADF;
        creation->signals = -EBADF;
        creation->init_pidfd = -EBADF;
        creation->criu = -EBADF;
        creation->criu_child = -EBADF;
        creation->criu_pidfd = -EBADF;
        creation->criu_dirs = (CriuDirs) CRIU_DIRS_INIT;
        creation->supervisor_pidfd = -EBADF;
        return creation;
}

static void kill_processes(Creation *creation) {
        /* First, or it would see its work go wrong; what it has restored is in the payload group. */
        if (creation->criu_pidfd >= 0)
                process_signal(creation->criu_pidfd, SIGKILL);
        if (creation->init_pidfd >= 0)
                process_signal(creation->init_pidfd, SIGKILL);
        /* The stage is our child: its pid can't be another's. In reaper mode init dies with it as well. */
        if (creation->stage > 0)
                kill(creation->stage, SIGKILL);
        close_clear(&creation->setup);
        process_reap(creation->stage);
        if (creation->init_pidfd >= 0)
                process_wait_exit(creation->init_pidfd, -1);
        process_reap(creation->init);
        if (creation->criu_pidfd >= 0)
                process_wait_exit(creation->criu_pidfd, -1);
        process_reap(creation->criu_pid);
}

char *creation_memory_hint(const Creation *creation) {
        return resources_memory_hint(creation->config->linux.resources);
}

HookSubject creation_hook_subject(const Creation *creation) {
        return (HookSubject){
                .config = creation->config,
                .dir = creation->dir,
                .bundle = creation->bundle,
                .unit = home_has_unit(creation->home) ? creation->unit : NULL,
                .pid = creation->init,
        };
}

static void run_poststop(const Creation *creation) {
        HookSubject subject = creation_hook_subject(creation);

        subject.pid = 0;
        hooks_run_poststop(&subject);
}

/* systemd removes the group of a unit that fails, and forgets it; if we have moved init there in that very
 * moment, it is not empty then, and nobody's. */
static void remove_group(const Creation *creation) {
        g_autofree char *above = g_path_get_dirname(creation->cgroup),
                        *name = g_path_get_basename(creation->cgroup);
        autoclose int fd = cgroup_open(creation->cgroup);
        autoclose int above_fd = cgroup_open(above);

        if (fd < 0 || above_fd < 0)
                return;
        cgroup_wait_empty(fd, GROUP_TIMEOUT_MSEC);
        cgroup_remove(above_fd, name);
}

static void undo(Creation *creation) {
        g_autoptr(GError) error = NULL;

        /* As long as its namespace lives. */
        if (creation->net_devices)
                net_devices_move_back(creation->net_devices);
        kill_processes(creation);
        close_clear(&creation->handover);
        close_clear(&creation->handover_listener);
        /* Whether systemd has granted the name may not be known yet: the unit can still be somebody else's.
         */
        if (creation->supervisor > 0)
                kill(creation->supervisor, SIGKILL);
        process_reap(creation->supervisor);
        if (creation->home == HOME_SERVICE && creation->cgroup &&
            !home_clear_service(creation->cgroup, &error))
                warn("%s, ignoring", error->message);
        g_clear_error(&error);
        if (creation->group && creation->group_begun &&
            !home_clear_group(creation->group, /* payload_id= */ 0, &error))
                warn("%s, ignoring", error->message);
        g_clear_error(&error);
        if (creation->job && !removal_forget_unit(creation->bus, creation->unit, creation->dir->path,
                                                  /* kill= */ true, &error))
                warn("%s, ignoring", error->message);
        if (creation->job && creation->cgroup)
                remove_group(creation);
        if (creation->init > 0)
                run_poststop(creation);
        g_clear_error(&error);
        if (!resctrl_remove(&creation->resctrl, &error))
                warn("%s, ignoring", error->message);
        g_clear_error(&error);
        if (!host_mounts_remove(&creation->mounts, &error))
                warn("%s, ignoring", error->message);
        if (creation->options->pid_file && creation->finished)
                unlink(creation->options->pid_file);
        g_clear_error(&error);
        if (creation->dir && !state_dir_remove(creation->dir, &error))
                warn("%s, ignoring", error->message);
}

static void close_all(Creation *creation) {
        int *const fds[] = {
                &creation->handover_listener,
                &creation->handover,
                &creation->setup,
                &creation->gate,
                &creation->console,
                &creation->reaper,
                &creation->signals,
                &creation->init_pidfd,
                &creation->criu,
                &creation->criu_child,
                &creation->criu_pidfd,
                &creation->supervisor_pidfd,
                &creation->pidfd_socket,
        };

        for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
                if (*fds[i] >= 0)
                        close(*fds[i]);
}

void creation_free(Creation *creation) {
        if (!creation)
                return;
        if (!creation->committed)
                undo(creation);
        close_all(creation);
        output_clear(&creation->output);
        criu_dirs_clear(&creation->criu_dirs);
        terminal_free(creation->terminal);
        net_devices_free(creation->net_devices);
        plan_free(creation->plan);
        unit_removal_free(creation->removal);
        unit_job_free(creation->job);
        property_set_free(creation->properties);
        resource_plan_free(creation->resources);
        unit_bus_free(creation->bus);
        oci_config_free(creation->config);
        state_dir_free(creation->dir);
        g_free(creation->bundle);
        g_free(creation->rootfs);
        host_mounts_clear(&creation->mounts);
        resctrl_group_clear(&creation->resctrl);
        g_free(creation->group);
        g_free(creation->unit);
        g_free(creation->slice);
        g_free(creation->cgroup);
        for (size_t i = 0; i < G_N_ELEMENTS(creation->stdio); i++)
                g_free(creation->stdio[i]);
        g_free(creation);
}
