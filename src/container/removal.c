/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* delete, and the clearing of what others left. The unit is touched only if it runs a supervisor of the very
 * state directory: the name may be somebody else's by now. */

#include "container/removal.h"

#include <errno.h>
#include <signal.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/process.h"
#include "container/container.h"
#include "container/home.h"
#include "container/hooks.h"
#include "container/host-mounts.h"
#include "container/kill.h"
#include "container/service.h"
#include "protocol/state-dir.h"
#include "unit/unit.h"

#define KILL_TIMEOUT_MSEC       10000 /* a process in uninterruptible sleep does not even react to SIGKILL */
#define EXPECTED_END_USEC       (G_USEC_PER_SEC / 4)
#define REFERENCE_PATIENCE_USEC (2 * G_USEC_PER_SEC)

/* Stops @unit, resets it and waits until its name is free. A client of systemd that holds a reference keeps
 * the name busy: that is told as a warning, and is no failure. */
static bool forget_unit(UnitBus *bus, const char *unit, bool kill, GError **error) {
        UnitForgotten forgotten;

        if (!unit_stop_and_forget(bus, unit, kill, REFERENCE_PATIENCE_USEC, &forgotten, error))
                return false;
        if (forgotten == UNIT_REFERENCED)
                warn("unit '%s' is stopped, but a client of systemd still holds a reference on it: its name "
                     "is free once that "
                     "lets it go",
                     unit);
        return true;
}

/* Whether @unit is there, and whether it runs the supervisor of the container in @state_path. */
static bool unit_is_of(UnitBus *bus, const char *unit, const char *state_path, bool *ret_loaded,
                       bool *ret_ours, GError **error) {
        g_auto(GStrv) argv = NULL;
        g_autoptr(GError) local_error = NULL;

        *ret_loaded = unit_get_exec_start(bus, unit, &argv, &local_error);
        *ret_ours = *ret_loaded && argv[0] && argv[1] && g_str_has_suffix(argv[0], "/unitrun-supervisor") &&
                    g_str_equal(argv[1], state_path);
        if (*ret_loaded || g_error_matches(local_error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND))
                return true;
        g_propagate_error(error, g_steal_pointer(&local_error));
        return false;
}

bool removal_forget_unit(UnitBus *bus, const char *unit, const char *state_path, bool kill, GError **error) {
        bool loaded, ours;

        if (!unit_is_of(bus, unit, state_path, &loaded, &ours, error))
                return false;
        return !ours || forget_unit(bus, unit, kill, error);
}

/* Somebody else's unit: say whose and how to get it out of the way. */
static bool unit_taken(UnitBus *bus, const char *unit, GError **error) {
        g_autoptr(UnitInfo) info = unit_info_get(bus, unit, error);
        bool failed;

        if (!info)
                return false;
        failed = g_str_equal(info->active_state, "failed");
        return fail_code(
                error, UNITRUN_ERROR_EXISTS,
                "unit '%s' already exists: it is %s (\"%s\"), and not this container's%s; %s %s", unit,
                info->active_state, info->description, failed ? "" : " (the container's cgroup is not empty)",
                failed ? "its name is free after: systemctl reset-failed" : "see: systemctl status", unit);
}

bool removal_reclaim_unit(UnitBus *bus, const char *unit, const char *state_path, GError **error) {
        bool loaded, ours;

        if (!unit_is_of(bus, unit, state_path, &loaded, &ours, error))
                return false;
        if (!loaded)
                return true; /* it went away meanwhile */
        return ours ? forget_unit(bus, unit, /* kill= */ true, error) : unit_taken(bus, unit, error);
}

/* The unit of a container, or what it has instead. */
static bool leave_home(const Facts *facts, const char *state_path, bool kill, UnitBus *bus, GError **error) {
        UnitManager manager = facts->user_manager ? UNIT_MANAGER_USER : UNIT_MANAGER_SYSTEM;
        g_autoptr(UnitBus) own_bus = NULL;

        if (facts->service)
                return home_clear_service(facts->cgroup, error);
        if (facts->no_unit)
                return !facts->cgroup || home_clear_group(facts->cgroup, facts->payload_id, error);
        if (!bus)
                bus = own_bus = unit_bus_connect(manager, error);
        return bus && removal_forget_unit(bus, facts->unit, state_path, kill, error);
}

bool removal_clear_leftovers(StateDir *dir, GError **error) {
        g_autoptr(GError) no_intent = NULL;
        g_autoptr(Facts) intent = facts_load(dir->fd, STATE_INTENT, &no_intent);

        /* Without an intent systemd was not asked yet. */
        if (intent &&
            (!leave_home(intent, dir->path, /* kill= */ true, /* bus= */ NULL, error) ||
             !resctrl_remove(&intent->resctrl, error) || !host_mounts_remove(&intent->mounts, error)))
                return fail_prefix(error, "cannot clear what is left of container '%s'", dir->id);
        return state_dir_clear(dir, error);
}

static bool kill_and_wait(const Container *container, GError **error) {
        autoclose int pidfd = process_open(container->facts->pid, container->facts->start_ticks);

        if (!container_kill(container, SIGKILL, /* all= */ true, error))
                return false;
        if (pidfd < 0)
                return true;
        /* Where the payload group is gone or unreadable, at least init. */
        process_signal(pidfd, SIGKILL);
        if (process_wait_exit(pidfd, KILL_TIMEOUT_MSEC) == -ETIMEDOUT)
                return fail(error, "process %d does not end, not even after SIGKILL",
                            (int) container->facts->pid);
        return true;
}

