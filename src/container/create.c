/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* create: prepare (read, check, make the state directory), ask systemd for the unit, build the container
 * meanwhile, commit. What is half done is undone by creation_free(); the commit disarms it as the last act.
 */

#include "container/create.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "base-glib/absolute-path.h"
#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/process.h"
#include "base/socket.h"
#include "base/syscalls.h"
#include "cgroup/group.h"
#include "config.h"
#include "container/activation.h"
#include "container/build.h"
#include "container/capability-name.h"
#include "container/cgroup-path.h"
#include "container/console.h"
#include "container/creation.h"
#include "container/credentials.h"
#include "container/exit-info.h"
#include "container/hooks.h"
#include "container/host-mounts.h"
#include "container/interrupt.h"
#include "container/notify-socket.h"
#include "container/pid-file.h"
#include "container/plan-parts.h"
#include "container/removal.h"
#include "container/restore.h"
#include "container/spawn.h"
#include "container/unit-properties.h"
#include "protocol/state-dir.h"

#define PIDFD_RECEIVER_ANNOTATION "run.oci.pidfd_receiver"

void created_free(Created *created) {
        if (!created)
                return;
        terminal_free(created->terminal);
        unit_removal_free(created->removal);
        unit_job_free(created->job);
        unit_bus_free(created->bus);
        container_free(created->container);
        g_free(created);
}

static bool load_bundle(Creation *creation, char **ret_text, GError **error) {
        const char *given = creation->options->bundle ? creation->options->bundle : ".";
        autoclose int fd = -EBADF;

        creation->bundle = absolute_path(given, "the bundle", error);
        if (!creation->bundle)
                return false;
        fd = open(creation->bundle, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return fail_errno(error, errno, "cannot open the bundle '%s'", creation->bundle);
        if (creation->options->config_text) {
                *ret_text = g_strdup(creation->options->config_text);
                creation->config = oci_config_parse(*ret_text, strlen(*ret_text), "config.json", error);
        } else {
                creation->config =
                        oci_config_load(creation->options->config ? AT_FDCWD : fd,
                                        creation->options->config ? creation->options->config : "config.json",
                                        ret_text, error);
        }
        if (!creation->config ||
            !hooks_add_poststart(creation->config, creation->options->poststart_hooks, error))
                return fail_prefix(error, "bundle '%s'", creation->bundle);
        if (!creation->config->root_path)
                return fail(error, "config.json: root: missing, a container needs a root filesystem");
        creation->rootfs = g_canonicalize_filename(creation->config->root_path, creation->bundle);
        return true;
}

/* What only makes sense together: options of the command line against the config. */
static bool check_options(const Creation *creation, GError **error) {
        const OciProcess *process = creation->config->process;
        bool terminal = process && process->terminal;

        if (terminal && !creation->options->console_socket && !creation->options->foreground)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "config.json: process.terminal is true: --console-socket has to say where "
                                 "the terminal goes ('run' without --detach needs none)");
        if (terminal && creation->options->journal)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--stdio=journal is given, but config.json: process.terminal is true");
        if (!terminal && creation->options->console_socket)
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "--console-socket is given, but config.json: process.terminal is not true");
        return true;
}

static bool write_config(const Creation *creation, const char *text, GError **error) {
        int r = file_replace(creation->dir->fd, STATE_CONFIG, text, strlen(text), 0600);

        return r < 0 ? fail_errno(error, r, "cannot write '%s/%s'", creation->dir->path, STATE_CONFIG) : true;
}

static bool write_intent(const Creation *creation, GError **error) {
        Facts intent = {
                .unit = home_has_unit(creation->home) ? creation->unit : NULL,
                .no_unit = !home_has_unit(creation->home),
                .service = creation->home == HOME_SERVICE,
                .cgroup = creation->options->service ? creation->options->service->cgroup : creation->group,
                .user_manager = container_manager() == UNIT_MANAGER_USER,
                .mounts = creation->mounts,
                .resctrl = creation->resctrl,
        };

        return facts_write(&intent, creation->dir->fd, STATE_INTENT, error);
}

