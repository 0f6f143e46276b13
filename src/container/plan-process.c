/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process object: who the program is, its limits, scheduling and labels. */

#include <errno.h>
#include <linux/ioprio.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "container/cpu-mask.h"
#include "container/plan-parts.h"
#include "protocol/state-dir.h"

#define DEFAULT_UMASK          0022
#define KEEP_GROUPS_ANNOTATION "run.oci.keep_original_groups"

typedef struct Word {
        const char *name;
        int value;
} Word;

/* getrlimit(2), sched(7), ioprio_set(2), sched_setattr(2) */
static const Word rlimit_words[] = {
        {"RLIMIT_AS",      RLIMIT_AS},
        {"RLIMIT_CORE",                RLIMIT_CORE},
        {"RLIMIT_CPU",RLIMIT_CPU},
        {"RLIMIT_DATA",     RLIMIT_DATA},
        {"RLIMIT_FSIZE",                RLIMIT_FSIZE},
        {"RLIMIT_LOCKS", RLIMIT_LOCKS},
        {"RLIMIT_MEMLOCK",   RLIMIT_MEMLOCK},
        {"RLIMIT_MSGQUEUE",                RLIMIT_MSGQUEUE},
        {"RLIMIT_NICE",    RLIMIT_NICE},
        {"RLIMIT_NOFILE", RLIMIT_NOFILE},
        {"RLIMIT_NPROC",                RLIMIT_NPROC},
        {"RLIMIT_RSS",RLIMIT_RSS},
        {"RLIMIT_RTPRIO",    RLIMIT_RTPRIO},
        {"RLIMIT_RTTIME",                RLIMIT_RTTIME},
        {"RLIMIT_SIGPENDING",   RLIMIT_SIGPENDING},
        {"RLIMIT_STACK",   RLIMIT_STACK},
        {NULL               },
};

#define SCHED_ISO 4 /* reserved in the kernel, and so refused by it */

static const Word policy_words[] = {
        {"SCHED_OTHER", SCHED_NORMAL},
        {"SCHED_FIFO",             SCHED_FIFO},
        {"SCHED_RR",SCHED_RR},
        {"SCHED_BATCH",    SCHED_BATCH},
        {"SCHED_ISO",             SCHED_ISO},
        {"SCHED_IDLE",SCHED_IDLE},
        {"SCHED_DEADLINE",   SCHED_DEADLINE},
        {NULL            },
};

static const Word scheduler_flag_words[] = {
        {"SCHED_FLAG_RESET_ON_FORK", SCHED_FLAG_RESET_ON_FORK},
        {"SCHED_FLAG_RECLAIM",                          SCHED_FLAG_RECLAIM},
        {"SCHED_FLAG_DL_OVERRUN",SCHED_FLAG_DL_OVERRUN},
        {"SCHED_FLAG_KEEP_POLICY",    SCHED_FLAG_KEEP_POLICY},
        {"SCHED_FLAG_KEEP_PARAMS",                          SCHED_FLAG_KEEP_PARAMS},
        {"SCHED_FLAG_UTIL_CLAMP_MIN", SCHED_FLAG_UTIL_CLAMP_MIN},
        {"SCHED_FLAG_UTIL_CLAMP_MAX",   SCHED_FLAG_UTIL_CLAMP_MAX},
        {NULL                         },
};

static const Word io_class_words[] = {
        {"IOPRIO_CLASS_RT",   IOPRIO_CLASS_RT},
        {"IOPRIO_CLASS_BE",                   IOPRIO_CLASS_BE},
        {"IOPRIO_CLASS_IDLE",IOPRIO_CLASS_IDLE},
        {NULL},
};

/* The decoder has made sure that the word is one of them. */
static int word_value(const Word *words, const char *name) {
        while (words->name && strcmp(words->name, name) != 0)
                words++;
        return words->value;
}

static void plan_rlimits(Plan *plan, const OciProcess *process) {
        InitPlan *init = plan->init;

        init->n_rlimits = process->n_rlimits;
        plan_array(plan, &init->rlimits, init->n_rlimits, sizeof(*init->rlimits));
        for (size_t i = 0; i < init->n_rlimits; i++) {
                const OciRlimit *rlimit = &process->rlimits[i];

                image_link_string(plan->image, &init->rlimits[i].name, rlimit->type);
                init->rlimits[i].resource = word_value(rlimit_words, rlimit->type);
                init->rlimits[i].soft = rlimit->soft;
                init->rlimits[i].hard = rlimit->hard;
        }
}

