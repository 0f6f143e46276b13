/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.seccomp, compiled by libseccomp into the program that init loads. Two things are ours: several
 * conditions on one argument are alternatives (as with the peers, libseccomp has no such rule), and system
 * calls that are newer than the profile give ENOSYS instead of what a profile that forbids by default has for
 * them, since C libraries fall back on ENOSYS only. */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "container/plan-parts.h"
#include "container/seccomp-word.h"
#include "oci/state.h"

#define MAX_PROGRAM_SIZE ((size_t) BPF_MAXINSNS * sizeof(struct sock_filter))
#define ERRNO_MAX        4095U       /* MAX_ERRNO of the kernel: it would cut what is more */
#define X32_BIT          0x40000000U /* of system call numbers, asm/unistd.h */

#define PID_PLACEHOLDER 1 /* in the state for the listener; cut out again */
#define PID_KEY         "\"pid\":"
#define PID_TEXT        PID_KEY "1"

#define FAIL_UNKNOWN_ANNOTATION "run.oci.seccomp_fail_unknown_syscall"
#define RECEIVER_ANNOTATION     "run.oci.seccomp.receiver"

/* What is being compiled. */
typedef struct Compilation {
        const OciSeccomp *seccomp;
        scmp_filter_ctx context;
        uint32_t default_action;
        GArray *architectures; /* of uint32_t, SCMP_ARCH_… */
} Compilation;

static bool get_action(const char *name, const MaybeUint *errno_ret, uint32_t *ret_action, const char *path,
                       GError **error) {
        uint32_t value = errno_ret->set ? (uint32_t) errno_ret->value : EPERM;

        if (seccomp_action_from_name(name, value, ret_action) < 0)
                return fail(error, "%s: '%s' is not a seccomp action", path, name);
        if (!errno_ret->set)
                return true;
        /* "When the action doesn't support an errno, the runtime MUST print and error and fail." */
        if (!seccomp_action_has_value(*ret_action))
                return fail(error, "%s: %s has no errno, but one is given (%u)", path, name, value);
        if (value >
            ((*ret_action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO ? ERRNO_MAX : SECCOMP_RET_DATA))
                return fail(error, "%s: %s can't give %u", path, name, value);
        return true;
}

static bool add_architectures(Compilation *compilation, GError **error) {
        char **names = compilation->seccomp->architectures;
        uint32_t native = seccomp_arch_native();

        g_array_append_val(compilation->architectures, native);
        for (size_t i = 0; names && names[i]; i++) {
                uint32_t architecture = seccomp_architecture_from_name(names[i]);
                int r;

                if (architecture == 0)
                        return fail(error,
                                    "linux.seccomp.architectures[%zu]: '%s' is not known to libseccomp", i,
                                    names[i]);
                r = seccomp_arch_add(compilation->context, architecture);
                if (r == -EEXIST)
                        continue;
                if (r < 0)
                        return fail_errno(error, r, "linux.seccomp.architectures[%zu]: '%s'", i, names[i]);
                g_array_append_val(compilation->architectures, architecture);
        }
        return true;
}

static bool get_comparison(const OciSeccompArg *arg, struct scmp_arg_cmp *ret_comparison, const char *path,
                           GError **error) {
        int comparison = seccomp_operator_from_name(arg->op);

        if (comparison < 0)
                return fail(error, "%s.op: '%s' is not a seccomp operator", path, arg->op);
        *ret_comparison = (struct scmp_arg_cmp){
                .arg = arg->index,
                .op = (enum scmp_compare) comparison,
                .datum_a = arg->value,
                .datum_b = arg->value_two,
        };
        return true;
}

static bool args_repeat(const OciSeccompSyscall *rule) {
        unsigned seen = 0;

        for (size_t i = 0; i < rule->n_args; i++) {
                if (seen & 1U << rule->args[i].index)
                        return true;
                seen |= 1U << rule->args[i].index;
        }
        return false;
}

static int add_rule(const Compilation *compilation, uint32_t action, int number,
                    const struct scmp_arg_cmp *args, size_t n, bool alternatives) {
        int r = 0;

        if (!alternatives)
                r = seccomp_rule_add_array(compilation->context, action, number, (unsigned) n, args);
        for (size_t i = 0; alternatives && (r >= 0 || r == -EEXIST) && i < n; i++)
                r = seccomp_rule_add_array(compilation->context, action, number, 1, &args[i]);
        return r == -EEXIST ? 0 : r;
}

/* Turns rule @i's words into what libseccomp takes. */
static bool get_rule(const OciSeccomp *seccomp, size_t i, uint32_t *ret_action,
                     struct scmp_arg_cmp **ret_args, GError **error) {
        const OciSeccompSyscall *rule = &seccomp->syscalls[i];
        g_autofree char *path = g_strdup_printf("linux.seccomp.syscalls[%zu].action", i);
        g_autofree struct scmp_arg_cmp *args = g_new0(struct scmp_arg_cmp, rule->n_args);

        if (!get_action(rule->action, &rule->errno_ret, ret_action, path, error))
                return false;
        for (size_t k = 0; k < rule->n_args; k++) {
                g_autofree char *arg_path = g_strdup_printf("linux.seccomp.syscalls[%zu].args[%zu]", i, k);

                if (!get_comparison(&rule->args[k], &args[k], arg_path, error))
                        return false;
        }
        *ret_args = g_steal_pointer(&args);
        return true;
}

static bool add_syscall(const Compilation *compilation, size_t i, GError **error) {
        const OciSeccompSyscall *rule = &compilation->seccomp->syscalls[i];
        g_autofree struct scmp_arg_cmp *args = NULL;
        uint32_t action;

        if (!get_rule(compilation->seccomp, i, &action, &args, error))
                return false;
        /* libseccomp refuses rules that say what goes without saying. */
        if (action == compilation->default_action)
                return true;
        for (char **name = rule->names; *name; name++) {
                int number = seccomp_syscall_resolve_name(*name), r;

                if (number == __NR_SCMP_ERROR) {
                        g_debug("linux.seccomp.syscalls[%zu]: '%s' is not known to libseccomp, skipping", i,
                                *name);
                        continue;
                }
                r = add_rule(compilation, action, number, args, rule->n_args, args_repeat(rule));
                if (r < 0)
                        return fail_errno(error, r,
                                          "linux.seccomp.syscalls[%zu]: cannot make a rule for '%s'", i,
                                          *name);
        }
        return true;
}

/* The highest number on @architecture of a system call that the profile names; -1: none. */
static int highest_number(const OciSeccomp *seccomp, uint32_t architecture) {
        int highest = -1;

        for (size_t i = 0; i < seccomp->n_syscalls; i++)
                for (char **name = seccomp->syscalls[i].names; *name; name++)
                        highest = MAX(highest, seccomp_syscall_resolve_name_arch(architecture, *name));
        return highest;
}

/* For one architecture: "if the number is beyond @highest, ENOSYS". */
static void append_enosys(GArray *program, uint32_t architecture, unsigned highest) {
        const struct sock_filter code[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, 4),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                /* x32 shares the architecture's number with x86_64; its calls are left to the rules. */
                BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 2, 0),
                BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, highest, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        };

        g_array_append_vals(program, code, G_N_ELEMENTS(code));
}

