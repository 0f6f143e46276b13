/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process object: config.md, "Process". It also comes alone, as the file that `exec --process` is given.
 * Empty args are left to who starts the process; names of capabilities too, since unknown ones are a warning
 * only. */

#include "oci/config.h"

#include <string.h>

#include "oci/tables.h"
#include "oci/text.h"

#define FIELD(json, word, member, ...)        FIELD_OF(OciProcess, json, word, member, ##__VA_ARGS__)
#define ARRAY(json, word, member, count, ...) ARRAY_OF(OciProcess, json, word, member, count, ##__VA_ARGS__)

#define CAPABILITIES_MAX 256        /* unknown ones are a warning each */
#define CONSOLE_SIZE_MAX UINT16_MAX /* struct winsize, ioctl_tty(2) */

static const Word rlimit_words[] = {
        /* getrlimit(2) */
        {"RLIMIT_AS"},     {"RLIMIT_CORE"},   {"RLIMIT_CPU"},        {"RLIMIT_DATA"},
        {"RLIMIT_FSIZE"},  {"RLIMIT_LOCKS"},  {"RLIMIT_MEMLOCK"},    {"RLIMIT_MSGQUEUE"},
        {"RLIMIT_NICE"},   {"RLIMIT_NOFILE"}, {"RLIMIT_NPROC"},      {"RLIMIT_RSS"},
        {"RLIMIT_RTPRIO"}, {"RLIMIT_RTTIME"}, {"RLIMIT_SIGPENDING"}, {"RLIMIT_STACK"},
};
static const Words rlimit_types = WORDS("a resource limit", rlimit_words);

static const Word policy_words[] = {
        {"SCHED_OTHER"}, {"SCHED_FIFO"}, {"SCHED_RR"},       {"SCHED_BATCH"},
        {"SCHED_ISO"},   {"SCHED_IDLE"}, {"SCHED_DEADLINE"},
};
static const Words policies = WORDS("a scheduling policy", policy_words);

static const Word scheduler_flag_words[] = {
        {"SCHED_FLAG_RESET_ON_FORK"},  {"SCHED_FLAG_RECLAIM"},     {"SCHED_FLAG_DL_OVERRUN"},
        {"SCHED_FLAG_KEEP_POLICY"},    {"SCHED_FLAG_KEEP_PARAMS"}, {"SCHED_FLAG_UTIL_CLAMP_MIN"},
        {"SCHED_FLAG_UTIL_CLAMP_MAX"},
};
static const Words scheduler_flags = WORDS("a scheduler flag", scheduler_flag_words);

static const Word io_class_words[] = {{"IOPRIO_CLASS_RT"}, {"IOPRIO_CLASS_BE"}, {"IOPRIO_CLASS_IDLE"}};
static const Words io_classes = WORDS("an I/O priority class", io_class_words);

static const Field console_size_fields[] = {
        FIELD("height", maybe_uint, console_height, .required = true),
        FIELD("width", maybe_uint, console_width, .required = true),
};
static const Shape console_size_shape = {SHAPE(OciProcess, console_size_fields)};

static const Field user_fields[] = {
        FIELD("uid", uint32, uid, .max = ID_MAX),
        FIELD("gid", uint32, gid, .max = ID_MAX),
        FIELD("umask", maybe_uint, umask, .max = 0777),
        ARRAY("additionalGids", uint32s, additional_gids, n_additional_gids, .max = ID_MAX),
};
static const Shape user_shape = {SHAPE(OciProcess, user_fields)};

static const Field capabilities_fields[] = {
        FIELD("bounding", strings, capabilities.bounding, .max_n = CAPABILITIES_MAX),
        FIELD("permitted", strings, capabilities.permitted, .max_n = CAPABILITIES_MAX),
        FIELD("inheritable", strings, capabilities.inheritable, .max_n = CAPABILITIES_MAX),
        FIELD("effective", strings, capabilities.effective, .max_n = CAPABILITIES_MAX),
        FIELD("ambient", strings, capabilities.ambient, .max_n = CAPABILITIES_MAX),
};
static const Shape capabilities_shape = {SHAPE(OciProcess, capabilities_fields)};

static const Field rlimit_fields[] = {
        FIELD_OF(OciRlimit, "type", string, type, .required = true, .words = &rlimit_types),
        FIELD_OF(OciRlimit, "soft", uint64, soft, .required = true),
        FIELD_OF(OciRlimit, "hard", uint64, hard, .required = true),
};

