/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The compiled seccomp program, run by a small interpreter: what it answers to which system call. */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/fd.h"
#include "container/plan-parts.h"
#include "container/seccomp-word.h"
#include "plan-helper.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef NATIVE_ARCH

/* The part of bpf(2), classic, that libseccomp uses. */
static uint32_t run_program(const struct sock_filter *program, size_t n, const struct seccomp_data *data) {
        uint32_t accumulator = 0;

        for (size_t at = 0; at < n; at++) {
                const struct sock_filter *code = &program[at];

                switch (code->code) {
                case BPF_LD | BPF_W | BPF_ABS:
                        memcpy(&accumulator, (const char *) data + code->k, sizeof(accumulator));
                        break;
                case BPF_ALU | BPF_AND | BPF_K:
                        accumulator &= code->k;
                        break;
                case BPF_JMP | BPF_JA:
                        at += code->k;
                        break;
                case BPF_JMP | BPF_JEQ | BPF_K:
                        at += accumulator == code->k ? code->jt : code->jf;
                        break;
                case BPF_JMP | BPF_JGT | BPF_K:
                        at += accumulator > code->k ? code->jt : code->jf;
                        break;
                case BPF_JMP | BPF_JGE | BPF_K:
                        at += accumulator >= code->k ? code->jt : code->jf;
                        break;
                case BPF_JMP | BPF_JSET | BPF_K:
                        at += accumulator & code->k ? code->jt : code->jf;
                        break;
                case BPF_RET | BPF_K:
                        return code->k;
                default:
                        g_error("instruction 0x%x", code->code);
                }
        }
        g_error("ran off the end");
}

typedef struct Call {
        int number;
        uint64_t args[2];
        uint32_t expected;
} Call;

typedef struct Row {
        const char *name;
        const char *seccomp;
        Call calls[6]; /* ended by expected == 0 with number == 0 */
} Row;

#define ALLOW        SECCOMP_RET_ALLOW
#define ERROR(value) (SECCOMP_RET_ERRNO | (value))

static const Row rows[] = {
        {"deny one",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getppid\"], \"action\": "
         "\"SCMP_ACT_ERRNO\"}]",                                                                            {{SYS_getppid, {0}, ERROR(EPERM)}, {SYS_getpid, {0}, ALLOW}, {9999, {0}, ALLOW}}                   },
        {"errnoRet",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getppid\"], \"action\": "
         "\"SCMP_ACT_ERRNO\","
         " \"errnoRet\": 38}]",                                                                             {{SYS_getppid, {0}, ERROR(ENOSYS)}}                                                                },
        {"allow one: newer ones are unknown, not forbidden",
         "\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [{\"names\": [\"getpid\", \"faccessat2\", "
         "\"no_such_call\"],"
         " \"action\": \"SCMP_ACT_ALLOW\"}]",                                                               {{SYS_getpid, {0}, ALLOW},
          {SYS_getppid, {0}, ERROR(EPERM)},
          {SYS_faccessat2, {0}, ALLOW},
          {SYS_faccessat2 + 1, {0}, ERROR(ENOSYS)},
          {9999, {0}, ERROR(ENOSYS)}}                                                                                                                             },
        {"the ENOSYS for newer ones goes before an explicit defaultErrnoRet",
         "\"defaultAction\": \"SCMP_ACT_ERRNO\", \"defaultErrnoRet\": 1, \"syscalls\": [{\"names\": "
         "[\"getpid\"],"
         " \"action\": \"SCMP_ACT_ALLOW\"}]",                                                               {{SYS_getpid, {0}, ALLOW}, {SYS_read, {0}, ERROR(EPERM)}, {9999, {0}, ERROR(ENOSYS)}}              },
        {"arguments",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpgid\"], \"action\": "
         "\"SCMP_ACT_ERRNO\","
         " \"args\": [{\"index\": 0, \"value\": 16, \"op\": \"SCMP_CMP_EQ\"}, {\"index\": 1, \"value\": 9, "
         "\"op\": \"SCMP_CMP_EQ\"}]}]",                                                                     {{SYS_getpgid, {16, 9}, ERROR(EPERM)}, {SYS_getpgid, {16, 8}, ALLOW}, {SYS_getpgid, {1, 9}, ALLOW}}},
        {"two conditions on one argument are alternatives",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpgid\"], \"action\": "
         "\"SCMP_ACT_ERRNO\","
         " \"args\": [{\"index\": 0, \"value\": 1, \"op\": \"SCMP_CMP_EQ\"}, {\"index\": 0, \"value\": 2, "
         "\"op\": \"SCMP_CMP_EQ\"}]}]",                                                                     {{SYS_getpgid, {1}, ERROR(EPERM)}, {SYS_getpgid, {2}, ERROR(EPERM)}, {SYS_getpgid, {3}, ALLOW}}    },
        {"masked",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpgid\"], \"action\": "
         "\"SCMP_ACT_ERRNO\","
         " \"args\": [{\"index\": 0, \"value\": 240, \"valueTwo\": 16, \"op\": \"SCMP_CMP_MASKED_EQ\"}]}]", {{SYS_getpgid, {17}, ERROR(EPERM)}, {SYS_getpgid, {32}, ALLOW}}                                    },
        {"a rule that says what the default says",
         "\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpid\"], \"action\": "
         "\"SCMP_ACT_ALLOW\"},"
         " {\"names\": [\"getppid\"], \"action\": \"SCMP_ACT_KILL_PROCESS\"},"
         " {\"names\": [\"getppid\"], \"action\": \"SCMP_ACT_KILL_PROCESS\"}]",                             {{SYS_getpid, {0}, ALLOW}, {SYS_getppid, {0}, SECCOMP_RET_KILL_PROCESS}}                           },
        {"trace",
         "\"defaultAction\": \"SCMP_ACT_LOG\", \"syscalls\": [{\"names\": [\"getpid\"], \"action\": "
         "\"SCMP_ACT_TRACE\","
         " \"errnoRet\": 7}, {\"names\": [\"getppid\"], \"action\": \"SCMP_ACT_TRAP\"}]",                   {{SYS_getpid, {0}, SECCOMP_RET_TRACE | 7},
          {SYS_getppid, {0}, SECCOMP_RET_TRAP},
          {SYS_getpgid, {0}, SECCOMP_RET_LOG}}                                                                        },
};

