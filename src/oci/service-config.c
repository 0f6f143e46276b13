/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The example config with what was asked for in place of its own. Whether values make sense is found out by
 * the decoder, as for any config; here only what has a syntax of its own. */

#include "oci/service-config.h"

#include <errno.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base-glib/error.h"
#include "oci/example-config.h"
#include "oci/passwd.h"

/* What podman and Docker give to a container. */
static const char *const default_capabilities[] = {"CAP_CHOWN",   "CAP_DAC_OVERRIDE", "CAP_FOWNER",
                                                   "CAP_FSETID",  "CAP_KILL",         "CAP_NET_BIND_SERVICE",
                                                   "CAP_SETFCAP", "CAP_SETGID",       "CAP_SETPCAP",
                                                   "CAP_SETUID",  "CAP_SYS_CHROOT"};

static JsonArray *add_array(JsonObject *object, const char *name) {
        JsonArray *array = json_array_new();

        json_object_set_array_member(object, name, array);
        return array;
}

static JsonObject *add_object(JsonArray *array) {
        JsonObject *object = json_object_new();

        json_array_add_object_element(array, object);
        return object;
}

static void add_strings(JsonArray *array, char *const *strings) {
        for (; strings && *strings; strings++)
                json_array_add_string_element(array, *strings);
}

static bool split(const char *option, const char *value, char separator, guint min, guint max,
                  char ***ret_parts, GError **error) {
        const char text[] = {separator, '\0'};
        guint n;

        *ret_parts = g_strsplit(value, text, (int) max + 1);
        n = g_strv_length(*ret_parts);
        for (guint i = 0; i < n && n >= min && n <= max; i++)
                if (i < min && *(*ret_parts)[i] == '\0')
                        n = 0;
        if (n >= min && n <= max)
                return true;
        g_clear_pointer(ret_parts, g_strfreev);
        return fail_code(error, UNITRUN_ERROR_USAGE,
                         "%s: '%s' has not the parts that it needs, separated by '%c'", option, value,
                         separator);
}

static char *capability_name(const char *name) {
        g_autofree char *upper = g_ascii_strup(name, -1);

        return g_str_has_prefix(upper, "CAP_") ? g_steal_pointer(&upper) : g_strconcat("CAP_", upper, NULL);
}

static bool names_capability(char *const *list, const char *name) {
        for (; list && *list; list++) {
                g_autofree char *listed = capability_name(*list);

                if (g_str_equal(listed, name) || g_str_equal(listed, "CAP_ALL"))
                        return true;
        }
        return false;
}

static void set_capabilities(JsonObject *process, const ServiceConfig *config) {
        static const char *const sets[] = {"bounding", "effective", "permitted"};
        JsonObject *capabilities = json_object_new();

        for (size_t i = 0; i < G_N_ELEMENTS(sets); i++) {
                JsonArray *set = add_array(capabilities, sets[i]);

                for (size_t j = 0; j < G_N_ELEMENTS(default_capabilities); j++)
                        if (!names_capability(config->drop_capabilities, default_capabilities[j]))
                                json_array_add_string_element(set, default_capabilities[j]);
                for (char *const *name = config->add_capabilities; name && *name; name++) {
                        g_autofree char *full = capability_name(*name);

                        json_array_add_string_element(set, full);
                }
        }
        json_object_set_object_member(process, "capabilities", capabilities);
}

