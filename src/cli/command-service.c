/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun service ID: what ExecStart= and ExecStopPost= of a unit that is a container call. */

#include <string.h>

#include "base-glib/absolute-path.h"
#include "base-glib/error.h"
#include "cli/command.h"
#include "container/freeze.h"
#include "container/removal.h"
#include "container/service.h"
#include "oci/service-config.h"

static gboolean arg_clean, arg_thaw, arg_notify, arg_read_only;
static char *arg_bundle, *arg_rootfs, *arg_user, *arg_workdir, *arg_network, *arg_hostname;
static char **arg_env, **arg_volumes, **arg_tmpfs, **arg_cap_add, **arg_cap_drop, **arg_devices,
        **arg_sysctls, **arg_uid_maps, **arg_gid_maps, **arg_poststart_hooks;

/* clang-format off */
static const GOptionEntry options[] = {
        {"bundle", 'b', 0, G_OPTION_ARG_FILENAME, &arg_bundle, "The bundle", "DIR"},
        {"rootfs", 0, 0, G_OPTION_ARG_FILENAME, &arg_rootfs, "A root filesystem instead of a bundle; the program stands behind the ID", "DIR"},
        {"notify", 0, 0, G_OPTION_ARG_NONE, &arg_notify, "The program itself notifies systemd", NULL},
        {"poststart-hook", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_poststart_hooks, "One more poststart hook", "COMMAND"},
        {"env", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_env, "Set an environment variable", "NAME=VALUE"},
        {"user", 'u', 0, G_OPTION_ARG_FILENAME, &arg_user, "The user and group, as the root filesystem knows them", "USER[:GROUP]"},
        {"workdir", 0, 0, G_OPTION_ARG_FILENAME, &arg_workdir, "The working directory", "DIR"},
        {"volume", 'v', 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_volumes, "Bind a path of the host", "SOURCE:DESTINATION[:OPTIONS]"},
        {"tmpfs", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_tmpfs, "Mount a tmpfs", "DESTINATION[:OPTIONS]"},
        {"network", 0, 0, G_OPTION_ARG_FILENAME, &arg_network, "none (the default), host, ns:PATH or container:ID", "NETWORK"},
        {"hostname", 0, 0, G_OPTION_ARG_FILENAME, &arg_hostname, "The host name (default: the ID)", "NAME"},
        {"read-only", 0, 0, G_OPTION_ARG_NONE, &arg_read_only, "Mount the root filesystem read-only", NULL},
        {"cap-add", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_cap_add, "Add a capability", "NAME"},
        {"cap-drop", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_cap_drop, "Drop a capability, or all that are there by default", "NAME|all"},
        {"device", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_devices, "Add a device", "HOST[:CONTAINER[:PERMISSIONS]]"},
        {"sysctl", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_sysctls, "Set a kernel parameter", "NAME=VALUE"},
        {"uidmap", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_uid_maps, "Map user IDs, in a user namespace", "CONTAINER:HOST:SIZE"},
        {"gidmap", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_gid_maps, "Map group IDs, in a user namespace", "CONTAINER:HOST:SIZE"},
        {"thaw", 0, 0, G_OPTION_ARG_NONE, &arg_thaw, "Before its end: let it run if it is paused, or no signal would reach it", NULL},
        {"clean", 0, 0, G_OPTION_ARG_NONE, &arg_clean, "After its end: run the poststop hooks and remove what is left", NULL},
        G_OPTION_ENTRY_NULL,
};
/* clang-format on */

/* Options that say what a bundle's config says. */
static const char *extra_to_bundle(char *const *program) {
        const struct {
                bool given;
                const char *name;
        } extras[] = {
                {arg_env != NULL,      "--env"      },
                {arg_user != NULL,     "--user"     },
                {arg_workdir != NULL,  "--workdir"  },
                {arg_volumes != NULL,  "--volume"   },
                {arg_tmpfs != NULL,    "--tmpfs"    },
                {arg_network != NULL,  "--network"  },
                {arg_hostname != NULL, "--hostname" },
                {arg_read_only,        "--read-only"},
                {arg_cap_add != NULL,  "--cap-add"  },
                {arg_cap_drop != NULL, "--cap-drop" },
                {arg_devices != NULL,  "--device"   },
                {arg_sysctls != NULL,  "--sysctl"   },
                {arg_uid_maps != NULL, "--uidmap"   },
                {arg_gid_maps != NULL, "--gidmap"   },
                {*program != NULL,     "a program"  },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(extras); i++)
                if (extras[i].given)
                        return extras[i].name;
        return NULL;
}

