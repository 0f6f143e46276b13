/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitrun update ID: new limits, from options or as an object like linux.resources. Errors name the option,
 * or the file and the path in it. */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "cli/command.h"
#include "container/update.h"

#define STDIN_SIZE_MAX (16 << 20)
#define RESOURCES_PATH "linux.resources." /* with it errors name fields */

static char *arg_resources, *arg_blkio_weight, *arg_cpu_period, *arg_cpu_quota, *arg_cpu_burst,
        *arg_cpu_share, *arg_cpu_rt_period, *arg_cpu_rt_runtime, *arg_cpuset_cpus, *arg_cpuset_mems,
        *arg_cpu_idle, *arg_memory, *arg_memory_reservation, *arg_memory_swap, *arg_kernel_memory,
        *arg_kernel_memory_tcp, *arg_pids_limit, *arg_l3_cache_schema, *arg_mem_bw_schema;

/* clang-format off */
static const GOptionEntry options[] = {
        {"resources", 'r', 0, G_OPTION_ARG_FILENAME, &arg_resources, "Take the limits from FILE, an object like linux.resources ('-': stdin)", "FILE"},
        {"memory", 0, 0, G_OPTION_ARG_STRING, &arg_memory, "Limit of memory, such as 64M; -1 is none", "BYTES"},
        {"memory-reservation", 0, 0, G_OPTION_ARG_STRING, &arg_memory_reservation, "Memory that is left to the container", "BYTES"},
        {"memory-swap", 0, 0, G_OPTION_ARG_STRING, &arg_memory_swap, "Limit of memory and swap together; -1 is none", "BYTES"},
        {"kernel-memory", 0, 0, G_OPTION_ARG_STRING, &arg_kernel_memory, "Accepted and ignored", "BYTES"},
        {"kernel-memory-tcp", 0, 0, G_OPTION_ARG_STRING, &arg_kernel_memory_tcp, "Accepted and ignored", "BYTES"},
        {"cpu-share", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_share, "Weight of the container, 1024 by default", "SHARES"},
        {"cpu-quota", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_quota, "Time on the CPU in each period; -1 is no limit", "USEC"},
        {"cpu-period", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_period, "Period of the quota", "USEC"},
        {"cpu-burst", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_burst, "What may be saved up for later periods", "USEC"},
        {"cpu-idle", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_idle, "1: run only when nobody else wants to", "0|1"},
        {"cpuset-cpus", 0, 0, G_OPTION_ARG_STRING, &arg_cpuset_cpus, "CPUs that are used, such as 0-3,7", "LIST"},
        {"cpuset-mems", 0, 0, G_OPTION_ARG_STRING, &arg_cpuset_mems, "Memory nodes that are used", "LIST"},
        {"cpu-rt-period", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_rt_period, "Refused: cgroup v2 has none", "USEC"},
        {"cpu-rt-runtime", 0, 0, G_OPTION_ARG_STRING, &arg_cpu_rt_runtime, "Refused: cgroup v2 has none", "USEC"},
        {"pids-limit", 0, 0, G_OPTION_ARG_STRING, &arg_pids_limit, "Limit of tasks; -1 is none", "N"},
        {"blkio-weight", 0, 0, G_OPTION_ARG_STRING, &arg_blkio_weight, "Weight for disks, from 10 to 1000", "WEIGHT"},
        {"l3-cache-schema", 0, 0, G_OPTION_ARG_STRING, &arg_l3_cache_schema, "Shares of the L3 cache, for a container with linux.intelRdt", "SCHEMA"},
        {"mem-bw-schema", 0, 0, G_OPTION_ARG_STRING, &arg_mem_bw_schema, "Memory bandwidth, likewise", "SCHEMA"},
        G_OPTION_ENTRY_NULL,
};
/* clang-format on */

static bool read_int(const char *text, void *field) {
        MaybeInt *value = field;
        char *end;

        errno = 0;
        *value = (MaybeInt){.set = true, .value = g_ascii_strtoll(text, &end, 10)};
        return errno == 0 && end != text && *end == '\0';
}