static void plan_user(Plan *plan, const OciConfig *config) {
        const OciProcess *process = config->process;
        InitPlan *init = plan->init;
        const char *keep_groups = oci_pairs_get(&config->annotations, KEEP_GROUPS_ANNOTATION);

        init->uid = process->uid;
        init->gid = process->gid;
        init->umask = process->umask.set ? (uint32_t) process->umask.value : DEFAULT_UMASK;
        init->n_groups = process->n_additional_gids;
        if (init->n_groups > 0)
                image_link_data(plan->image, &init->groups, process->additional_gids,
                                init->n_groups * sizeof(*init->groups));
        init->keep_groups = keep_groups && strcmp(keep_groups, "1") == 0;
}

static void plan_scheduling(Plan *plan, const OciProcess *process) {
        const OciScheduler *scheduler = process->scheduler;
        InitPlan *init = plan->init;

        if (scheduler) {
                SchedulerPlan *entry = plan_array(plan, &init->scheduler, 1, sizeof(*entry));

                entry->policy = (uint32_t) word_value(policy_words, scheduler->policy);
                for (char **flag = scheduler->flags; flag && *flag; flag++)
                        entry->flags |= (uint64_t) word_value(scheduler_flag_words, *flag);
                entry->nice = (int32_t) scheduler->nice.value;
                entry->priority = (uint32_t) scheduler->priority.value;
                entry->runtime = scheduler->runtime.value;
                entry->deadline = scheduler->deadline.value;
                entry->period = scheduler->period.value;
        }
        if (process->io_priority_class) {
                init->has_io_priority = true;
                init->io_priority = IOPRIO_PRIO_VALUE(word_value(io_class_words, process->io_priority_class),
                                                      (int) process->io_priority.value);
        }
}

static bool plan_cpu_mask(Plan *plan, CpuMask *mask, const char *list, const char *name, GError **error) {
        g_autofree uint8_t *bytes = NULL;

        if (!list)
                return true;
        if (cpu_mask_parse(list, &bytes, &mask->size) < 0)
                return fail(error, "process.execCPUAffinity.%s: '%s' is not a list of CPUs like '0-3,7'",
                            name, list);
        image_link_data(plan->image, &mask->bytes, bytes, mask->size);
        return true;
}

/* The program must not run with less confinement than the config says, so the host has to have AppArmor. */
static bool plan_apparmor(Plan *plan, const char *profile, GError **error) {
        g_autofree char *enabled = NULL;

        if (!profile)
                return true;
        g_file_get_contents("/sys/module/apparmor/parameters/enabled", &enabled, NULL, NULL);
        if (enabled && enabled[0] == 'Y')
                image_link_string(plan->image, &plan->init->apparmor_profile, profile);
        else if (strcmp(profile, "unconfined") != 0)
                return fail(error,
                            "process.apparmorProfile: '%s' can't be applied, AppArmor is not enabled on this "
                            "host",
                            profile);
        return true;
}

/* Likewise with SELinux. */
static bool plan_selinux(Plan *plan, const char *label, const PlanContext *context, GError **error) {
        if (!label)
                return true;
        if (!context->selinux)
                return fail(
                        error,
                        "process.selinuxLabel: '%s' can't be applied, SELinux is not enabled on this host",
                        label);
        image_link_string(plan->image, &plan->init->selinux_label, label);
        return true;
}

/* Puts @entry before @first unless its variable is there already. Returns where the array begins then. */
static const char **keep_variable(const char **first, GHashTable *names, const char *entry) {
        if (g_hash_table_add(names, g_strndup(entry, strcspn(entry, "="))))
                *--first = entry;
        return first;
}

/* Of a variable that stands there twice the last one counts (with the peers; to getenv(3) it would be the
 * first, to most shells the last), and an empty HOME is none: init finds one. Of sockets the program is told
 * as by sd_listen_fds(3); its PID is known to init alone. */
