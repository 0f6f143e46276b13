/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/service.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/process.h"
#include "base/socket.h"
#include "config.h"
#include "container/console.h"
#include "container/kill.h"
#include "container/removal.h"
#include "protocol/message.h"
#include "protocol/state-dir.h"
#include "protocol/status.h"

#define END_MSEC 2000

/* What the gate's other end says until the program runs; a supervisor does the same with its events. */
static bool await_program(int gate_fd, GError **error) {
        bool executing = false;

        for (;;) {
                Message message;
                int r = message_receive(gate_fd, &message, NULL, NULL);

                if (r > 0 && message.type == GATE_EXEC && !executing)
                        executing = true;
                else if (r > 0 && message.type == GATE_FAILED)
                        return fail(error, "%s", message.failure.text);
                else if ((r == 0 || r == -ECONNRESET) && executing)
                        return true;
                else if (r == 0 || r == -ECONNRESET)
                        return fail(error, "the container ended before its program was executed");
                else if (r != -EINTR)
                        return fail_errno(error, r < 0 ? r : -EBADMSG, "cannot hear the container's init");
        }
}

static bool open_gate(const Container *container, GError **error) {
        Message message = {.type = GATE_GO};
        autoclose int gate_fd = socket_connect(container->dir->fd, STATE_SOCKET_GATE);
        autoclose int listener_fd = -EBADF;
        int r;

        if (gate_fd < 0)
                return fail_errno(error, gate_fd, "cannot reach the container's init");
        if (!listener_connect(container->facts->seccomp_listener, &listener_fd, error))
                return false;
        r = socket_send(gate_fd, &message, sizeof(message), &listener_fd, listener_fd >= 0);
        close_clear(&listener_fd);
        return r < 0 ? fail_errno(error, r, "cannot talk to the container's init")
                     : await_program(gate_fd, error);
}

/* Comes back when the relay's socket is there: the relay forks then, and goes on as a child of the manager.
 */
static bool start_relay(const Container *container, GError **error) {
        g_autofree char *pid = g_strdup_printf("%d", (int) container->facts->pid);
        /* It speaks as the container's init, never for itself. */
        g_auto(GStrv) env = g_environ_unsetenv(g_get_environ(), "NOTIFY_SOCKET");
        const char *const args[] = {UNITRUN_LIBEXECDIR "/unitrun-supervisor", container->dir->path, "notify",
                                    pid, NULL};
        int status = 0;

        if (!g_spawn_sync(/* working_directory= */ "/", (char **) args, env, G_SPAWN_CHILD_INHERITS_STDIN,
                          NULL, NULL, NULL, NULL, &status, error))
                return false;
        return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
               fail(error, "the relay for notifications could not start, see: journalctl -u %s",
                    container->facts->unit);
}

static bool write_status(const Container *container, StatusWord word, GError **error) {
        int r = status_write(container->dir->fd, word, 0);

        return r >= 0 || fail_errno(error, r, "cannot write the container's status");
}

static bool start(const Container *container, bool notify, GError **error) {
        autoclose int waiters = -EBADF;
        char name[PROCESS_NAME_SIZE];
        pid_t init = container->facts->pid;

        /* Who connects to it hears the end of the connection when the status is written. */
        waiters = socket_listen(container->dir->fd, STATE_SOCKET_CONTROL);
        if (waiters < 0)
                return fail_errno(error, waiters, "cannot listen in '%s'", container->dir->path);
        if (!write_status(container, STATUS_WORD_CREATED, error) ||
            (notify && !start_relay(container, error)) ||
            !service_unit_announce(init, /* ready= */ !notify, error))
                return false;
        /* Not later: the program may have said more by then. */
        if (notify)
                service_unit_describe(init, "Waiting until the program says that it is ready");
        if (!open_gate(container, error)) {
                write_status(container, STATUS_WORD_FAILED, NULL);
                return false;
        }
        if (!notify && process_get_name(init, name) >= 0)
                service_unit_describe(init, "Running %s as PID %d", name, (int) init);
        return write_status(container, STATUS_WORD_RUNNING, error);
}

bool container_serve(const CreateOptions *options, GError **error) {
        g_autoptr(Created) created = NULL;
        g_autoptr(GError) clean_error = NULL;
        autoclose int pidfd = -EBADF;

        /* What an earlier start has left whose ExecStopPost= was not run. */
        if (!container_delete_service(options->root, options->id, options->service, error))
                return false;
        created = container_create(options, error);
        if (!created)
                return false;
        if (start(created->container, options->notify, error))
                return true;
        fail_prefix(error, "cannot start container '%s'", options->id);
        /* Init ends by itself, with a status that says more than being killed. */
        if ((pidfd = process_open(created->container->facts->pid, created->container->facts->start_ticks)) >=
            0)
                process_wait_exit(pidfd, END_MSEC);
        if (!container_delete_service(options->root, options->id, options->service, &clean_error))
                warn("%s, ignoring", clean_error->message);
        return false;
}

bool container_service_check(const Container *container, const char *verb, GError **error) {
        const Facts *facts = container->facts;

        return !facts || !facts->service ||
               fail_code(error, UNITRUN_ERROR_WRONG_STATUS,
                         "container '%s' is the service '%s', which systemd starts and stops: systemctl %s%s "
                         "%s",
                         container->dir->id, facts->unit, facts->user_manager ? "--user " : "", verb,
                         facts->unit);
}