static bool make_state_dir(Creation *creation, GError **error) {
        bool leftover = false;

        creation->dir = state_dir_create(creation->options->root, creation->options->id, &leftover, error);
        if (!creation->dir)
                return false;
        if (leftover && !removal_clear_leftovers(creation->dir, error))
                return false;
        return creation->home == HOME_UNIT || !creation->group || home_check_group(creation->group, error);
}

/* A plain user has no manager in a cron job or under sudo -u, and nobody has one where systemd does not run,
 * as in most containers. Who asks for systemd, or names a place there, gets an error. */
static bool may_do_without_unit(const Creation *creation) {
        const char *path = creation->config->linux.cgroups_path;

        return (container_manager() == UNIT_MANAGER_USER || sd_booted() <= 0) &&
               creation->options->cgroup_manager == HOME_MANAGER_BY_PATH && (!path || !*path);
}

/* As early as it is known that it takes one, so that systemd answers while we go on: the first word of the
 * authentication is sent here. */
static bool connect_bus(Creation *creation, GError **error) {
        g_autoptr(GError) local = NULL;

        if (creation->home != HOME_UNIT)
                return true;
        creation->bus = unit_bus_connect(container_manager(), &local);
        if (creation->bus && unit_bus_process(creation->bus, &local))
                return true;
        if (!may_do_without_unit(creation)) {
                g_propagate_error(error, g_steal_pointer(&local));
                return false;
        }
        warn("%s; the container gets no unit, and stays in the caller's cgroup", local->message);
        g_clear_pointer(&creation->bus, unit_bus_free);
        creation->home = HOME_NOWHERE;
        return true;
}

/* Limits need a group. Which devices may be used can't be said without one either; that is told in unitrun(1)
 * and no error, since every engine sends a list of devices. */
static bool plan_home(const Creation *creation, GError **error) {
        const GPtrArray *limits = creation->resources->limits;

        for (guint i = 0; creation->home == HOME_NOWHERE && i < limits->len; i++) {
                const ResourceLimit *limit = g_ptr_array_index(limits, i);

                if (!limit->unlimited)
                        return fail(error, "%s: there is no control group to set it for%s", limit->json_path,
                                    creation->options->cgroup_manager == HOME_MANAGER_DISABLED
                                            ? " (--cgroup-manager=disabled)"
                                            : ", since the container has no unit");
        }
        return true;
}

static bool decide_home(Creation *creation, GError **error) {
        const char *path = creation->config->linux.cgroups_path;
        const char *id = creation->options->id;

        if (creation->options->service) {
                creation->home = HOME_SERVICE;
                creation->unit = g_strdup(creation->options->service->name);
                return true;
        }
        if (!home_decide(creation->options->cgroup_manager, path, id, &creation->home, &creation->group,
                         error))
                return fail_prefix(error, "config.json");
        if (creation->home == HOME_UNIT)
                return unit_names_plan(path, id, &creation->unit, &creation->slice, error);
        creation->unit = g_strdup(creation->group ? creation->group : id);
        return true;
}

static char *state_path(const Creation *creation) {
        return g_build_filename(creation->options->root, creation->options->id, NULL);
}

/* systemd would start the unit and fail, with its own words and much later for a hook. */
static bool check_programs(GError **error) {
        static const char *const programs[] = {UNITRUN_LIBEXECDIR "/unitrun-supervisor",
                                               UNITRUN_LIBEXECDIR "/unitrun-hook",
                                               UNITRUN_LIBEXECDIR "/unitrun-init"};

        for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
                if (access(programs[i], X_OK) < 0)
                        return fail_errno(error, errno, "cannot execute '%s', a part of unitrun",
                                          programs[i]);
        return true;
}