static bool set_process(JsonObject *root, const ServiceConfig *config, GError **error) {
        JsonObject *process = json_object_get_object_member(root, "process");
        JsonObject *user = json_object_get_object_member(process, "user");
        JsonArray *env = add_array(process, "env");
        uid_t uid = 0;
        gid_t gid = 0;

        if (config->user && !passwd_find(config->rootfs, config->user, &uid, &gid, error))
                return false;
        json_object_set_int_member(user, "uid", uid);
        json_object_set_int_member(user, "gid", gid);
        json_object_set_boolean_member(process, "terminal", FALSE);
        json_object_set_boolean_member(process, "noNewPrivileges", FALSE);
        json_object_remove_member(process, "rlimits"); /* they are the unit's: LimitNOFILE= */
        json_object_set_string_member(process, "cwd", config->cwd ? config->cwd : "/");
        json_array_add_string_element(env,
                                      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        add_strings(env, config->env);
        add_strings(add_array(process, "args"), config->args);
        set_capabilities(process, config);
        return true;
}

static void add_mount(JsonObject *root, const char *type, const char *source, const char *destination,
                      const char *const *defaults, const char *given) {
        JsonObject *mount = add_object(json_object_get_array_member(root, "mounts"));
        JsonArray *options = add_array(mount, "options");
        g_auto(GStrv) more = g_strsplit(given ? given : "", ",", -1);

        json_object_set_string_member(mount, "destination", destination);
        json_object_set_string_member(mount, "type", type);
        json_object_set_string_member(mount, "source", source);
        for (; *defaults; defaults++)
                json_array_add_string_element(options, *defaults);
        for (char **option = more; *option; option++)
                if (**option)
                        json_array_add_string_element(options, *option);
}

static bool set_mounts(JsonObject *root, const ServiceConfig *config, GError **error) {
        static const char *const bind[] = {"rbind", "rprivate", NULL}, *const tmpfs[] = {"nosuid", "nodev",
                                                                                         NULL};

        for (char *const *volume = config->volumes; volume && *volume; volume++) {
                g_auto(GStrv) parts = NULL;

                if (!split("--volume", *volume, ':', 2, 3, &parts, error))
                        return false;
                if (parts[0][0] != '/')
                        return fail_code(error, UNITRUN_ERROR_USAGE, "--volume: '%s' is no absolute path",
                                         parts[0]);
                add_mount(root, "bind", parts[0], parts[1], bind, parts[2]);
        }
        for (char *const *entry = config->tmpfs; entry && *entry; entry++) {
                g_auto(GStrv) parts = NULL;

                if (!split("--tmpfs", *entry, ':', 1, 2, &parts, error))
                        return false;
                add_mount(root, "tmpfs", "tmpfs", parts[0], tmpfs, parts[1]);
        }
        return true;
}

static void add_device(JsonObject *linux_section, const struct stat *status, const char *path,
                       const char *access) {
        JsonObject *device = add_object(json_object_get_array_member(linux_section, "devices"));
        JsonObject *resources = json_object_get_object_member(linux_section, "resources");
        JsonObject *rule = add_object(json_object_get_array_member(resources, "devices"));
        const char *type = S_ISBLK(status->st_mode) ? "b" : "c";

        json_object_set_string_member(device, "path", path);
        json_object_set_string_member(device, "type", type);
        json_object_set_int_member(device, "major", major(status->st_rdev));
        json_object_set_int_member(device, "minor", minor(status->st_rdev));
        json_object_set_int_member(device, "fileMode", status->st_mode & 0777);
        json_object_set_int_member(device, "uid", status->st_uid);
        json_object_set_int_member(device, "gid", status->st_gid);
        json_object_set_boolean_member(rule, "allow", TRUE);
        json_object_set_string_member(rule, "type", type);
        json_object_set_int_member(rule, "major", major(status->st_rdev));
        json_object_set_int_member(rule, "minor", minor(status->st_rdev));
        json_object_set_string_member(rule, "access", access);
}

static bool set_devices(JsonObject *linux_section, const ServiceConfig *config, GError **error) {
        add_array(linux_section, "devices");
        for (char *const *entry = config->devices; entry && *entry; entry++) {
                g_auto(GStrv) parts = NULL;
                struct stat status;

                if (!split("--device", *entry, ':', 1, 3, &parts, error))
                        return false;
                if (stat(parts[0], &status) < 0)
                        return fail_errno(error, errno, "--device: '%s'", parts[0]);
                if (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode))
                        return fail(error, "--device: '%s' is no device", parts[0]);
                add_device(linux_section, &status, parts[1] && *parts[1] ? parts[1] : parts[0],
                           parts[1] && parts[2] && *parts[2] ? parts[2] : "rwm");
        }
        return true;
}

