/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.seccomp: config-linux.md, "Seccomp". Names of actions, operators, architectures, flags and system
 * calls are left to who compiles the filter: libseccomp knows them. */

#include "oci/config.h"

#include "oci/tables.h"
#include "oci/text.h"

#define SYSCALL_ARGUMENT_MAX 5  /* a system call has 6 */
#define ARGUMENTS_MAX        64 /* several may be about the same one */
#define RULES_MAX            8192

static const Field arg_fields[] = {
        FIELD_OF(OciSeccompArg, "index", uint32, index, .required = true, .max = SYSCALL_ARGUMENT_MAX),
        FIELD_OF(OciSeccompArg, "value", uint64, value, .required = true),
        FIELD_OF(OciSeccompArg, "valueTwo", uint64, value_two),
        FIELD_OF(OciSeccompArg, "op", string, op, .required = true),
};
static const Shape arg_shape = {SHAPE(OciSeccompArg, arg_fields)};

static const Field syscall_fields[] = {
        FIELD_OF(OciSeccompSyscall, "names", strings, names, .required = true, .check = text_check_not_empty),
        FIELD_OF(OciSeccompSyscall, "action", string, action, .required = true),
        FIELD_OF(OciSeccompSyscall, "errnoRet", maybe_uint, errno_ret, .max = UINT32_MAX),
        ARRAY_OF(OciSeccompSyscall, "args", structs, args, n_args, .max_n = ARGUMENTS_MAX,
                 .shape = &arg_shape),
};

static bool check_syscall(Decoder *decoder, void *object, GError **error) {
        const OciSeccompSyscall *syscall = object;

        if (syscall->names[0])
                return true;
        return decode_fail(decoder, "names", DECODE_NO_INDEX, error, "at least one name is required");
}

static const Shape syscall_shape = {SHAPE(OciSeccompSyscall, syscall_fields), .check = check_syscall};

static const Field seccomp_fields[] = {
        FIELD_OF(OciSeccomp, "defaultAction", string, default_action, .required = true),
        FIELD_OF(OciSeccomp, "defaultErrnoRet", maybe_uint, default_errno_ret, .max = UINT32_MAX),
        FIELD_OF(OciSeccomp, "architectures", strings, architectures),
        FIELD_OF(OciSeccomp, "flags", strings, flags),
        FIELD_OF(OciSeccomp, "listenerPath", string, listener_path, .empty_is_absent = true),
        FIELD_OF(OciSeccomp, "listenerMetadata", string, listener_metadata, .empty_is_absent = true),
        ARRAY_OF(OciSeccomp, "syscalls", structs, syscalls, n_syscalls, .max_n = RULES_MAX,
                 .shape = &syscall_shape),
};

static bool check_seccomp(Decoder *decoder, void *object, GError **error) {
        const OciSeccomp *seccomp = object;

        if (!seccomp->listener_metadata || seccomp->listener_path)
                return true;
        return decode_fail(decoder, "listenerMetadata", DECODE_NO_INDEX, error,
                           "must not be set without listenerPath");
}

const Shape seccomp_shape = {SHAPE(OciSeccomp, seccomp_fields), .check = check_seccomp};