/* Everything about the unit that can be wrong is found before anything is made. */
static bool plan_unit(Creation *creation, GError **error) {
        g_autofree char *state_dir = state_path(creation);
        UnitPlan plan = {
                .id = creation->options->id,
                .slice = creation->slice,
                .manager = container_manager(),
                .supervisor_path = UNITRUN_LIBEXECDIR "/unitrun-supervisor",
                .hook_path = UNITRUN_LIBEXECDIR "/unitrun-hook",
                .state_dir = state_dir,
        };

        creation->resources =
                resources_plan(creation->config->linux.resources,
                               creation->home == HOME_UNIT ? RESOURCES_CREATE : RESOURCES_CREATE_GROUP,
                               container_manager() == UNIT_MANAGER_SYSTEM, error);
        if (creation->resources && creation->home != HOME_UNIT)
                return plan_home(creation, error) ? true : fail_prefix(error, "config.json");
        creation->properties = creation->resources ? unit_properties_plan(creation->config, &plan,
                                                                          creation->resources, error)
                                                   : NULL;
        return creation->properties ? true : fail_prefix(error, "config.json");
}

static bool plan_init(Creation *creation, GError **error) {
        const CreateOptions *options = creation->options;
        const OciProcess *process = creation->config->process;
        Activation activation;
        g_autoptr(GArray) preserved = NULL;
        g_autofree char *state_dir = state_path(creation), *notify_directory = NULL, *credentials = NULL;

        /* A service's NOTIFY_SOCKET is ours until the program is to speak for itself. */
        if (!options->service || options->notify)
                creation->notify_socket = notify_socket_wanted(creation->config);
        if (options->service && credentials_path())
                credentials = credentials_directory(state_dir);
        if (creation->notify_socket)
                notify_directory = notify_socket_directory(state_dir);
        if (!activation_read(process ? process->env : NULL, &activation, error))
                return false;
        preserved = activation_find_fds(&activation, options->inherited_fds, options->n_inherited_fds,
                                        options->preserve_fds, error);
        if (!preserved)
                return false;
        const PlanContext context = {
                .id = creation->options->id,
                .bundle = creation->bundle,
                .preserve_fds = (const int *) preserved->data,
                .n_preserve_fds = preserved->len,
                .listen_fds = activation.told ? 0 : activation.n_fds,
                .listen_names = activation.names,
                .notify_directory = notify_directory,
                .watchdog_usec = options->notify ? g_getenv("WATCHDOG_USEC") : NULL,
                .credentials_directory = credentials,
                .credentials_path = credentials_path(),
                .console = creation->options->console_socket || creation->options->foreground,
                .lacking_capabilities = capability_lacking(),
                .selinux = access(SELINUX_MOUNT "/enforce", F_OK) == 0,
                .no_pivot = creation->options->no_pivot,
                .no_new_keyring = creation->options->no_new_keyring,
                .rootless = container_manager() == UNIT_MANAGER_USER,
        };

        creation->plan = plan_build(creation->config, &context, error);
        if (!creation->plan)
                return fail_prefix(error, "config.json");
        for (guint i = 0; i < creation->plan->warnings->len; i++)
                warn("%s", (const char *) g_ptr_array_index(creation->plan->warnings, i));
        return true;
}

/* A caller that waits is in the unit that its NOTIFY_SOCKET is for. */
static bool prepare_notify(const Creation *creation, GError **error) {
        return !creation->notify_socket ||
               notify_socket_prepare(creation->dir, creation->notify_socket,
                                     creation->options->foreground ? getpid() : 0, error);
}

static bool prepare_credentials(const Creation *creation, GError **error) {
        return !creation->options->service || !credentials_path() ||
               credentials_copy(creation->dir, creation->config, error);
}

static bool make_resctrl_group(Creation *creation, GError **error) {
        return resctrl_make(creation->config->linux.intel_rdt, creation->options->id, &creation->resctrl,
                            error) ||
               fail_prefix(error, "config.json");
}