/* What lets system calls through, or gives them to a tracer, which then answers for new ones too. */
static bool is_permissive(uint32_t action) {
        uint32_t kind = action & SECCOMP_RET_ACTION_FULL;

        return kind == SECCOMP_RET_ALLOW || kind == SECCOMP_RET_LOG || kind == SECCOMP_RET_TRACE;
}

/* Also beside an explicit defaultErrnoRet, as with runc: engines' profiles write down the EPERM that is the
 * default anyway. */
static void append_enosys_rules(const Compilation *compilation, GArray *program) {
        if (is_permissive(compilation->default_action) ||
            compilation->default_action == SCMP_ACT_ERRNO(ENOSYS))
                return;
        for (guint i = 0; i < compilation->architectures->len; i++) {
                uint32_t architecture = g_array_index(compilation->architectures, uint32_t, i);
                int highest = highest_number(compilation->seccomp, architecture);

                if (highest >= 0 && architecture != SCMP_ARCH_X32)
                        append_enosys(program, architecture, (unsigned) highest);
        }
}

static bool export_program(const Compilation *compilation, GArray *program, GError **error) {
        autoclose int fd = memfd_create("seccomp", MFD_CLOEXEC);
        autofree char *data = NULL;
        size_t size = 0;
        int r = fd < 0 ? -errno : seccomp_export_bpf(compilation->context, fd);

        if (r >= 0 && lseek(fd, 0, SEEK_SET) < 0)
                r = -errno;
        if (r >= 0)
                r = fd_read_all(fd, MAX_PROGRAM_SIZE, &data, &size);
        if (r < 0)
                return fail_errno(error, r, "linux.seccomp: cannot compile the filter");
        append_enosys_rules(compilation, program);
        g_array_append_vals(program, data, (guint) (size / sizeof(struct sock_filter)));
        return program->len <= BPF_MAXINSNS ? true
                                            : fail(error,
                                                   "linux.seccomp: the filter needs %u instructions, the "
                                                   "kernel takes %d",
                                                   program->len, BPF_MAXINSNS);
}