static bool set_maps(JsonObject *linux_section, const char *option, const char *name, char *const *maps,
                     GError **error) {
        static const char *const members[] = {"containerID", "hostID", "size"};
        JsonArray *array = maps && *maps ? add_array(linux_section, name) : NULL;

        for (; maps && *maps; maps++) {
                JsonObject *object = add_object(array);
                g_auto(GStrv) parts = NULL;

                if (!split(option, *maps, ':', 3, 3, &parts, error))
                        return false;
                for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
                        guint64 number;

                        if (!g_ascii_string_to_unsigned(parts[i], 10, 0, G_MAXUINT32, &number, NULL))
                                return fail_code(error, UNITRUN_ERROR_USAGE,
                                                 "%s: '%s' is not CONTAINER:HOST:SIZE, three numbers", option,
                                                 *maps);
                        json_object_set_int_member(object, members[i], (gint64) number);
                }
        }
        return true;
}

static bool set_network(JsonArray *namespaces, const char *network, GError **error) {
        if (!network || g_str_equal(network, "none"))
                return true;
        for (guint i = 0; i < json_array_get_length(namespaces); i++) {
                JsonObject *entry = json_array_get_object_element(namespaces, i);

                if (!g_str_equal(json_object_get_string_member(entry, "type"), "network"))
                        continue;
                if (g_str_equal(network, "host"))
                        json_array_remove_element(namespaces, i);
                else if (g_str_has_prefix(network, "ns:/"))
                        json_object_set_string_member(entry, "path", network + strlen("ns:"));
                else
                        break;
                return true;
        }
        return fail_code(error, UNITRUN_ERROR_USAGE,
                         "--network: '%s' is not 'none', 'host', 'ns:PATH' or 'container:ID'", network);
}

static bool set_linux(JsonObject *root, const ServiceConfig *config, GError **error) {
        JsonObject *linux_section = json_object_get_object_member(root, "linux");
        JsonArray *namespaces = json_object_get_array_member(linux_section, "namespaces");
        JsonObject *sysctls = json_object_new();

        json_object_set_object_member(linux_section, "sysctl", sysctls);
        for (char *const *entry = config->sysctls; entry && *entry; entry++) {
                g_auto(GStrv) parts = NULL;

                if (!split("--sysctl", *entry, '=', 2, 2, &parts, error))
                        return false;
                json_object_set_string_member(sysctls, parts[0], parts[1]);
        }
        if ((config->uid_maps && *config->uid_maps) || (config->gid_maps && *config->gid_maps))
                json_object_set_string_member(add_object(namespaces), "type", "user");
        return set_network(namespaces, config->network, error) && set_devices(linux_section, config, error) &&
               set_maps(linux_section, "--uidmap", "uidMappings", config->uid_maps, error) &&
               set_maps(linux_section, "--gidmap", "gidMappings", config->gid_maps, error);
}

char *service_config_make(const ServiceConfig *config, GError **error) {
        g_autofree char *example = oci_example_config(/* rootless= */ false, 0, 0);
        g_autoptr(JsonNode) node = json_from_string(example, error);
        JsonObject *root, *filesystem;

        if (!node)
                return NULL;
        root = json_node_get_object(node);
        filesystem = json_object_get_object_member(root, "root");
        json_object_set_string_member(filesystem, "path", config->rootfs);
        json_object_set_boolean_member(filesystem, "readonly", config->readonly);
        json_object_set_string_member(root, "hostname", config->hostname ? config->hostname : config->id);
        if (!set_process(root, config, error) || !set_mounts(root, config, error) ||
            !set_linux(root, config, error))
                return NULL;
        return json_to_string(node, /* pretty= */ TRUE);
}
