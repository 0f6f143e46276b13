/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator/container-file.h"

#include <string.h>

#include "base-glib/error.h"
#include "base/signal-name.h"
#include "container/state-dir.h"
#include "generator/words.h"
#include "oci/word.h"

typedef struct Key Key;
typedef bool (*Take)(ContainerFile *container, const Key *key, const char *value, GError **error);

struct Key {
        const char *name;
        const char *option; /* of `unitrun service`, where it is one */
        Take take;          /* "" is not passed on: it resets */
        bool list;          /* each assignment adds to those before */
        size_t field;       /* where take_field() puts it */
};

void container_file_free(ContainerFile *container) {
        if (!container)
                return;
        g_free(container->name);
        g_free(container->id);
        g_free(container->path);
        unit_file_free(container->file);
        g_free(container->bundle);
        g_free(container->rootfs);
        g_ptr_array_unref(container->options);
        g_strfreev(container->program);
        g_ptr_array_unref(container->poststart_hooks);
        g_ptr_array_unref(container->mounts_for);
        g_free(container->network_of);
        g_free(container->stop_signal);
        g_free(container->reload_signal);
        g_free(container);
}

/* A specifier at the start may be anything: systemd knows. */
static bool check_path(const char *path, GError **error) {
        return path[0] == '/' || path[0] == '%' || fail(error, "'%s' is not an absolute path", path);
}

static void add_option(ContainerFile *container, const Key *key, const char *value) {
        g_ptr_array_add(container->options, g_strconcat(key->option, value ? "=" : NULL, value, NULL));
}

static bool take_text(ContainerFile *container, const Key *key, const char *value, GError **error) {
        add_option(container, key, value);
        return true;
}

static bool take_words(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_auto(GStrv) words = words_split(value, error);

        for (char **word = words; word && *word; word++)
                add_option(container, key, *word);
        return words != NULL;
}

static bool take_assignments(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_auto(GStrv) words = words_split(value, error);

        for (char **word = words; word && *word; word++) {
                if (!strchr(*word, '=') || **word == '=')
                        return fail(error, "'%s' is not an assignment, 'NAME=value'", *word);
                add_option(container, key, *word);
        }
        return words != NULL;
}

static bool parse_bool(const char *value, bool *ret, GError **error) {
        static const char *const yes[] = {"1", "yes", "y", "true", "t", "on", NULL}, *const no[] = {
                                                                                             "0", "no",
                                                                                             "n", "false",
                                                                                             "f", "off",
                                                                                             NULL};
        g_autofree char *lower = g_ascii_strdown(value, -1);

        *ret = g_strv_contains(yes, lower);
        return *ret || g_strv_contains(no, lower) || fail(error, "'%s' is neither 'yes' nor 'no'", value);
}

static bool take_flag(ContainerFile *container, const Key *key, const char *value, GError **error) {
        bool set;

        if (!parse_bool(value, &set, error))
                return false;
        if (set)
                add_option(container, key, NULL);
        return true;
}

static bool take_notify(ContainerFile *container, const Key *key, const char *value, GError **error) {
        return parse_bool(value, &container->notify, error) && take_flag(container, key, value, error);
}

static bool take_root(ContainerFile *container, const Key *key, const char *value, GError **error) {
        char **field = (char **) ((char *) container + key->field);

        if (!check_path(value, error))
                return false;
        g_free(*field);
        *field = g_strdup(value);
        g_ptr_array_add(container->mounts_for, g_strdup(value));
        add_option(container, key, value);
        return true;
}

static bool take_path(ContainerFile *container, const Key *key, const char *value, GError **error) {
        return check_path(value, error) && take_text(container, key, value, error);
}

static bool take_program(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_clear_pointer(&container->program, g_strfreev);
        container->program = words_split(value, error);
        return container->program != NULL;
}

static bool take_hook(ContainerFile *container, const Key *key, const char *value, GError **error) {
        if (!check_path(value, error))
                return false;
        g_ptr_array_add(container->poststart_hooks, g_strdup(value));
        add_option(container, key, value);
        return true;
}

static bool take_signal(ContainerFile *container, const Key *key, const char *value, GError **error) {
        char **field = (char **) ((char *) container + key->field);
        char name[SIGNAL_NAME_SIZE];
        int signal_number = signal_from_name(value);

        if (signal_number <= 0)
                return fail(error, "'%s' is not a signal, such as SIGTERM", value);
        g_free(*field);
        *field = g_strdup(signal_to_name(signal_number, name));
        return true;
}

static bool take_volume(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_auto(GStrv) parts = g_strsplit(value, ":", -1);
        guint n = g_strv_length(parts);

        if (n < 2 || n > 3 || *parts[1] == '\0')
                return fail(error, "'%s' is not SOURCE:DESTINATION[:OPTIONS]", value);
        if (!check_path(parts[0], error) || !check_path(parts[1], error))
                return false;
        g_ptr_array_add(container->mounts_for, g_strdup(parts[0]));
        return take_text(container, key, value, error);
}