static bool plan_flags(Plan *plan, const OciSeccomp *seccomp, GError **error) {
        InitPlan *init = plan->init;

        for (size_t i = 0; seccomp->flags && seccomp->flags[i]; i++) {
                uint64_t flag = seccomp_flag_from_name(seccomp->flags[i]);

                if (flag == 0)
                        return fail(error, "linux.seccomp.flags[%zu]: '%s' is not a seccomp flag", i,
                                    seccomp->flags[i]);
                init->seccomp_flags |= flag;
        }
        /* The kernel takes this one only with, and TSYNC not along with, a listener. There is one thread, so
         * that TSYNC means nothing. */
        if (!init->seccomp_notify)
                init->seccomp_flags &= ~(uint64_t) SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
        else
                init->seccomp_flags &= ~(uint64_t) SECCOMP_FILTER_FLAG_TSYNC;
        return true;
}

static bool get_default_action(const OciSeccomp *seccomp, uint32_t *ret_action, GError **error) {
        return get_action(seccomp->default_action, &seccomp->default_errno_ret, ret_action,
                          "linux.seccomp.defaultAction", error);
}

/* Names that libseccomp does not know are newer than it and fall under the default, as with the peers, unless
 * crun's annotation wants an error. With SCMP_ACT_NOTIFY, runc's exceptions: the profile of one runtime must
 * do for the other. */
static bool check_names(const OciSeccomp *seccomp, size_t i, bool fail_unknown, bool notify, bool *ret_notify,
                        GError **error) {
        char **names = seccomp->syscalls[i].names;

        if (!notify && !fail_unknown)
                return true;
        for (size_t k = 0; names[k]; k++) {
                if (seccomp_syscall_resolve_name(names[k]) == __NR_SCMP_ERROR) {
                        if (fail_unknown)
                                return fail(error,
                                            "linux.seccomp.syscalls[%zu].names[%zu]: '%s' is not known to "
                                            "libseccomp, which annotation '" FAIL_UNKNOWN_ANNOTATION
                                            "' forbids",
                                            i, k, names[k]);
                        continue;
                }
                if (notify && strcmp(names[k], "write") == 0)
                        return fail(
                                error,
                                "linux.seccomp.syscalls[%zu].names[%zu]: SCMP_ACT_NOTIFY cannot be used for "
                                "the write syscall",
                                i, k);
                *ret_notify = *ret_notify || notify;
        }
        return true;
}

/* All that can be wrong with the config, without compiling it. @ret_notify: set if notifications are asked
 * for */
static bool check(const OciConfig *config, bool *ret_notify, GError **error) {
        const OciSeccomp *seccomp = config->linux.seccomp;
        const char *fail_unknown = oci_pairs_get(&config->annotations, FAIL_UNKNOWN_ANNOTATION);
        uint32_t action;

        if (!get_default_action(seccomp, &action, error))
                return false;
        if (action == SCMP_ACT_NOTIFY)
                return fail(error,
                            "linux.seccomp.defaultAction: SCMP_ACT_NOTIFY cannot be used as the default");
        for (size_t i = 0; seccomp->architectures && seccomp->architectures[i]; i++)
                if (seccomp_architecture_from_name(seccomp->architectures[i]) == 0)
                        return fail(error,
                                    "linux.seccomp.architectures[%zu]: '%s' is not known to libseccomp", i,
                                    seccomp->architectures[i]);
        for (size_t i = 0; i < seccomp->n_syscalls; i++) {
                g_autofree struct scmp_arg_cmp *args = NULL;

                if (!get_rule(seccomp, i, &action, &args, error) ||
                    !check_names(seccomp, i, fail_unknown != NULL && strcmp(fail_unknown, "0") != 0,
                                 action == SCMP_ACT_NOTIFY, ret_notify, error))
                        return false;
        }
        return true;
}