static void test_row(gconstpointer data) {
        const Row *row = data;
        g_autofree char *json = g_strdup_printf(", \"seccomp\": {%s}", row->seccomp);
        g_autoptr(TestPlan) test = test_plan_build(NULL, json, NULL, NULL);
        g_autoptr(GError) error = NULL;
        autofree char *program = NULL;
        size_t size;

        plan_compile_seccomp(test->plan, &error);
        g_assert_no_error(error);
        g_assert_cmpint(lseek(test->plan->init->seccomp_fd, 0, SEEK_SET), ==, 0);
        g_assert_cmpint(fd_read_all(test->plan->init->seccomp_fd, 1 << 20, &program, &size), ==, 0);
        for (size_t i = 0; i < G_N_ELEMENTS(row->calls); i++) {
                const Call *call = &row->calls[i];
                struct seccomp_data call_data = {
                        .nr = call->number, .arch = NATIVE_ARCH, .args = {call->args[0], call->args[1]}
                };

                if (call->number == 0 && call->expected == 0)
                        break;
                g_assert_cmphex(run_program((const struct sock_filter *) program,
                                            size / sizeof(struct sock_filter), &call_data),
                                ==, call->expected);
        }
}

#endif

static void test_errors(void) {
        static const struct {
                const char *seccomp, *message;
        } cases[] = {
                {"\"defaultAction\": \"SCMP_ACT_FOO\"",
                 "linux.seccomp.defaultAction: 'SCMP_ACT_FOO' is not a seccomp action"                                                                                                      },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_FOO\"]",
                 "linux.seccomp.architectures[0]: 'SCMP_ARCH_FOO' is not known to libseccomp"                                                                                               },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"flags\": [\"X\"]",
                 "linux.seccomp.flags[0]: 'X' is not a seccomp flag"                                                                                                                        },
                {"\"defaultAction\": \"SCMP_ACT_NOTIFY\", \"listenerPath\": \"/x\"",
                 "linux.seccomp.defaultAction: SCMP_ACT_NOTIFY cannot be used as the default"                                                                                               },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"defaultErrnoRet\": 1",
                 "linux.seccomp.defaultAction: SCMP_ACT_ALLOW has no errno, but one is given (1)"                                                                                           },
                {"\"defaultAction\": \"SCMP_ACT_ERRNO\", \"defaultErrnoRet\": 4096",
                 "linux.seccomp.defaultAction: SCMP_ACT_ERRNO can't give 4096"                                                                                                              },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"listenerPath\": \"/x\", \"syscalls\": "
                 "[{\"names\": [\"write\"], "
                 "\"action\": \"SCMP_ACT_NOTIFY\"}]",                            "linux.seccomp.syscalls[0].names[0]: SCMP_ACT_NOTIFY cannot be used for the write syscall"},
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"listenerPath\": \"@x\", \"syscalls\": "
                 "[{\"names\": [\"getpid\"], "
                 "\"action\": \"SCMP_ACT_NOTIFY\"}]",                            "linux.seccomp.listenerPath: '@x' is not an absolute path"                                },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpid\"], "
                 "\"action\": \"SCMP_ACT_NOTIFY\"}]",                            "linux.seccomp.listenerPath: required for SCMP_ACT_NOTIFY, but missing"                   },
                {"\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"getpid\"], "
                 "\"action\": \"SCMP_ACT_ERRNO\","
                 " \"args\": [{\"index\": 0, \"value\": 1, \"op\": \"X\"}]}]",   "linux.seccomp.syscalls[0].args[0].op: 'X' is not a seccomp operator"                     },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                g_autofree char *json = g_strdup_printf(", \"seccomp\": {%s}", cases[i].seccomp);
                g_autoptr(GError) error = NULL;
                g_autoptr(TestPlan) test = test_plan_build(NULL, json, NULL, &error);

                g_assert_null(test);
                g_assert_cmpstr(error->message, ==, cases[i].message);
        }
}

static void test_flags(void) {
        g_assert_cmpuint(seccomp_flag_from_name("SECCOMP_FILTER_FLAG_LOG"), ==, SECCOMP_FILTER_FLAG_LOG);
        g_assert_cmpuint(seccomp_flag_from_name("SECCOMP_FILTER_FLAG_TSYNC"), ==, SECCOMP_FILTER_FLAG_TSYNC);
        g_assert_cmpuint(seccomp_flag_from_name("nothing"), ==, 0);
        g_assert_cmpuint(seccomp_architecture_from_name("X86_64"), ==, 0);
        g_assert_cmpuint(seccomp_architecture_from_name("SCMP_ARCH_X86_64"), ==, AUDIT_ARCH_X86_64);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
#ifdef NATIVE_ARCH
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *path = g_strdup_printf("/plan-seccomp/program/%s", rows[i].name);

                g_test_add_data_func(path, &rows[i], test_row);
        }
#endif
        g_test_add_func("/plan-seccomp/errors", test_errors);
        g_test_add_func("/plan-seccomp/flags", test_flags);
        return g_test_run();
}