static bool prepare(Creation *creation, GError **error) {
        g_autofree char *text = NULL;

        if (!container_id_check(creation->options->id, error) || !check_programs(error) ||
            (creation->options->restore && !criu_options_check(creation->options->restore, error)) ||
            !load_bundle(creation, &text, error) || !check_options(creation, error) ||
            !decide_home(creation, error) || !connect_bus(creation, error) || !plan_unit(creation, error) ||
            !plan_init(creation, error))
                return false;
        return make_state_dir(creation, error) &&
               host_mounts_plan(creation->config, creation->rootfs, &creation->mounts, error) &&
               write_config(creation, text, error) && prepare_notify(creation, error) &&
               prepare_credentials(creation, error) && make_resctrl_group(creation, error) &&
               write_intent(creation, error) &&
               (!creation->options->restore || restore_prepare(creation, error));
}

static bool make_sockets(Creation *creation, int *ret_child_setup, int *ret_child_reaper, GError **error) {
        int pair[2];

        int handover = 0;

        if (creation->home != HOME_SERVICE)
                handover = creation->handover_listener =
                        socket_listen(creation->dir->fd, STATE_SOCKET_HANDOVER);
        creation->gate = socket_listen(creation->dir->fd, STATE_SOCKET_GATE);
        if (handover < 0 || creation->gate < 0)
                return fail_errno(error, MIN(handover, creation->gate),
                                  "cannot listen in the state directory '%s'", creation->dir->path);
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return fail_errno(error, errno, "cannot make a socket pair");
        creation->setup = pair[0];
        *ret_child_setup = pair[1];
        if (creation->home == HOME_SERVICE || exit_info_supported())
                return true;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return fail_errno(error, errno, "cannot make a socket pair");
        creation->reaper = pair[0];
        *ret_child_reaper = pair[1];
        return true;
}

static bool start_supervisor(Creation *creation, GError **error) {
        creation->group_begun = true;
        if (!home_start_supervisor(creation->group, creation->dir->path, &creation->supervisor, error))
                return false;
        creation->supervisor_pidfd = sys_pidfd_open(creation->supervisor, 0);
        return creation->supervisor_pidfd >= 0 || fail_errno(error, errno, "cannot watch the supervisor");
}

/* Asks systemd and does not wait: creation_build() hears the answer. Without a unit nobody has to be asked.
 */
static bool ask_for_unit(Creation *creation, GError **error) {
        if (creation->home == HOME_SERVICE) {
                creation->cgroup = g_strdup(creation->options->service->cgroup);
                return service_unit_enter(creation->options->service, error);
        }
        if (creation->home != HOME_UNIT)
                return start_supervisor(creation, error);
        g_debug("asking systemd for unit '%s' of container '%s'", creation->unit, creation->options->id);
        creation->job = unit_start_begin(creation->bus, creation->unit, creation->properties, error);
        if (!creation->job || !creation->options->foreground)
                return creation->job != NULL;
        /* Now, while systemd is busy with the start, and anew: a unit that was in the way was removed as
         * well. */
        g_clear_pointer(&creation->removal, unit_removal_free);
        creation->removal = unit_removal_watch(creation->bus, creation->unit, error);
        return creation->removal != NULL;
}

bool creation_watch_job(Creation *creation, GError **error) {
        g_autoptr(GError) job_error = NULL;
        g_autofree char *hint = NULL;

        if (!unit_bus_process(creation->bus, error))
                return false;
        if (unit_job_check(creation->job, &job_error))
                return true;
        /* The unit never was ours: nothing of it may be undone. */
        if (g_error_matches(job_error, UNITRUN_ERROR, UNITRUN_ERROR_EXISTS)) {
                g_clear_pointer(&creation->job, unit_job_free);
                if (!creation->reclaimed) {
                        creation->reclaimed = true;
                        return removal_reclaim_unit(creation->bus, creation->unit, creation->dir->path,
                                                    error) &&
                               ask_for_unit(creation, error);
                }
        }
        hint = creation_memory_hint(creation);
        return fail_code(error, (UnitrunError) job_error->code, "%s%s", job_error->message, hint);
}

