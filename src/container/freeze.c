/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pause and resume, by the freezer of the payload group: the supervisor beside it stays awake. */

#include "container/freeze.h"

#include <errno.h>
#include <string.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/socket.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "protocol/message.h"
#include "protocol/state-dir.h"
#include "unit/unit.h"

#define FREEZE_TIMEOUT_MSEC 10000 /* for a process in the kernel, at a disk or a network */
#define THAW_TIMEOUT_MSEC   2000  /* nothing takes time; but for a frozen group above it never happens */

static int open_payload(const Container *container, GError **error) {
        g_autofree char *payload = cgroup_path_payload(container->facts->cgroup);
        int fd;

        if (!payload) {
                fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                          "the container has no control group of its own (--cgroup-manager=disabled)");
                return -ENOENT;
        }
        fd = cgroup_open(payload);
        if (fd == -ENOENT)
                fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                          container->dir->id);
        else if (fd < 0)
                fail_errno(error, fd, "cannot open the cgroup '%s'", payload);
        return fd;
}

/* For the unit's status text. Nobody waits for it, and a supervisor that can't be told makes no difference.
 */
static void tell_supervisor(const Container *container, bool frozen) {
        autoclose int fd = socket_connect(container->dir->fd, STATE_SOCKET_CONTROL);

        if (fd >= 0)
                message_send(fd, CONTROL_FROZEN, frozen);
}

static bool check_pausable(const Container *container, GError **error) {
        const char *id = container->dir->id;

        switch (container_status(container)) {
        case CONTAINER_CREATED:
        case CONTAINER_RUNNING:
                return true;
        case CONTAINER_PAUSED:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container already paused: '%s'", id);
        case CONTAINER_CREATING:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot pause a container that is still being created: '%s'", id);
        case CONTAINER_STOPPED:
                break;
        }
        return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'", id);
}

static bool freeze(const Container *container, GError **error) {
        autoclose int fd = open_payload(container, error);
        int r;

        if (fd < 0)
                return false;
        r = cgroup_freeze(fd, true, FREEZE_TIMEOUT_MSEC);
        if (r < 0) {
                cgroup_write(fd, "cgroup.freeze", "0");
                return r == -ETIMEDOUT ? fail(error, "a process of it did not stand still within %d s",
                                              FREEZE_TIMEOUT_MSEC / 1000)
                                       : fail_errno(error, r, "cannot freeze its cgroup '%s'",
                                                    container->facts->cgroup);
        }
        tell_supervisor(container, true);
        return true;
}

bool container_pause(const Container *container, GError **error) {
        return check_pausable(container, error) &&
               (freeze(container, error) ||
                fail_prefix(error, "cannot pause container '%s'", container->dir->id));
}

static bool is_frozen_itself(int group_fd) {
        char text[8];

        return cgroup_read(group_fd, "cgroup.freeze", text, sizeof(text)) >= 0 && strcmp(text, "1") == 0;
}

/* What was frozen from outside as a whole: by `systemctl freeze`, or without a unit by somebody's hand.
 * systemd has to be asked for its own: it would go on to believe that the unit is frozen. */
static bool thaw_home(const Container *container, GError **error) {
        const Facts *facts = container->facts;
        autoclose int fd = cgroup_open(facts->cgroup);
        g_autoptr(UnitBus) bus = NULL;
        int r;

        if (fd < 0 || !is_frozen_itself(fd))
                return true;
        if (facts->no_unit) {
                r = cgroup_write(fd, "cgroup.freeze", "0");
                return r >= 0 || fail_errno(error, r, "cannot thaw the cgroup '%s'", facts->cgroup);
        }
        bus = unit_bus_connect(facts->user_manager ? UNIT_MANAGER_USER : UNIT_MANAGER_SYSTEM, error);
        return bus && unit_thaw(bus, facts->unit, error);
}

static bool thaw(const Container *container, GError **error) {
        autoclose int fd = open_payload(container, error);
        int r;

        if (fd < 0 || !thaw_home(container, error))
                return false;
        r = cgroup_freeze(fd, false, THAW_TIMEOUT_MSEC);
        if (r == -ETIMEDOUT)
                return fail(error, "a group above its cgroup '%s' is frozen", container->facts->cgroup);
        if (r < 0)
                return fail_errno(error, r, "cannot thaw its cgroup '%s'", container->facts->cgroup);
        tell_supervisor(container, false);
        return true;
}

bool container_resume(const Container *container, GError **error) {
        if (container_status(container) != CONTAINER_PAUSED)
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not paused: '%s'",
                                 container->dir->id);
        return thaw(container, error) ||
               fail_prefix(error, "cannot resume container '%s'", container->dir->id);
}