static bool check_rlimit(Decoder *decoder, void *object, GError **error) {
        const OciRlimit *rlimit = object;

        if (rlimit->soft <= rlimit->hard)
                return true;
        return decode_fail(decoder, "soft", DECODE_NO_INDEX, error,
                           "%" G_GUINT64_FORMAT " is more than the hard limit of %s, %" G_GUINT64_FORMAT,
                           rlimit->soft, rlimit->type, rlimit->hard);
}

static const Shape rlimit_shape = {SHAPE(OciRlimit, rlimit_fields), .check = check_rlimit};

static const Field scheduler_fields[] = {
        FIELD_OF(OciScheduler, "policy", string, policy, .required = true, .words = &policies),
        FIELD_OF(OciScheduler, "nice", maybe_int, nice, .min = -20, .max = 19),
        FIELD_OF(OciScheduler, "priority", maybe_int, priority, .max = 99), /* sched(7) */
        FIELD_OF(OciScheduler, "flags", strings, flags, .words = &scheduler_flags),
        FIELD_OF(OciScheduler, "runtime", maybe_uint, runtime),
        FIELD_OF(OciScheduler, "deadline", maybe_uint, deadline),
        FIELD_OF(OciScheduler, "period", maybe_uint, period),
};
static const Shape scheduler_shape = {SHAPE(OciScheduler, scheduler_fields)};

static const Field io_priority_fields[] = {
        FIELD("class", string, io_priority_class, .required = true, .words = &io_classes),
        FIELD("priority", maybe_int, io_priority, .max = 7),
};
static const Shape io_priority_shape = {SHAPE(OciProcess, io_priority_fields)};

static const Field affinity_fields[] = {
        FIELD("initial", string, exec_cpu_affinity_initial, .check = text_check_cpu_list),
        FIELD("final", string, exec_cpu_affinity_final, .check = text_check_cpu_list),
};
static const Shape affinity_shape = {SHAPE(OciProcess, affinity_fields)};

static const Field process_fields[] = {
        FIELD("terminal", boolean, terminal),
        SECTION_OF("consoleSize", console_size_shape),
        FIELD("cwd", string, cwd, .required = true, .check = text_check_absolute_path),
        FIELD("env", strings, env, .check = text_check_env),
        FIELD("args", strings, args),
        ARRAY("rlimits", structs, rlimits, n_rlimits, .shape = &rlimit_shape),
        FIELD("apparmorProfile", string, apparmor_profile, .empty_is_absent = true),
        SECTION_OF("capabilities", capabilities_shape,
                   .count_offset = offsetof(OciProcess, has_capabilities)),
        FIELD("noNewPrivileges", boolean, no_new_privileges),
        FIELD("oomScoreAdj", maybe_int, oom_score_adj, .min = -1000, .max = 1000), /* proc(5) */
        FIELD("scheduler", pointer, scheduler, .shape = &scheduler_shape),
        FIELD("selinuxLabel", string, selinux_label, .empty_is_absent = true),
        SECTION_OF("ioPriority", io_priority_shape),
        SECTION_OF("execCPUAffinity", affinity_shape),
        SECTION_OF("user", user_shape),
};

static void init_process(void *object) {
        OciProcess *process = object;

        process->env = g_new0(char *, 1);
        process->args = g_new0(char *, 1);
}

static bool check_console(Decoder *decoder, OciProcess *process, GError **error) {
        if (!process->terminal) { /* "runtimes MUST ignore consoleSize if terminal is false or unset" */
                process->console_height.set = false;
                process->console_width.set = false;
                return true;
        }
        if (process->console_height.value <= CONSOLE_SIZE_MAX &&
            process->console_width.value <= CONSOLE_SIZE_MAX)
                return true;
        return decode_fail(decoder, "consoleSize", DECODE_NO_INDEX, error, "no terminal is larger than %d",
                           CONSOLE_SIZE_MAX);
}

static bool check_process(Decoder *decoder, void *object, GError **error) {
        OciProcess *process = object;

        for (size_t i = 1; i < process->n_rlimits; i++)
                for (size_t k = 0; k < i; k++)
                        if (strcmp(process->rlimits[i].type, process->rlimits[k].type) == 0)
                                return decode_fail(decoder, "rlimits", i, error,
                                                   "%s stands in rlimits[%zu] already",
                                                   process->rlimits[i].type, k);
        return check_console(decoder, process, error);
}

const Shape process_shape = {SHAPE(OciProcess, process_fields), .init = init_process, .check = check_process};
