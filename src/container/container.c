/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Looking at a container: which commands do before they act. Nothing here needs the bus. */

#include "container/container.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/process.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"

void container_free(Container *container) {
        if (!container)
                return;
        state_dir_free(container->dir);
        facts_free(container->facts);
        g_free(container);
}

UnitManager container_manager(void) {
        static UnitManager manager;
        static bool known;

        if (!known) {
                manager = unit_manager_detect();
                known = true;
        }
        return manager;
}

Container *container_open(const char *root, const char *id, GError **error) {
        g_autoptr(Container) container = g_new0(Container, 1);
        g_autoptr(GError) no_facts = NULL;

        if (!container_id_check(id, error))
                return NULL;
        container->dir = state_dir_open(root, id, /* lock= */ false, error);
        if (!container->dir)
                return NULL;
        container->facts = facts_load(container->dir->fd, STATE_FACTS, &no_facts);
        if (container->facts)
                return g_steal_pointer(&container);
        if (!g_error_matches(no_facts, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND)) {
                g_propagate_prefixed_error(error, g_steal_pointer(&no_facts), "container '%s': ", id);
                return NULL;
        }
        if (!state_dir_is_locked(container->dir)) {
                fail_code(error, UNITRUN_ERROR_NOT_FOUND,
                          "container '%s' does not exist (its creation was cut short; 'unitrun delete %s' "
                          "clears what is "
                          "left)",
                          id, id);
                return NULL;
        }
        return g_steal_pointer(&container);
}

int container_open_payload(const Container *container) {
        g_autofree char *payload = cgroup_path_payload(container->facts->cgroup);
        autoclose int fd = cgroup_open(payload);
        uint64_t id;
        int r = fd < 0 ? fd : cgroup_get_id(fd, &id);

        if (r < 0)
                return r;
        return container->facts->payload_id == 0 || id == container->facts->payload_id ? steal_fd(&fd)
                                                                                       : -ENOENT;
}

static bool is_frozen(const Container *container) {
        autoclose int fd = container_open_payload(container);
        CgroupEvents events;

        return fd >= 0 && cgroup_get_events(fd, &events) >= 0 && events.frozen;
}

ContainerStatus container_status(const Container *container) {
        StatusWord word;
        autoclose int pidfd = -EBADF;
        int r;

        if (!container->facts)
                return CONTAINER_CREATING;
        pidfd = process_open(container->facts->pid, container->facts->start_ticks);
        if (pidfd < 0)
                return CONTAINER_STOPPED;
        r = status_read(container->dir->fd, &word, NULL);
        /* One that can't be read is not taken for one that still waits: `delete` kills those. */
        if (r < 0)
                word = r == -ENOENT ? STATUS_WORD_CREATED : STATUS_WORD_RUNNING;
        if (word != STATUS_WORD_CREATED && word != STATUS_WORD_RUNNING)
                return CONTAINER_STOPPED;
        if (is_frozen(container))
                return CONTAINER_PAUSED;
        return word == STATUS_WORD_CREATED ? CONTAINER_CREATED : CONTAINER_RUNNING;
}

const char *container_status_name(ContainerStatus status) {
        static const char *const names[] = {
                [CONTAINER_CREATING] = "creating", [CONTAINER_CREATED] = "created",
                [CONTAINER_RUNNING] = "running",   [CONTAINER_PAUSED] = "paused",
                [CONTAINER_STOPPED] = "stopped",
        };

        return names[status];
}

OciConfig *container_load_config(const Container *container, GError **error) {
        OciConfig *config = oci_config_load(container->dir->fd, STATE_CONFIG, NULL, error);

        if (!config)
                fail_prefix(error, "container '%s'", container->dir->id);
        return config;
}

int container_open_init(const Container *container, GError **error) {
        int pidfd = container->facts ? process_open(container->facts->pid, container->facts->start_ticks)
                                     : -ESRCH;

        if (pidfd == -ESRCH)
                fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                          container->dir->id);
        else if (pidfd < 0)
                fail_errno(error, pidfd, "cannot open init of container '%s'", container->dir->id);
        return pidfd;
}
