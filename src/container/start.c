/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* start: one request to the supervisor. Where there is a unit, systemd has to be asked only when there are
 * poststart hooks, which it runs as ExecStartPost= before the unit's start job ends. */

#include "container/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/one-line.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/process.h"
#include "base/socket.h"
#include "container/console.h"
#include "container/hooks.h"
#include "container/kill.h"
#include "container/service.h"
#include "protocol/message.h"
#include "protocol/state-dir.h"

#define KILL_TIMEOUT_MSEC 10000

static bool check_status(const Container *container, GError **error) {
        const char *id = container->dir->id;

        switch (container_status(container)) {
        case CONTAINER_CREATED:
                return container->facts->has_process
                               ? true
                               : fail(error, "config.json: process: missing, there is nothing to start");
        case CONTAINER_CREATING:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot start a container that is still being created: '%s'", id);
        case CONTAINER_STOPPED:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                                 "cannot start a container that has stopped: '%s'", id);
        case CONTAINER_PAUSED:
                return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "cannot start a paused container: '%s'",
                                 id);
        case CONTAINER_RUNNING:
                break;
        }
        return fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "cannot start an already running container: '%s'",
                         id);
}

static bool has_poststart_hooks(const Container *container) {
        return faccessat(container->dir->fd, STATE_HOOKS, F_OK, 0) == 0;
}

/* @listener_fd: closed once it is sent, since a seccomp agent may wait for the end of the connection */
static bool request_start(int control_fd, MessageType type, StartWay way, int *listener_fd, GError **error) {
        g_autofree Message *message = g_new0(Message, 1);
        int r;

        message->type = type;
        message->pid = (int32_t) way;
        r = socket_send(control_fd, message, sizeof(*message), listener_fd, *listener_fd >= 0);
        close_clear(listener_fd);
        if (r >= 0)
                r = message_receive(control_fd, message, NULL, NULL);
        if (r == 0)
                return fail(error, "the supervisor is gone");
        if (r < 0)
                return fail_errno(error, r, "cannot talk to the supervisor");
        if (message->type == CONTROL_STARTED)
                return true;
        if (message->type != CONTROL_FAILED)
                return fail(error, "unexpected message %u from the supervisor", message->type);
        return message->failure.code == FAILURE_STATE
                       ? fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "%s", message->failure.text)
                       : fail(error, "%s", message->failure.text);
}

/* The failed hook's own words, if it is the reason; systemd only knows that a control process failed. */
static bool hook_failed(const Container *container, GError **error) {
        g_autoptr(GError) job_error = NULL;
        autofree char *text = NULL;
        g_autofree char *line = NULL;

        if (file_read(container->dir->fd, STATE_HOOK_FAILURE, FAILURE_TEXT_SIZE, &text, NULL) < 0)
                return false;
        job_error = g_steal_pointer(error);
        line = one_line(g_strchomp(text), FAILURE_TEXT_SIZE);
        return fail(error, "%s\n         see: journalctl -u %s", line, container->facts->unit);
}

static bool wait_for_hooks(const Container *container, UnitJob *job, GError **error) {
        if (unit_job_finish(job, error))
                return true;
        hook_failed(container, error);
        return false;
}

/* Without a unit systemd does not run them. */
static bool run_hooks(const Container *container, GError **error) {
        g_autoptr(OciConfig) config = container_load_config(container, error);
        HookSubject subject = {
                .config = config,
                .dir = container->dir,
                .bundle = container->facts->bundle,
                .pid = container->facts->pid,
        };
        autoclose int pidfd = -EBADF;

        if (config && hooks_run(&subject, OCI_HOOK_POSTSTART, "running", error))
                return true;
        pidfd = process_open(container->facts->pid, container->facts->start_ticks);
        container_kill(container, SIGKILL, /* all= */ true, NULL);
        if (pidfd >= 0 && process_wait_exit(pidfd, KILL_TIMEOUT_MSEC) < 0)
                warn("the container does not end, not even after SIGKILL");
        return false;
}

static bool start(Container *container, MessageType type, UnitBus *bus, UnitJob *job, bool settle,
                  GError **error) {
        bool hooks = has_poststart_hooks(container);
        g_autoptr(UnitBus) own_bus = NULL;
        g_autoptr(UnitJob) own_job = NULL;
        autoclose int control_fd = -EBADF, listener_fd = -EBADF;

        if (hooks && !job && !container->facts->no_unit) {
                if (!bus)
                        bus = own_bus = unit_bus_connect(container->facts->user_manager ? UNIT_MANAGER_USER
                                                                                        : UNIT_MANAGER_SYSTEM,
                                                         error);
                /* Watched before the request, or the end of the job could be missed. */
                if (bus)
                        job = own_job = unit_job_watch(bus, container->facts->unit, error);
                if (!job)
                        return false;
        }
        g_debug("starting container '%s'%s", container->dir->id, hooks ? " with poststart hooks" : "");
        control_fd = socket_connect(container->dir->fd, STATE_SOCKET_CONTROL);
        /* A restored program may have ended by now. */
        if (type == CONTROL_RESTORED && (control_fd == -ENOENT || control_fd == -ECONNREFUSED))
                return true;
        if (control_fd < 0)
                return fail_errno(error, control_fd, "cannot reach the supervisor of container '%s'",
                                  container->dir->id);
        if (type == CONTROL_START &&
            !listener_connect(container->facts->seccomp_listener, &listener_fd, error))
                return false;
        /* The connection stays open until the hooks are done: the supervisor keeps the unit alive for them.
         */
        if (!request_start(control_fd, type, settle && !hooks ? START_SETTLED : START_QUICK, &listener_fd,
                           error))
                return false;
        if (!hooks)
                return true;
        return container->facts->no_unit ? run_hooks(container, error)
                                         : wait_for_hooks(container, job, error);
}

bool container_start(Container *container, UnitBus *bus, UnitJob *job, bool settle, GError **error) {
        if (container_service_check(container, "start", error) && check_status(container, error) &&
            start(container, CONTROL_START, bus, job, settle, error))
                return true;
        return fail_prefix(error, "cannot start container '%s'", container->dir->id);
}

bool container_start_restored(Container *container, UnitBus *bus, UnitJob *job, bool settle, GError **error) {
        return start(container, CONTROL_RESTORED, bus, job, settle, error) ||
               fail_prefix(error, "cannot restore container '%s'", container->dir->id);
}