static bool take_map(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_auto(GStrv) parts = g_strsplit(value, ":", -1);

        for (guint i = 0; i < 3; i++)
                if (g_strv_length(parts) != 3 ||
                    !g_ascii_string_to_unsigned(parts[i], 10, 0, G_MAXUINT32, NULL, NULL))
                        return fail(error, "'%s' is not CONTAINER:HOST:SIZE, three numbers", value);
        return take_text(container, key, value, error);
}

/* "container:web", and quadlet's "web.container": the other one has to be there, and may not be replaced. */
static bool take_network(ContainerFile *container, const Key *key, const char *value, GError **error) {
        g_autofree char *of = NULL, *option = NULL;

        if (g_str_has_prefix(value, "container:"))
                of = g_strdup(value + strlen("container:"));
        else if (g_str_has_suffix(value, ".container"))
                of = g_strndup(value, strlen(value) - strlen(".container"));
        if (of && !container_id_check(of, error))
                return false;
        if (!of && !g_str_equal(value, "none") && !g_str_equal(value, "host") &&
            !g_str_has_prefix(value, "ns:/"))
                return fail(error, "'%s' is not 'none', 'host', 'ns:PATH' or 'container:NAME'", value);
        option = of ? g_strconcat("container:", of, NULL) : g_strdup(value);
        g_free(container->network_of);
        container->network_of = g_steal_pointer(&of);
        return take_text(container, key, option, error);
}

#define FIELD(member) G_STRUCT_OFFSET(ContainerFile, member)

/* clang-format off */
static const Key keys[] = {
        {"Bundle",         "--bundle",         take_root,        false, FIELD(bundle)},
        {"Rootfs",         "--rootfs",         take_root,        false, FIELD(rootfs)},
        {"Exec",           NULL,               take_program,     false, 0},
        {"Environment",    "--env",            take_assignments, true,  0},
        {"User",           "--user",           take_text,        false, 0},
        {"WorkingDir",     "--workdir",        take_path,        false, 0},
        {"Volume",         "--volume",         take_volume,      true,  0},
        {"Tmpfs",          "--tmpfs",          take_path,        true,  0},
        {"Network",        "--network",        take_network,     false, 0},
        {"HostName",       "--hostname",       take_text,        false, 0},
        {"Hostname",       "--hostname",       take_text,        false, 0},
        {"ReadOnly",       "--read-only",      take_flag,        false, 0},
        {"AddCapability",  "--cap-add",        take_words,       true,  0},
        {"DropCapability", "--cap-drop",       take_words,       true,  0},
        {"AddDevice",      "--device",         take_path,        true,  0},
        {"Device",         "--device",         take_path,        true,  0},
        {"Sysctl",         "--sysctl",         take_assignments, true,  0},
        {"UIDMap",         "--uidmap",         take_map,         true,  0},
        {"GIDMap",         "--gidmap",         take_map,         true,  0},
        {"Notify",         "--notify",         take_notify,      false, 0},
        {"PoststartHook",  "--poststart-hook", take_hook,        true,  0},
        {"StopSignal",     NULL,               take_signal,      false, FIELD(stop_signal)},
        {"ReloadSignal",   NULL,               take_signal,      false, FIELD(reload_signal)},
};

/* What would break the container's unit, and what is meant instead. */
static const struct {
        const char *key, *instead;
} refused[] = {
        {"Type",          "it is 'notify'"},
        {"NotifyAccess",  "it is set by Notify= in [Container]"},
        {"Delegate",      "it is 'yes'"},
        {"KillMode",      "it is 'mixed'"},
        {"ExecStart",     "the program is Exec= in [Container], or in the bundle"},
        {"User",          "unitrun has to be root; the program's user is User= in [Container]"},
        {"Group",         "unitrun has to be root; the program's group is in User= in [Container]"},
        {"DynamicUser",   "unitrun has to be root; UIDMap= and GIDMap= in [Container] map users"},
        {"RootDirectory", "the container's root is Rootfs= in [Container]"},
        {"RootImage",     "the container's root is Rootfs= in [Container]"},
        {"PrivateUsers",  "unitrun has to be root; UIDMap= and GIDMap= in [Container] map users"},
};
/* clang-format on */

static const Key *find_key(const char *name, GError **error) {
        Word items[G_N_ELEMENTS(keys)];
        const char *nearest;

        for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
                items[i].name = keys[i].name;
                if (g_str_equal(keys[i].name, name))
                        return &keys[i];
        }
        nearest = words_nearest(&(Words){.items = items, .n = G_N_ELEMENTS(items)}, name);
        fail(error, "%s=: no key of [Container]%s%s%s", name, nearest ? " (did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?)" : "");
        return NULL;
}

/* An empty "Key=" takes back what stands before it; where there is no list, so does every later one. */
static bool counts(const GPtrArray *lines, guint index, const Key *key) {
        const UnitLine *line = g_ptr_array_index(lines, index);

        if (*line->value == '\0')
                return false;
        for (guint i = index + 1; i < lines->len; i++) {
                const UnitLine *later = g_ptr_array_index(lines, i);

                if (g_str_equal(later->section, line->section) && g_str_equal(later->key, line->key) &&
                    (!key->list || *later->value == '\0'))
                        return false;
        }
        return true;
}

