/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program keeps in R2 the kinds of access that were asked for and are not decided yet, and goes through
 * the rules from the last to the first: an allowing one that matches strikes its kinds from R2, and when none
 * is left the answer is yes; a denying one that matches and has a kind in R2 says no. See struct
 * bpf_cgroup_dev_ctx in linux/bpf.h. */

#include "cgroup/device-program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"

#define PROLOGUE_SIZE 7
#define RULE_SIZE_MAX 8
#define EPILOGUE_SIZE 2

#define INSTRUCTION(c, d, s, o, i)                                                                           \
        ((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (int16_t) (o), .imm = (i)})
#define LOAD_WORD(register, field)                                                                           \
        INSTRUCTION(BPF_LDX | BPF_MEM | BPF_W, register, BPF_REG_1,                                          \
                    offsetof(struct bpf_cgroup_dev_ctx, field), 0)
#define MOVE(to, from)          INSTRUCTION(BPF_ALU | BPF_MOV | BPF_X, to, from, 0, 0)
#define MOVE_NUMBER(to, number) INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number)
#define AND_NUMBER(to, number)  INSTRUCTION(BPF_ALU | BPF_AND | BPF_K, to, 0, 0, number)
#define SHIFT_RIGHT(to, number) INSTRUCTION(BPF_ALU | BPF_RSH | BPF_K, to, 0, 0, number)
#define JUMP(condition, left, number, offset)                                                                \
        INSTRUCTION(BPF_JMP | (condition) | BPF_K, left, 0, offset, number)
#define EXIT() INSTRUCTION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

enum {
        ACCESS = BPF_REG_2, /* what is not decided yet */
        TYPE = BPF_REG_3,
        MAJOR = BPF_REG_4,
        MINOR = BPF_REG_5,
        SCRATCH = BPF_REG_6,
};

typedef struct Program {
        struct bpf_insn *instructions;
        size_t n;
} Program;

static void emit(Program *program, struct bpf_insn instruction) {
        program->instructions[program->n++] = instruction;
}

static void emit_prologue(Program *program) {
        emit(program, LOAD_WORD(TYPE, access_type));
        emit(program, MOVE(ACCESS, TYPE));
        emit(program, AND_NUMBER(TYPE, 0xffff));
        emit(program, SHIFT_RIGHT(ACCESS, 16));
        emit(program, LOAD_WORD(MAJOR, major));
        emit(program, LOAD_WORD(MINOR, minor));
}

static int access_bits(const DeviceRule *rule) {
        return (rule->mknod ? BPF_DEVCG_ACC_MKNOD : 0) | (rule->read ? BPF_DEVCG_ACC_READ : 0) |
               (rule->write ? BPF_DEVCG_ACC_WRITE : 0);
}

static void emit_rule(Program *program, const DeviceRule *rule) {
        struct bpf_insn part[RULE_SIZE_MAX];
        size_t n = 0, n_conditions;
        int bits = access_bits(rule);

        if (bits == 0)
                return;
        /* The conditions; how far to jump is known only when all is there. */
        if (rule->type != 'a')
                part[n++] =
                        JUMP(BPF_JNE, TYPE, rule->type == 'b' ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR, 0);
        if (rule->major >= 0)
                part[n++] = JUMP(BPF_JNE, MAJOR, (int32_t) rule->major, 0);
        if (rule->minor >= 0)
                part[n++] = JUMP(BPF_JNE, MINOR, (int32_t) rule->minor, 0);
        n_conditions = n;

        if (rule->allow) {
                part[n++] = AND_NUMBER(ACCESS, ~bits);
                part[n++] = JUMP(BPF_JNE, ACCESS, 0, 2);
                part[n++] = MOVE_NUMBER(BPF_REG_0, 1);
        } else {
                part[n++] = MOVE(SCRATCH, ACCESS);
                part[n++] = AND_NUMBER(SCRATCH, bits);
                part[n++] = JUMP(BPF_JEQ, SCRATCH, 0, 2);
                part[n++] = MOVE_NUMBER(BPF_REG_0, 0);
        }
        part[n++] = EXIT();

        for (size_t i = 0; i < n_conditions; i++)
                part[i].off = (int16_t) (n - i - 1);
        for (size_t i = 0; i < n; i++)
                emit(program, part[i]);
}

int device_program_build(const DeviceRule *rules, size_t n_rules, struct bpf_insn **ret_program) {
        Program program = {NULL, 0};

        if (n_rules > 4096)
                return -E2BIG;
        program.instructions = calloc(PROLOGUE_SIZE + EPILOGUE_SIZE + n_rules * (RULE_SIZE_MAX + 1),
                                      sizeof(struct bpf_insn));
        if (!program.instructions)
                return -ENOMEM;
        emit_prologue(&program);
        for (size_t i = n_rules; i > 0; i--)
                emit_rule(&program, &rules[i - 1]);
        emit(&program, MOVE_NUMBER(BPF_REG_0, 0));
        emit(&program, EXIT());
        *ret_program = program.instructions;
        return (int) program.n;
}

static int sys_bpf(int command, union bpf_attr *attributes) {
        int r = (int) syscall(SYS_bpf, command, attributes, sizeof(*attributes));

        return r < 0 ? -errno : r;
}

/* The verifier gives EAGAIN when a signal is pending. */
static int load_program(const struct bpf_insn *instructions, size_t n) {
        union bpf_attr attributes;
        int r;

        memset(&attributes, 0, sizeof(attributes));
        attributes.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
        attributes.insn_cnt = (uint32_t) n;
        attributes.insns = (uint64_t) (uintptr_t) instructions;
        attributes.license = (uint64_t) (uintptr_t) "LGPL-2.1-or-later";
        for (int tries = 0; tries < 5; tries++) {
                r = sys_bpf(BPF_PROG_LOAD, &attributes);
                if (r != -EAGAIN)
                        break;
        }
        return r;
}

int device_program_attach(int group_fd, const DeviceRule *rules, size_t n_rules) {
        autofree struct bpf_insn *instructions = NULL;
        autoclose int program_fd = -EBADF, attach_fd = -EBADF;
        union bpf_attr attributes;
        int n = device_program_build(rules, n_rules, &instructions);

        if (n < 0)
                return n;
        program_fd = load_program(instructions, (size_t) n);
        if (program_fd < 0)
                return program_fd;
        /* An O_PATH fd is not enough for the kernel here. */
        attach_fd = openat(group_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (attach_fd < 0)
                return -errno;
        memset(&attributes, 0, sizeof(attributes));
        attributes.target_fd = (uint32_t) attach_fd;
        attributes.attach_bpf_fd = (uint32_t) program_fd;
        attributes.attach_type = BPF_CGROUP_DEVICE;
        attributes.attach_flags = BPF_F_ALLOW_MULTI;
        return sys_bpf(BPF_PROG_ATTACH, &attributes);
}
