/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The device program, run by a small interpreter: what it answers, without a kernel. */

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup/device-program.h"

static uint64_t operand(const struct bpf_insn *instruction, const uint64_t *registers) {
        return BPF_SRC(instruction->code) == BPF_X ? registers[instruction->src_reg]
                                                   : (uint64_t) (int64_t) instruction->imm;
}

/* Only what the program uses; anything else is an error of the test. */
static uint64_t run(const struct bpf_insn *program, int n, const struct bpf_cgroup_dev_ctx *context) {
        uint64_t registers[11] = {0};

        for (int at = 0; at < n; at++) {
                const struct bpf_insn *one = &program[at];
                uint64_t *target = &registers[one->dst_reg];
                uint64_t value = operand(one, registers);

                switch (one->code) {
                case BPF_LDX | BPF_MEM | BPF_W:
                        *target = *(const uint32_t *) (const void *) ((const char *) context + one->off);
                        break;
                case BPF_ALU64 | BPF_MOV | BPF_K:
                        *target = value;
                        break;
                case BPF_ALU | BPF_MOV | BPF_X:
                        *target = (uint32_t) value;
                        break;
                case BPF_ALU | BPF_AND | BPF_K:
                        *target = (uint32_t) *target & (uint32_t) value;
                        break;
                case BPF_ALU | BPF_RSH | BPF_K:
                        *target = (uint32_t) *target >> value;
                        break;
                case BPF_JMP | BPF_JNE | BPF_K:
                        at += *target != value ? one->off : 0;
                        break;
                case BPF_JMP | BPF_JEQ | BPF_K:
                        at += *target == value ? one->off : 0;
                        break;
                case BPF_JMP | BPF_EXIT:
                        return registers[0];
                default:
                        g_error("instruction %d: code 0x%x", at, one->code);
                }
        }
        g_error("the program has no end");
}

/* "allow c 1:3 rwm" */
static DeviceRule parse_rule(const char *text) {
        g_auto(GStrv) words = g_strsplit(text, " ", -1);
        g_auto(GStrv) numbers = g_strsplit(words[2], ":", -1);
        DeviceRule rule = {0};

        rule.allow = strcmp(words[0], "allow") == 0;
        rule.type = words[1][0];
        rule.major = strcmp(numbers[0], "*") == 0 ? -1 : atoi(numbers[0]);
        rule.minor = strcmp(numbers[1], "*") == 0 ? -1 : atoi(numbers[1]);
        rule.read = strchr(words[3], 'r');
        rule.write = strchr(words[3], 'w');
        rule.mknod = strchr(words[3], 'm');
        return rule;
}

static uint64_t answer(const char *rules_text, const char *request) {
        g_auto(GStrv) lines = g_strsplit(rules_text, ", ", -1);
        DeviceRule rules[16], asked;
        struct bpf_cgroup_dev_ctx context;
        struct bpf_insn *program = NULL;
        g_autofree char *as_rule = g_strconcat("allow ", request, NULL);
        size_t n_rules = 0;
        uint64_t result;
        int n;

        for (char **line = lines; *line && **line; line++)
                rules[n_rules++] = parse_rule(*line);
        asked = parse_rule(as_rule);
        context.access_type =
                (uint32_t) (asked.type == 'b' ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR) |
                (uint32_t) ((asked.mknod ? BPF_DEVCG_ACC_MKNOD : 0) | (asked.read ? BPF_DEVCG_ACC_READ : 0) |
                            (asked.write ? BPF_DEVCG_ACC_WRITE : 0))
                        << 16;
        context.major = (uint32_t) asked.major;
        context.minor = (uint32_t) asked.minor;
        n = device_program_build(rules, n_rules, &program);
        g_assert_cmpint(n, >, 0);
        result = run(program, n, &context);
        free(program);
        return result;
}

static void test_the_last_rule_that_matches_decides(void) {
        static const struct {
                const char *rules, *request;
                uint64_t answer;
        } rows[] = {
                {"",                                            "c 1:3 r",    0},
                {"allow c 1:3 rwm",                             "c 1:3 rw",   1},
                {"allow c 1:3 rwm",                             "c 1:3 rwm",  1},
                {"allow c 1:3 rwm",                             "c 1:5 r",    0},
                {"allow c 1:3 rwm",                             "b 1:3 r",    0},
                {"allow c 1:3 r",                               "c 1:3 w",    0},
                {"allow c 1:3 r",                               "c 1:3 rw",   0},
                {"allow c 1:3 r, allow c 1:3 w",                "c 1:3 rw",   1},
                {"allow a *:* rwm",                             "b 8:0 rw",   1},
                {"allow a *:* rwm, deny b 8:0 w",               "b 8:0 w",    0},
                {"allow a *:* rwm, deny b 8:0 w",               "b 8:0 rw",   0},
                {"allow a *:* rwm, deny b 8:0 w",               "b 8:0 r",    1},
                {"allow a *:* rwm, deny b 8:0 w",               "b 8:1 w",    1},
                {"deny b 8:0 w, allow a *:* rwm",               "b 8:0 w",    1},
                {"allow a *:* rwm, deny a *:* rwm",             "c 1:3 r",    0},
                {"deny a *:* rwm, allow c 136:* rwm",           "c 136:9 rw", 1},
                {"deny a *:* rwm, allow c *:9 rwm",             "c 136:9 rw", 1},
                {"deny a *:* rwm, allow c *:9 rwm",             "c 136:8 rw", 0},
                {"allow b *:* m, allow c *:* m",                "b 7:0 m",    1},
                {"allow b *:* m, allow c *:* m",                "b 7:0 rm",   0},
                {"allow c 1:3 rw, deny c 1:3 m, allow c 1:3 m", "c 1:3 rwm",  1},
                {"allow c 1:3 ",                                "c 1:3 r",    0},
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
                if (answer(rows[i].rules, rows[i].request) != rows[i].answer)
                        g_error("%s: %s is not %d", rows[i].rules, rows[i].request, (int) rows[i].answer);
}

static void test_too_many_rules(void) {
        struct bpf_insn *program;
        DeviceRule *rules = g_new0(DeviceRule, 5000);

        g_assert_cmpint(device_program_build(rules, 5000, &program), ==, -E2BIG);
        g_free(rules);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/cgroup/device-program/rules", test_the_last_rule_that_matches_decides);
        g_test_add_func("/cgroup/device-program/many", test_too_many_rules);
        return g_test_run();
}