static bool check(char *const *program, GError **error) {
        if (!arg_bundle == !arg_rootfs)
                return fail_code(error, UNITRUN_ERROR_USAGE, "either --bundle or --rootfs is needed");
        if (arg_bundle && extra_to_bundle(program))
                return fail_code(error, UNITRUN_ERROR_USAGE,
                                 "%s belongs to --rootfs: with --bundle the config.json there says it",
                                 extra_to_bundle(program));
        return arg_bundle || *program ||
               fail_code(error, UNITRUN_ERROR_USAGE, "--rootfs requires a program behind the ID");
}

/* "container:ID" is the network namespace of a container that runs. */
static bool find_network(const char *root, char **ret_network, GError **error) {
        static const char prefix[] = "container:";
        g_autoptr(Container) container = NULL;

        if (!arg_network || !g_str_has_prefix(arg_network, prefix)) {
                *ret_network = g_strdup(arg_network);
                return true;
        }
        container = container_open(root, arg_network + strlen(prefix), error);
        if (!container)
                return fail_prefix(error, "--network");
        if (container_status(container) != CONTAINER_RUNNING)
                return fail(error, "--network: container '%s' is %s, not running", container->dir->id,
                            container_status_name(container_status(container)));
        *ret_network = g_strdup_printf("ns:/proc/%d/ns/net", (int) container->facts->pid);
        return true;
}

static char *make_config(const char *root, const char *id, const char *rootfs, char *const *program,
                         GError **error) {
        g_autofree char *network = NULL;

        if (!find_network(root, &network, error))
                return NULL;
        return service_config_make(&(ServiceConfig){.id = id,
                                                    .rootfs = rootfs,
                                                    .args = program,
                                                    .env = arg_env,
                                                    .user = arg_user,
                                                    .cwd = arg_workdir,
                                                    .volumes = arg_volumes,
                                                    .tmpfs = arg_tmpfs,
                                                    .network = network,
                                                    .hostname = arg_hostname,
                                                    .readonly = arg_read_only,
                                                    .add_capabilities = arg_cap_add,
                                                    .drop_capabilities = arg_cap_drop,
                                                    .devices = arg_devices,
                                                    .sysctls = arg_sysctls,
                                                    .uid_maps = arg_uid_maps,
                                                    .gid_maps = arg_gid_maps},
                                   error);
}

/* One that is not there, or is somebody else's, needs nothing. */
static bool thaw(const char *root, const char *id, const ServiceUnit *unit, GError **error) {
        g_autoptr(Container) container = container_open(root, id, NULL);
        const Facts *facts = container ? container->facts : NULL;

        return !facts || !facts->service || !g_str_equal(facts->unit, unit->name) ||
               container_status(container) != CONTAINER_PAUSED || container_resume(container, error);
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autofree char *root = command_root(global, error), *directory = NULL, *text = NULL;
        g_autoptr(ServiceUnit) unit = root ? service_unit_find(error) : NULL;
        const char *id = arguments[0];

        if (!unit)
                return -1;
        if (arg_thaw)
                return thaw(root, id, unit, error) ? 0 : -1;
        if (arg_clean)
                return container_delete_service(root, id, unit, error) ? 0 : -1;
        if (!check(arguments + 1, error))
                return -1;
        directory = absolute_path(arg_bundle ? arg_bundle : arg_rootfs, arg_bundle ? "--bundle" : "--rootfs",
                                  error);
        if (!directory || (arg_rootfs && !(text = make_config(root, id, directory, arguments + 1, error))))
                return -1;
        return container_serve(&(CreateOptions){.root = root,
                                                .id = id,
                                                .bundle = directory,
                                                .config_text = text,
                                                .service = unit,
                                                .poststart_hooks = arg_poststart_hooks,
                                                .notify = arg_notify,
                                                .inherited_fds = global->inherited_fds,
                                                .n_inherited_fds = global->n_inherited_fds},
                               error)
                       ? 0
                       : -1;
}

const Command command_service = {
        .name = "service",
        .arguments = "ID [PROGRAM [ARGUMENT…]]",
        .summary = "Be the service that systemd has started, as a container",
        .options = options,
        .min_arguments = 1,
        .max_arguments = G_MAXINT,
        .options_end_at_id = true,
        .run = run,
};
