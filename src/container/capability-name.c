/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The names of capabilities(7), as the spec writes them. */

#include "container/capability-name.h"

#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"

#define NAME(capability) [capability] = #capability

static const char *const names[] = {
        NAME(CAP_CHOWN),
        NAME(CAP_DAC_OVERRIDE),
        NAME(CAP_DAC_READ_SEARCH),
        NAME(CAP_FOWNER),
        NAME(CAP_FSETID),
        NAME(CAP_KILL),
        NAME(CAP_SETGID),
        NAME(CAP_SETUID),
        NAME(CAP_SETPCAP),
        NAME(CAP_LINUX_IMMUTABLE),
        NAME(CAP_NET_BIND_SERVICE),
        NAME(CAP_NET_BROADCAST),
        NAME(CAP_NET_ADMIN),
        NAME(CAP_NET_RAW),
        NAME(CAP_IPC_LOCK),
        NAME(CAP_IPC_OWNER),
        NAME(CAP_SYS_MODULE),
        NAME(CAP_SYS_RAWIO),
        NAME(CAP_SYS_CHROOT),
        NAME(CAP_SYS_PTRACE),
        NAME(CAP_SYS_PACCT),
        NAME(CAP_SYS_ADMIN),
        NAME(CAP_SYS_BOOT),
        NAME(CAP_SYS_NICE),
        NAME(CAP_SYS_RESOURCE),
        NAME(CAP_SYS_TIME),
        NAME(CAP_SYS_TTY_CONFIG),
        NAME(CAP_MKNOD),
        NAME(CAP_LEASE),
        NAME(CAP_AUDIT_WRITE),
        NAME(CAP_AUDIT_CONTROL),
        NAME(CAP_SETFCAP),
        NAME(CAP_MAC_OVERRIDE),
        NAME(CAP_MAC_ADMIN),
        NAME(CAP_SYSLOG),
        NAME(CAP_WAKE_ALARM),
        NAME(CAP_BLOCK_SUSPEND),
        NAME(CAP_AUDIT_READ),
        NAME(CAP_PERFMON),
        NAME(CAP_BPF),
        NAME(CAP_CHECKPOINT_RESTORE),
};

int capability_from_name(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strcmp(names[i], name) == 0)
                        return (int) i;
        return -EINVAL;
}

const char *capability_name(int number) {
        return number >= 0 && (size_t) number < ELEMENTSOF(names) ? names[number] : NULL;
}

uint64_t capability_lacking(void) {
        uint64_t lacking = 0;

        for (int i = 0; i < (int) ELEMENTSOF(names); i++)
                if (prctl(PR_CAPBSET_READ, i, 0, 0, 0) ==
                    0) /* 1: has it, -EINVAL: the kernel doesn't know it */
                        lacking |= UINT64_C(1) << i;
        return lacking;
}

bool capability_is_effective(int number) {
        struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

        return syscall(SYS_capget, &header, data) == 0 &&
               (data[number / 32].effective & (1U << (number % 32)));
}