static bool open_output(Creation *creation, GError **error) {
        const char *identifier = creation->options->id;
        GVariant *value =
                creation->properties ? property_set_find(creation->properties, "SyslogIdentifier") : NULL;

        if (!creation->options->journal)
                return true;
        if (value)
                identifier = g_variant_get_string(value, NULL);
        if (!output_open(&creation->output, identifier, creation->home == HOME_UNIT ? creation->unit : NULL,
                         error))
                return false;
        memcpy(creation->plan->init->stdio_fds, creation->output.program, sizeof(creation->output.program));
        return true;
}

/* While they are open here: `checkpoint` has to know what was not the program's own. */
static void note_stdio(Creation *creation) {
        const InitPlan *init = creation->plan->init;

        for (size_t i = 0; !init->terminal && i < G_N_ELEMENTS(creation->stdio); i++) {
                g_autofree char *path = g_strdup_printf(
                        "/proc/self/fd/%d", init->stdio_fds[i] >= 0 ? init->stdio_fds[i] : (int) i);

                creation->stdio[i] = g_file_read_link(path, NULL);
        }
}

/* The socket over which init sends its terminal: the engine's or our own. */
static bool open_console(Creation *creation, GError **error) {
        InitPlan *init = creation->plan->init;

        if (!init->terminal || creation->options->console_socket)
                return console_connect(creation->options->console_socket, &creation->console, error);
        terminal_plan(init);
        creation->terminal = terminal_new(&creation->console, error);
        return creation->terminal != NULL;
}

static bool spawn(Creation *creation, int child_setup, int child_reaper, GError **error) {
        InitPlan *init = creation->plan->init;

        init->setup_fd = child_setup;
        init->gate_fd = creation->gate;
        init->console_fd = creation->console;
        init->reaper_fd = child_reaper;
        init->orphan = creation->home == HOME_SERVICE;
        note_stdio(creation);
        if (!init_spawn(creation->plan, &creation->stage, error))
                return false;
        output_close_program(&creation->output);
        /* The supervisor knocks there, and criu's terminal is sent by us. */
        if (creation->options->restore) {
                close_clear(&creation->criu_child);
                return true;
        }
        /* Init's alone from now on: the gate must refuse connections once init is gone. */
        close_clear(&creation->gate);
        close_clear(&creation->console);
        return true;
}

static bool find_payload(Facts *facts, GError **error) {
        g_autofree char *payload = cgroup_path_payload(facts->cgroup);
        autoclose int fd = -EBADF;
        int r;

        if (!payload)
                return true;
        fd = cgroup_open(payload);
        r = fd < 0 ? fd : cgroup_get_id(fd, &facts->payload_id);
        return r >= 0 || fail_errno(error, r, "cannot look at the cgroup '%s'", payload);
}