static bool take_line(ContainerFile *container, guint index, GError **error) {
        const UnitLine *line = g_ptr_array_index(container->file->lines, index);
        const Key *key = find_key(line->key, error);

        if (!key)
                return fail_prefix(error, "%s", line->place);
        if (!counts(container->file->lines, index, key))
                return true;
        return key->take(container, key, line->value, error) ||
               fail_prefix(error, "%s: %s=", line->place, line->key);
}

static bool check_service_line(const UnitLine *line, GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
                if (g_str_equal(refused[i].key, line->key) && *line->value)
                        return fail(error, "%s: %s=: can't be set for a container: %s", line->place,
                                    line->key, refused[i].instead);
        return true;
}

static bool check_section(const UnitLine *line, GError **error) {
        static const Word items[] = {
                {"Container", 0},
                {"Unit",      0},
                {"Service",   0},
                {"Install",   0}
        };
        static const Words sections = {.items = items, .n = G_N_ELEMENTS(items)};
        const char *nearest;

        if (words_find(&sections, line->section) || g_str_has_prefix(line->section, "X-"))
                return true;
        nearest = words_nearest(&sections, line->section);
        return fail(error, "%s: [%s] is no section of a .container file%s%s%s", line->place, line->section,
                    nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

static bool take_lines(ContainerFile *container, GError **error) {
        for (guint i = 0; i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (!check_section(line, error) ||
                    (g_str_equal(line->section, "Container") && !take_line(container, i, error)) ||
                    (g_str_equal(line->section, "Service") && !check_service_line(line, error)))
                        return false;
        }
        return true;
}

/* Keys that say what a config.json says. */
static bool check_with_bundle(const UnitLine *line, GError **error) {
        static const char *const others[] = {"Bundle",     "Rootfs",       "Notify", "PoststartHook",
                                             "StopSignal", "ReloadSignal", NULL};

        return !g_str_equal(line->section, "Container") || *line->value == '\0' ||
               g_strv_contains(others, line->key) ||
               fail(error, "%s: %s=: can't be set with Bundle=: its config.json says it", line->place,
                    line->key);
}

/* Nobody else could say that the program is alive. */
static bool check_watchdog(const ContainerFile *container, GError **error) {
        for (guint i = 0; !container->notify && i < container->file->lines->len; i++) {
                const UnitLine *line = g_ptr_array_index(container->file->lines, i);

                if (g_str_equal(line->section, "Service") && g_str_equal(line->key, "WatchdogSec") &&
                    *line->value && !g_str_equal(line->value, "0"))
                        return fail(error,
                                    "%s: WatchdogSec=: needs Notify=yes in [Container], or nothing would "
                                    "ever answer it",
                                    line->place);
        }
        return true;
}

/* Keys that make no sense together. */
static bool check_whole(const ContainerFile *container, GError **error) {
        if (!container->bundle == !container->rootfs)
                return fail(error, "%s: [Container]: either Bundle= or Rootfs= is needed", container->path);
        if (container->rootfs && (!container->program || !*container->program))
                return fail(error, "%s: [Container]: Rootfs= needs Exec=, the program", container->path);
        for (guint i = 0; container->bundle && i < container->file->lines->len; i++)
                if (!check_with_bundle(g_ptr_array_index(container->file->lines, i), error))
                        return false;
        return check_watchdog(container, error);
}

/* "web@a" to "web-a", "web@" to "web-%i": IDs have no '@'. */
static char *id_of(const char *name) {
        const char *at = strchr(name, '@');

        if (!at)
                return g_strdup(name);
        return g_strdup_printf("%.*s-%s", (int) (at - name), name, at[1] ? at + 1 : "%i");
}

ContainerFile *container_file_new(const char *name, const char *path, UnitFile *file, GError **error) {
        g_autoptr(ContainerFile) container = g_new0(ContainerFile, 1);
        g_autofree char *plain = NULL;

        container->name = g_strdup(name);
        container->id = id_of(name);
        container->path = g_strdup(path);
        container->file = file;
        container->options = g_ptr_array_new_with_free_func(g_free);
        container->poststart_hooks = g_ptr_array_new_with_free_func(g_free);
        container->mounts_for = g_ptr_array_new_with_free_func(g_free);
        plain = g_strdelimit(g_strdup(container->id), "%", '-');
        if (!container_id_check(plain, error)) {
                fail_prefix(error, "%s", path);
                return NULL;
        }
        return take_lines(container, error) && check_whole(container, error) ? g_steal_pointer(&container)
                                                                             : NULL;
}

char *container_file_describe_keys(void) {
        GString *text = g_string_new(NULL);

        for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
                g_string_append_printf(text, "%s=\n", keys[i].name);
        return g_string_free(text, FALSE);
}