static bool read_uint(const char *text, void *field) {
        MaybeUint *value = field;
        guint64 number;

        if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL))
                return false;
        *value = (MaybeUint){.set = true, .value = number};
        return true;
}

/* "67108864", "64M", "1.5 GiB": a unit is a power of 1024, as with runc and docker. */
static bool read_bytes(const char *text, void *field) {
        static const char units[] = "bkmgtp";
        const char *unit;
        double number;
        char *end;

        if (strcmp(text, "-1") == 0)
                return read_int(text, field);
        if (!g_ascii_isdigit(*text))
                return false;
        if (text[strspn(text, "0123456789")] == '\0')
                return read_int(text, field);
        number = g_ascii_strtod(text, &end);
        end += strspn(end, " ");
        unit = *end ? strchr(units, g_ascii_tolower(*end)) : NULL;
        if (!unit || (end[1] != '\0' && (unit == units || (g_ascii_strcasecmp(end + 1, "b") != 0 &&
                                                           g_ascii_strcasecmp(end + 1, "ib") != 0))))
                return false;
        number = ldexp(number, 10 * (int) (unit - units));
        if (!(number < (double) G_MAXINT64))
                return false;
        *(MaybeInt *) field = (MaybeInt){.set = true, .value = (int64_t) number};
        return true;
}

static bool read_list(const char *text, void *field) {
        *(char **) field = g_strdup(text);
        return true;
}

#define FIELD(field) offsetof(OciResources, field)

/* Which field of linux.resources an option sets. */
typedef struct ResourceOption {
        const char *name;
        char **value;
        const char *field;
        size_t offset;
        bool (*read)(const char *text, void *field);
        const char *expected;
} ResourceOption;

/* clang-format off */
static const ResourceOption resource_options[] = {
        {"--memory",             &arg_memory,             "memory.limit",        FIELD(memory.limit),         read_bytes, "a size such as 64M"},
        {"--memory-reservation", &arg_memory_reservation, "memory.reservation",  FIELD(memory.reservation),   read_bytes, "a size such as 64M"},
        {"--memory-swap",        &arg_memory_swap,        "memory.swap",         FIELD(memory.swap),          read_bytes, "a size such as 64M"},
        {"--kernel-memory",      &arg_kernel_memory,      "memory.kernel",       FIELD(memory.kernel),        read_bytes, "a size such as 64M"},
        {"--kernel-memory-tcp",  &arg_kernel_memory_tcp,  "memory.kernelTCP",    FIELD(memory.kernel_tcp),    read_bytes, "a size such as 64M"},
        {"--cpu-share",          &arg_cpu_share,          "cpu.shares",          FIELD(cpu.shares),           read_uint,  "a number"},
        {"--cpu-quota",          &arg_cpu_quota,          "cpu.quota",           FIELD(cpu.quota),            read_int,   "a number of microseconds"},
        {"--cpu-period",         &arg_cpu_period,         "cpu.period",          FIELD(cpu.period),           read_uint,  "a number of microseconds"},
        {"--cpu-burst",          &arg_cpu_burst,          "cpu.burst",           FIELD(cpu.burst),            read_uint,  "a number of microseconds"},
        {"--cpu-idle",           &arg_cpu_idle,           "cpu.idle",            FIELD(cpu.idle),             read_int,   "0 or 1"},
        {"--cpuset-cpus",        &arg_cpuset_cpus,        "cpu.cpus",            FIELD(cpu.cpus),             read_list,  NULL},
        {"--cpuset-mems",        &arg_cpuset_mems,        "cpu.mems",            FIELD(cpu.mems),             read_list,  NULL},
        {"--cpu-rt-period",      &arg_cpu_rt_period,      "cpu.realtimePeriod",  FIELD(cpu.realtime_period),  read_uint,  "a number of microseconds"},
        {"--cpu-rt-runtime",     &arg_cpu_rt_runtime,     "cpu.realtimeRuntime", FIELD(cpu.realtime_runtime), read_int,   "a number of microseconds"},
        {"--pids-limit",         &arg_pids_limit,         "pids.limit",          FIELD(pids_limit),           read_int,   "a number"},
        {"--blkio-weight",       &arg_blkio_weight,       "blockIO.weight",      FIELD(block_io.weight),      read_uint,  "a number"},
};
/* clang-format on */