static void run_poststop(const Container *container) {
        g_autoptr(GError) error = NULL;
        g_autoptr(OciConfig) config = container_load_config(container, &error);

        if (config)
                hooks_run_poststop(&(HookSubject){
                        .config = config,
                        .dir = container->dir,
                        .bundle = container->facts->bundle,
                });
        else
                warn("cannot run the poststop hooks: %s, ignoring", error->message);
}

/* What comes when its processes are gone. */
static bool finish(Container *container, GError **error) {
        if (!resctrl_remove(&container->facts->resctrl, error) ||
            !host_mounts_remove(&container->facts->mounts, error))
                return fail_prefix(error, "cannot delete container '%s'", container->dir->id);
        if (!container->facts->no_poststop_hooks)
                run_poststop(container);
        return state_dir_remove(container->dir, error);
}

/* Engines delete as soon as they have sent SIGKILL. */
static void await_end_on_its_way(const Container *container) {
        autoclose int pidfd = process_open(container->facts->pid, container->facts->start_ticks);

        if (pidfd >= 0 && process_is_ending(container->facts->pid))
                process_wait_exit(pidfd, KILL_TIMEOUT_MSEC);
}

static bool delete_container(Container *container, bool force, UnitBus *bus, GError **error) {
        const char *id = container->dir->id;
        ContainerStatus status;

        if (!force)
                await_end_on_its_way(container);
        status = container_status(container);
        if (!force && (status == CONTAINER_RUNNING || status == CONTAINER_PAUSED))
                return fail_code(
                        error, UNITRUN_ERROR_WRONG_STATUS,
                        "cannot delete container '%s' that is not stopped: %s (use --force to kill it)", id,
                        container_status_name(status));
        if (!kill_and_wait(container, error))
                return fail_prefix(error, "cannot delete container '%s'", id);
        /* A container that has ended by itself gets to end its unit by itself, with its own result. */
        if (!leave_home(container->facts, container->dir->path, /* kill= */ status != CONTAINER_STOPPED, bus,
                        error))
                return fail_prefix(error, "cannot delete container '%s'", id);
        return finish(container, error);
}

bool container_delete_ended(Container *container, UnitBus *bus, UnitRemoval *removal, GError **error) {
        bool removed = false;

        if (!state_dir_lock_again(container->dir))
                return true;
        /* Without the bus there are other ways. */
        if (removal && !unit_removal_wait(removal, EXPECTED_END_USEC, &removed, NULL))
                bus = NULL;
        return removed ? finish(container, error)
                       : delete_container(container, /* force= */ true, bus, error);
}

static bool delete_leftovers(StateDir *dir, GError **error) {
        return removal_clear_leftovers(dir, error) && state_dir_remove(dir, error);
}

/* STATE_FACTS or, of a create that was cut short, STATE_INTENT say whose it is. */
bool container_delete_service(const char *root, const char *id, const ServiceUnit *unit, GError **error) {
        g_autoptr(Container) container = g_new0(Container, 1);
        g_autoptr(Facts) intent = NULL;
        g_autoptr(GError) local_error = NULL;
        const Facts *known;

        if (!container_id_check(id, error))
                return false;
        container->dir = state_dir_open(root, id, /* lock= */ true, &local_error);
        if (!container->dir && g_error_matches(local_error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND))
                return true;
        if (!container->dir) {
                g_propagate_error(error, g_steal_pointer(&local_error));
                return false;
        }
        container->facts = facts_load(container->dir->fd, STATE_FACTS, NULL);
        if (!container->facts)
                intent = facts_load(container->dir->fd, STATE_INTENT, NULL);
        known = container->facts ? container->facts : intent;
        /* Cut short before it was written whose it is: nobody's, since nobody holds the lock. */
        if (!known)
                return delete_leftovers(container->dir, error);
        if (!known->service || !g_str_equal(known->unit, unit->name))
                return true;
        return container->facts ? delete_container(container, /* force= */ true, /* bus= */ NULL, error)
                                : delete_leftovers(container->dir, error);
}

bool container_delete(const char *root, const char *id, bool force, GError **error) {
        g_autoptr(Container) container = g_new0(Container, 1);
        g_autoptr(GError) local_error = NULL;

        if (!container_id_check(id, error))
                return false;
        container->dir = state_dir_open(root, id, /* lock= */ true, &local_error);
        if (!container->dir) {
                if (force && g_error_matches(local_error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND))
                        return true;
                g_propagate_error(error, g_steal_pointer(&local_error));
                return false;
        }
        container->facts = facts_load(container->dir->fd, STATE_FACTS, &local_error);
        if (container->facts && container_status(container) != CONTAINER_STOPPED &&
            !container_service_check(container, "stop", error))
                return false;
        if (container->facts)
                return delete_container(container, force, /* bus= */ NULL, error);
        if (g_error_matches(local_error, UNITRUN_ERROR, UNITRUN_ERROR_NOT_FOUND))
                return delete_leftovers(container->dir, error);
        g_propagate_prefixed_error(error, g_steal_pointer(&local_error),
                                   "cannot delete container '%s': ", id);
        return false;
}