static void plan_env(Plan *plan, char *const *env, const PlanContext *context) {
        g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        g_autofree const char **kept = NULL;
        g_autofree char *listen_fds = g_strdup_printf("LISTEN_FDS=%u", context->listen_fds);
        g_autofree char *listen_names =
                g_strdup_printf("LISTEN_FDNAMES=%s", context->listen_names ? context->listen_names : "");
        g_autofree char *watchdog = g_strdup_printf("WATCHDOG_USEC=%s", context->watchdog_usec);
        g_autofree char *credentials = g_strdup_printf("CREDENTIALS_DIRECTORY=%s", context->credentials_path);
        const char **first;
        size_t n = 0;

        while (env && env[n])
                n++;
        kept = g_new0(const char *, n + 6);
        first = kept + n + 5;
        if (context->notify_directory)
                first = keep_variable(first, names,
                                      "NOTIFY_SOCKET=" NOTIFY_DESTINATION "/" NOTIFY_SOCKET_NAME);
        /* Without WATCHDOG_PID it is meant for whoever asks (sd_watchdog_enabled(3)). */
        if (context->watchdog_usec)
                first = keep_variable(first, names, watchdog);
        if (context->credentials_directory)
                first = keep_variable(first, names, credentials);
        if (context->listen_fds > 0) {
                plan->init->listen_pid = true;
                g_hash_table_add(names, g_strdup("LISTEN_PID"));
                first = keep_variable(first, names, listen_fds);
                if (context->listen_names)
                        first = keep_variable(first, names, listen_names);
                else
                        g_hash_table_add(names, g_strdup("LISTEN_FDNAMES"));
        }
        for (size_t i = n; i > 0; i--)
                if (strcmp(env[i - 1], "HOME=") != 0)
                        first = keep_variable(first, names, env[i - 1]);
                else
                        g_hash_table_add(names, g_strdup("HOME"));
        image_link_strings(plan->image, &plan->init->env, first);
}

static bool plan_program(Plan *plan, const OciProcess *process, const PlanContext *context, GError **error) {
        InitPlan *init = plan->init;

        if (!process->args[0])
                return fail(error, "process.args: empty, the program's name is missing");
        image_link_strings(plan->image, &init->args, (const char *const *) process->args);
        plan_env(plan, process->env, context);
        image_link_string(plan->image, &init->cwd, process->cwd);
        init->no_new_privileges = process->no_new_privileges;
        init->terminal = process->terminal;
        init->console_rows = (uint16_t) process->console_height.value;
        init->console_columns = (uint16_t) process->console_width.value;
        if (init->terminal && !context->console)
                return fail(error, "process.terminal: there is no console socket to send the terminal to");
        plan->expects_console = init->terminal;
        return true;
}

static void plan_sysctls(Plan *plan, const OciLinux *linux) {
        InitPlan *init = plan->init;

        init->n_sysctls = linux->sysctl.n;
        plan_array(plan, &init->sysctls, init->n_sysctls, sizeof(*init->sysctls));
        for (size_t i = 0; i < init->n_sysctls; i++) {
                const OciPair *pair = &linux->sysctl.items[i];
                g_autofree char *path = oci_sysctl_path(pair->key);

                plan_text(plan, &init->sysctls[i].name, "linux.sysctl['%s']", pair->key);
                image_link_string(plan->image, &init->sysctls[i].path, path);
                image_link_string(plan->image, &init->sysctls[i].value, pair->value);
        }
}

bool plan_process(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        const OciProcess *process = config->process;
        InitPlan *init = plan->init;

        plan_sysctls(plan, &config->linux);
        if (config->linux.personality_domain) {
                init->has_personality = true;
                init->personality =
                        strcmp(config->linux.personality_domain, "LINUX32") == 0 ? PER_LINUX32 : PER_LINUX;
        }
        init->has_process = process != NULL;
        if (!process)
                return true;
        init->has_oom_score_adj = process->oom_score_adj.set;
        init->oom_score_adj = (int32_t) process->oom_score_adj.value;
        init->oom_score_adj_optional = context->rootless;
        if (!context->no_new_keyring)
                plan_text(plan, &init->session_keyring, "_ses.%s", context->id);
        plan_rlimits(plan, process);
        plan_user(plan, config);
        plan_scheduling(plan, process);
        return plan_program(plan, process, context, error) &&
               plan_capabilities(plan, process, context, error) &&
               plan_apparmor(plan, process->apparmor_profile, error) &&
               plan_selinux(plan, process->selinux_label, context, error) &&
               plan_memory_policy(plan, &config->linux, error) &&
               plan_cpu_mask(plan, &init->cpu_affinity_initial, process->exec_cpu_affinity_initial, "initial",
                             error) &&
               plan_cpu_mask(plan, &init->cpu_affinity_final, process->exec_cpu_affinity_final, "final",
                             error);
}
