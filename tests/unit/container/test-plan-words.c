/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The small tables and parsers that the plan uses: mount options, capabilities, CPU lists. */

#include <errno.h>
#include <glib.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mount.h>

#include "container/capability-name.h"
#include "container/cpu-mask.h"
#include "container/mount-option.h"

static void test_mount_options_sorted(void) {
        const MountOption *last = NULL;

        for (const MountOption *option = mount_option_next(NULL); option;
             option = mount_option_next(option)) {
                if (last)
                        g_assert_cmpstr(last->name, <, option->name);
                g_assert_true(mount_option_find(option->name) == option);
                last = option;
        }
        g_assert_null(mount_option_find("size=1"));
}

/* Every "rX" of a flag does what "X" does, for all mounts below. */
static void test_mount_options_recursive(void) {
        for (const MountOption *option = mount_option_next(NULL); option;
             option = mount_option_next(option)) {
                const MountOption *plain;

                if (!option->recursive || option->kind == OPTION_BIND || option->kind == OPTION_ID_MAP)
                        continue;
                g_assert_cmpint(option->name[0], ==, 'r');
                plain = mount_option_find(option->name + 1);
                g_assert_nonnull(plain);
                g_assert_cmpint(plain->kind, ==, option->kind);
                g_assert_cmpuint(plain->value, ==, option->value);
        }
}

/* config.md, "Linux mount options" */
static void test_mount_options_of_spec(void) {
        static const char *const names[] = {
                "async",         "atime",        "bind",
                "defaults",      "dev",          "diratime",
                "dirsync",       "exec",         "idmap",
                "iversion",      "lazytime",     "loud",
                "mand",          "noatime",      "nodev",
                "nodiratime",    "noexec",       "noiversion",
                "nolazytime",    "nomand",       "norelatime",
                "nostrictatime", "nosuid",       "nosymfollow",
                "private",       "ratime",       "rbind",
                "rdev",          "rdiratime",    "relatime",
                "remount",       "rexec",        "ridmap",
                "rnoatime",      "rnodev",       "rnodiratime",
                "rnoexec",       "rnorelatime",  "rnostrictatime",
                "rnosuid",       "rnosymfollow", "ro",
                "rprivate",      "rrelatime",    "rro",
                "rrw",           "rshared",      "rslave",
                "rstrictatime",  "rsuid",        "rsymfollow",
                "runbindable",   "rw",           "shared",
                "silent",        "slave",        "strictatime",
                "suid",          "symfollow",    "sync",
                "tmpcopyup",     "unbindable",
        };

        for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
                if (!mount_option_find(names[i]))
                        g_error("'%s' is missing", names[i]);
}

static void test_capabilities(void) {
        for (int i = 0; i <= CAP_LAST_CAP; i++) {
                g_assert_nonnull(capability_name(i));
                g_assert_cmpint(capability_from_name(capability_name(i)), ==, i);
        }
        g_assert_null(capability_name(-1));
        g_assert_null(capability_name(64));
        g_assert_cmpint(capability_from_name("cap_chown"), ==, -EINVAL);
        g_assert_cmpint(capability_from_name("CAP_SYS_ADMIN"), ==, 21);
}

static void test_cpu_mask(void) {
        static const struct {
                const char *list;
                int result;
                uint64_t first; /* CPUs 0 to 63 */
                size_t size;
        } cases[] = {
                {"0",    0,           1, 8},
                {"0-3,7",     0,                0x8f, 8},
                {"0-3, 7\n", 0,0x8f, 8},
                {"63",      0,        UINT64_C(1) << 63, 8},
                {"64",  0,                    0, 16},
                {"8191",   0,        0, 1024},
                {"8192",     -EINVAL               },
                {"",    -EINVAL},
                {"a",      -EINVAL           },
                {"3-1",     -EINVAL    },
                {"1,", -EINVAL},
                {"1-",     -EINVAL     },
                {"-1",    -EINVAL  },
                {"1 2",  -EINVAL },
                {"99999999999999999999",   -EINVAL      },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
                g_autofree uint8_t *bytes = NULL;
                size_t size = 0;
                uint64_t first = 0;

                g_assert_cmpint(cpu_mask_parse(cases[i].list, &bytes, &size), ==, cases[i].result);
                if (cases[i].result < 0)
                        continue;
                g_assert_cmpuint(size, ==, cases[i].size);
                memcpy(&first, bytes, sizeof(first));
                g_assert_cmphex(first, ==, cases[i].first);
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/mount-option/sorted", test_mount_options_sorted);
        g_test_add_func("/mount-option/recursive", test_mount_options_recursive);
        g_test_add_func("/mount-option/spec", test_mount_options_of_spec);
        g_test_add_func("/capability-name/all", test_capabilities);
        g_test_add_func("/cpu-mask/lists", test_cpu_mask);
        return g_test_run();
}