static bool compile(Compilation *compilation, GArray *program, GError **error) {
        const OciSeccomp *seccomp = compilation->seccomp;

        if (!get_default_action(seccomp, &compilation->default_action, error))
                return false;
        compilation->context = seccomp_init(compilation->default_action);
        if (!compilation->context)
                return fail(error, "linux.seccomp.defaultAction: libseccomp does not take '%s'",
                            seccomp->default_action);
        if (!add_architectures(compilation, error))
                return false;
        for (size_t i = 0; i < seccomp->n_syscalls; i++)
                if (!add_syscall(compilation, i, error))
                        return false;
        return export_program(compilation, program, error);
}

const char *plan_seccomp_listener(const OciConfig *config) {
        const OciSeccomp *seccomp = config->linux.seccomp;

        return seccomp && seccomp->listener_path ? seccomp->listener_path
                                                 : oci_pairs_get(&config->annotations, RECEIVER_ANNOTATION);
}

static bool is_realtime(const char *policy) {
        return strcmp(policy, "SCHED_FIFO") == 0 || strcmp(policy, "SCHED_RR") == 0 ||
               strcmp(policy, "SCHED_DEADLINE") == 0;
}

/* Where the notifications go, and what is said there. The state comes in pieces, around the pids that only
 * the process itself knows: its own and, if it is the container's init, that of the container. */
static bool plan_listener(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        const OciProcess *process = config->process;
        const char *path = plan_seccomp_listener(config);
        bool exec = plan->init->is_exec;
        const OciState state = {
                .id = context->id,
                .status = exec ? context->container_status : "created",
                .pid = exec ? context->container_pid : PID_PLACEHOLDER,
                .bundle = context->bundle,
                .annotations = &config->annotations,
        };
        g_autofree char *text =
                oci_state_for_listener(&state, PID_PLACEHOLDER, config->linux.seccomp->listener_metadata);
        g_auto(GStrv) pieces = g_strsplit(text, PID_TEXT, exec ? 2 : 3);

        if (!path)
                return fail(error, "linux.seccomp.listenerPath: required for SCMP_ACT_NOTIFY, but missing");
        if (path[0] != '/')
                return fail(error, "linux.seccomp.listenerPath: '%s' is not an absolute path", path);
        /* Nor is there time for an ordinary thread, which init needs to send the fd, beside a real-time one.
         */
        if (process->scheduler && is_realtime(process->scheduler->policy))
                return fail(error,
                            "linux.seccomp: SCMP_ACT_NOTIFY cannot be used along with "
                            "process.scheduler.policy %s",
                            process->scheduler->policy);
        for (size_t i = 0; pieces[i]; i++)
                plan_text(plan, &plan->init->seccomp_state[i], "%s%s", pieces[i],
                          pieces[i + 1] ? PID_KEY : "");
        return true;
}

bool plan_seccomp(Plan *plan, const OciConfig *config, const PlanContext *context, GError **error) {
        const OciSeccomp *seccomp = config->linux.seccomp;
        InitPlan *init = plan->init;
        int fd;

        init->seccomp_fd = -EBADF;
        if (!seccomp || !config->process)
                return true;
        if (!check(config, &init->seccomp_notify, error) || !plan_flags(plan, seccomp, error) ||
            (init->seccomp_notify && !plan_listener(plan, config, context, error)))
                return false;
        fd = memfd_create("seccomp", MFD_CLOEXEC);
        if (fd < 0)
                return fail_errno(error, errno, "linux.seccomp: cannot make a file for the filter");
        g_array_append_val(plan->fds, fd);
        init->seccomp_fd = fd;
        return true;
}

bool plan_compile_seccomp(const Plan *plan, GError **error) {
        g_autoptr(GArray) program = g_array_new(FALSE, FALSE, sizeof(struct sock_filter));
        Compilation compilation = {.seccomp = plan->config->linux.seccomp};
        int r;
        bool ok;

        if (plan->init->seccomp_fd < 0)
                return true;
        compilation.architectures = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        ok = compile(&compilation, program, error);
        if (compilation.context)
                seccomp_release(compilation.context);
        g_array_unref(compilation.architectures);
        if (!ok)
                return false;
        r = fd_write_all(plan->init->seccomp_fd, program->data, program->len * sizeof(struct sock_filter));
        return r < 0 ? fail_errno(error, r, "linux.seccomp: cannot write the filter") : true;
}