static bool is_given(const char *value) {
        return value && *value;
}

static OciResources *read_options(GError **error) {
        g_autoptr(OciResources) resources = g_new0(OciResources, 1);

        for (size_t i = 0; i < G_N_ELEMENTS(resource_options); i++) {
                const ResourceOption *option = &resource_options[i];

                if (is_given(*option->value) &&
                    !option->read(*option->value, (char *) resources + option->offset)) {
                        fail_code(error, UNITRUN_ERROR_USAGE, "%s: '%s' is not %s", option->name,
                                  *option->value, option->expected);
                        return NULL;
                }
        }
        return g_steal_pointer(&resources);
}

static OciResources *read_stdin(GError **error) {
        autofree char *text = NULL;
        size_t size;
        int r = fd_read_all(STDIN_FILENO, STDIN_SIZE_MAX, &text, &size);

        if (r < 0) {
                fail_errno(error, r, "--resources: cannot read standard input");
                return NULL;
        }
        return oci_resources_parse(text, size, "-", error);
}

static OciResources *read_file(GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(resource_options); i++)
                if (is_given(*resource_options[i].value)) {
                        fail_code(error, UNITRUN_ERROR_USAGE, "%s can't be given beside --resources",
                                  resource_options[i].name);
                        return NULL;
                }
        return g_str_equal(arg_resources, "-") ? read_stdin(error)
                                               : oci_resources_load(AT_FDCWD, arg_resources, error);
}

/* From "linux.resources.cpu.idle: …" to "--cpu-idle: …" or "FILE: cpu.idle: …". */
static void name_source(GError *error) {
        const char *path = error->message + strlen(RESOURCES_PATH);
        char *message = NULL;

        if (!g_str_has_prefix(error->message, RESOURCES_PATH))
                return;
        if (is_given(arg_resources))
                message = g_strdup_printf("%s: %s", arg_resources, path);
        for (size_t i = 0; !message && i < G_N_ELEMENTS(resource_options); i++) {
                size_t length = strlen(resource_options[i].field);

                if (strncmp(path, resource_options[i].field, length) == 0 && path[length] == ':')
                        message = g_strconcat(resource_options[i].name, path + length, NULL);
        }
        if (!message)
                return;
        g_free(error->message);
        error->message = message;
}

static int run(const GlobalOptions *global, char **arguments, GError **error) {
        g_autoptr(OciResources) resources = NULL;
        g_autoptr(Container) container = NULL;
        g_autoptr(GError) local = NULL;
        g_autofree char *schemata = NULL;

        if (!(container = command_open(global, arguments[0], error)))
                return -1;
        if (is_given(arg_l3_cache_schema) || is_given(arg_mem_bw_schema))
                schemata = resctrl_lines(arg_l3_cache_schema,
                                         is_given(arg_mem_bw_schema) ? arg_mem_bw_schema : NULL);
        resources = is_given(arg_resources) ? read_file(error) : read_options(error);
        if (!resources)
                return -1;
        if (container_update(container, resources, schemata, &local))
                return 0;
        name_source(local);
        g_propagate_prefixed_error(error, g_steal_pointer(&local),
                                   "cannot update container '%s': ", arguments[0]);
        return -1;
}

const Command command_update = {
        .name = "update",
        .arguments = "ID",
        .summary = "Change the limits of a container",
        .options = options,
        .min_arguments = 1,
        .max_arguments = 1,
        .run = run,
};