static bool commit(Creation *creation, Facts **ret_facts, GError **error) {
        g_autoptr(Facts) facts = g_new0(Facts, 1);
        int r;

        facts->unit = home_has_unit(creation->home) ? g_strdup(creation->unit) : NULL;
        facts->no_unit = !home_has_unit(creation->home);
        facts->service = creation->home == HOME_SERVICE;
        facts->user_manager = container_manager() == UNIT_MANAGER_USER;
        facts->bundle = g_strdup(creation->bundle);
        facts->rootfs = g_strdup(creation->rootfs);
        facts->mounts = host_mounts_copy(&creation->mounts);
        facts->resctrl = (ResctrlGroup){.path = g_strdup(creation->resctrl.path),
                                        .made = creation->resctrl.made,
                                        .monitor = g_strdup(creation->resctrl.monitor)};
        facts->cgroup = creation->home == HOME_NOWHERE ? NULL : g_strdup(creation->cgroup);
        facts->pid = creation->init;
        facts->created_usec = g_get_real_time();
        facts->owner = geteuid();
        const OciNamespace *pid_namespace = oci_config_namespace(creation->config, CLONE_NEWPID);
        facts->own_pid_namespace = pid_namespace && !pid_namespace->path;
        facts->no_poststop_hooks = creation->config->hooks[OCI_HOOK_POSTSTOP].n == 0;
        facts->has_process = creation->config->process != NULL;
        if (creation->plan->init->seccomp_notify)
                facts->seccomp_listener = g_strdup(plan_seccomp_listener(creation->config));
        facts->no_new_keyring = creation->options->no_new_keyring;
        for (size_t i = 0; i < G_N_ELEMENTS(facts->stdio); i++)
                facts->stdio[i] = g_steal_pointer(&creation->stdio[i]);
        if (!find_payload(facts, error))
                return false;
        r = process_start_time(creation->init, &facts->start_ticks);
        if (r < 0)
                return fail_errno(error, r, "the container's init is gone");
        HookSubject subject = creation_hook_subject(creation);
        if (!hooks_write_poststart(&subject, error) ||
            !pid_file_write(creation->options->pid_file, creation->init, error) ||
            !facts_write(facts, creation->dir->fd, STATE_FACTS, error))
                return false;
        creation->committed = true;
        *ret_facts = g_steal_pointer(&facts);
        return true;
}

/* crun's annotation means the same. */
static const char *pidfd_receiver(const Creation *creation) {
        return creation->options->pidfd_socket
                       ? creation->options->pidfd_socket
                       : oci_pairs_get(&creation->config->annotations, PIDFD_RECEIVER_ANNOTATION);
}

static bool create(Creation *creation, Facts **ret_facts, GError **error) {
        autoclose int child_setup = -EBADF, child_reaper = -EBADF;

        if (!interrupt_open(&creation->signals, error) || !prepare(creation, error) ||
            !make_sockets(creation, &child_setup, &child_reaper, error) || !open_console(creation, error) ||
            !open_output(creation, error) ||
            !pidfd_socket_connect(pidfd_receiver(creation), &creation->pidfd_socket, error) ||
            !ask_for_unit(creation, error) || !spawn(creation, child_setup, child_reaper, error))
                return false;
        /* Our copies must go, or we would never see init's end of file. */
        close_clear(&child_setup);
        close_clear(&child_reaper);
        return creation_build(creation, error) &&
               (!creation->terminal || terminal_take(creation->terminal, error)) &&
               pidfd_socket_send(creation->pidfd_socket, pidfd_receiver(creation), creation->init_pidfd,
                                 error) &&
               commit(creation, ret_facts, error);
}

Created *container_create(const CreateOptions *options, GError **error) {
        g_autoptr(Creation) creation = creation_new(options);
        g_autoptr(Facts) facts = NULL;
        Created *created;

        if (!create(creation, &facts, error)) {
                fail_on_one_line(error);
                fail_prefix(error, "cannot %s container '%s'", options->restore ? "restore" : "create",
                            options->id);
                return NULL;
        }
        created = g_new0(Created, 1);
        created->container = g_new0(Container, 1);
        created->container->dir = g_steal_pointer(&creation->dir);
        /* From the commit on the container is everybody's: `run` deletes it like any other command. */
        state_dir_unlock(created->container->dir);
        created->container->facts = g_steal_pointer(&facts);
        created->restored = options->restore != NULL;
        created->bus = g_steal_pointer(&creation->bus);
        created->job = g_steal_pointer(&creation->job);
        created->removal = g_steal_pointer(&creation->removal);
        created->terminal = g_steal_pointer(&creation->terminal);
        return created;
}
