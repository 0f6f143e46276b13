/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Checks of single strings: tables of texts that will do and texts that won't; spellings of sysctls; words
 * meant. */

#include "oci/text.h"

#include <glib.h>

#include "base-glib/one-line.h"
#include "oci/config.h"
#include "oci/word.h"

static const struct {
        const char *text;
        bool taken;
} versions[] = {
        {"1.0.0",           true },
        {"1.0.2-dev",       true },
        {"1.2.1",           true },
        {"1.3.0",           true },
        {"1.99.0+x",        true },
        {"1.0.0-rc.1+a.01", true },
        {"1.0.0--",         true },
        {"1.0.0-0a",        true },
        {"",                false},
        {"abc",             false},
        {"1",               false},
        {"1.0",             false},
        {"2.0.0",           false},
        {"0.5.0-dev",       true },
        {"10.0.0",          false},
        {"1.0.0 ",          false},
        {"v1.0.0",          false},
        {"1.00.0",          false},
        {"1.0.0-",          false},
        {"1.0.0-a..b",      false},
        {"1.0.0-01",        false},
        {"1.0.0+",          false},
        {"1.0.0+a+b",       false},
        {"1.0.0.0",         false},
        {"-1.0.0",          false},
        {"1..0",            false},
};

static void test_versions(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
                g_test_message("'%s'", versions[i].text);
                g_assert_true((text_check_semver(versions[i].text) == NULL) == versions[i].taken);
        }
}

static const struct {
        const char *(*check)(const char *text);
        const char *text;
        bool taken;
} rows[] = {
        {text_check_absolute_path, "/",                                                                 true },
        {text_check_absolute_path, "",                                                                  false},
        {text_check_absolute_path, "data",                                                              false},
        {text_check_env,           "A=b",                                                               true },
        {text_check_env,           "A=",                                                                true },
        {text_check_env,           "A=b=c",                                                             true },
        {text_check_env,           "A",                                                                 false},
        {text_check_env,           "",                                                                  false},
        {text_check_env,           "=b",                                                                false},
        {text_check_host_name,     "0123456789012345678901234567890123456789012345678901234567890123",  true },
        {text_check_host_name,     "01234567890123456789012345678901234567890123456789012345678901234", false},
        {text_check_cpu_list,      "0-3, 7",                                                            true },
        {text_check_cpu_list,      "a",                                                                 false},
        {text_check_page_size,     "64KB",                                                              true },
        {text_check_page_size,     "2MB",                                                               true },
        {text_check_page_size,     "16GB",                                                              true },
        {text_check_page_size,     "64kB",                                                              false},
        {text_check_page_size,     "0MB",                                                               false},
        {text_check_page_size,     "MB",                                                                false},
        {text_check_page_size,     "2",                                                                 false},
        {text_check_page_size,     "2M",                                                                false},
        {text_check_page_size,     "2MBx",                                                              false},
        {text_check_bandwidth,     "MB:0=20",                                                           true },
        {text_check_bandwidth,     "L3:0=20",                                                           false},
        {text_check_bandwidth,     "MB:0\nL3:1",                                                        false},
        {text_check_device_access, "rwm",                                                               true },
        {text_check_device_access, "",                                                                  true },
        {text_check_device_access, "rx",                                                                false},
        {text_check_file_name,     "memory.max",                                                        true },
        {text_check_file_name,     "",                                                                  false},
        {text_check_file_name,     "..",                                                                false},
        {text_check_file_name,     "../memory.max",                                                     false},
        {text_check_clos,          "/",                                                                 true },
        {text_check_clos,          "a/b",                                                               false},
        {text_check_interface,     "eth%d",                                                             true },
        {text_check_interface,     "0123456789abcde",                                                   true },
        {text_check_interface,     "0123456789abcdef",                                                  false},
        {text_check_interface,     "a b",                                                               false},
        {text_check_interface,     "a/b",                                                               false},
        {text_check_interface,     "eth0:1",                                                            false},
        {text_check_interface,     "..",                                                                false},
        {text_check_sysctl,        "net.ipv4.ip_forward",                                               true },
        {text_check_sysctl,        "net/ipv4/ip_forward",                                               true },
        {text_check_sysctl,        "net.ipv4.conf.eth0/1.forwarding",                                   true },
        {text_check_sysctl,        "",                                                                  false},
        {text_check_sysctl,        ".",                                                                 false},
        {text_check_sysctl,        "/etc",                                                              false},
        {text_check_sysctl,        "net/../kernel/panic",                                               false},
        {text_check_sysctl,        "net.//.kernel",                                                     false}, /* net/../kernel */
        {text_check_sysctl,        "net..ipv4",                                                         false},
        {text_check_sysctl,        "net.ipv4.",                                                         false},
};

static void test_checks(void) {
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_test_message("row %zu: '%s'", i, rows[i].text);
                g_assert_true((rows[i].check(rows[i].text) == NULL) == rows[i].taken);
        }
}

static void test_sysctl_path(void) {
        static const struct {
                const char *key, *path;
        } spellings[] = {
                {"net.ipv4.ip_forward",             "net/ipv4/ip_forward"            },
                {"net/ipv4/ip_forward",             "net/ipv4/ip_forward"            },
                {"net.ipv4.conf.eth0/1.forwarding", "net/ipv4/conf/eth0.1/forwarding"},
                {"net/ipv4/conf/eth0.1/forwarding", "net/ipv4/conf/eth0.1/forwarding"},
                {"kernel",                          "kernel"                         },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
                g_autofree char *path = oci_sysctl_path(spellings[i].key);

                g_assert_cmpstr(path, ==, spellings[i].path);
        }
}

static void test_words(void) {
        static const Word items[] = {{"network"}, {"mount"}, {"pid"}, {"uts"}, {"ipc"}};
        static const Words words = WORDS("a word", items);
        static const struct {
                const char *text, *nearest;
        } typos[] = {
                {"netwrok",                                                    "network"},
                {"Network",                                                    "network"},
                {"net",                                                        NULL     },
                {"mnt",                                                        "mount"  },
                {"pids",                                                       "pid"    },
                {"",                                                           NULL     },
                {"x",                                                          NULL     },
                {"xyzzy",                                                      NULL     },
                {"a text that is longer than any of the words that there are", NULL     },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(typos); i++)
                g_assert_cmpstr(words_nearest(&words, typos[i].text), ==, typos[i].nearest);
        g_assert_true(words_find(&words, "pid") == &items[2]);
        g_assert_null(words_find(&words, "PID"));
}

static void test_one_line(void) {
        static const struct {
                const char *text, *line;
        } lines[] = {
                {"",                      ""                            },
                {"höst",                 "höst"                       },
                {"\nb\x1b[0",             "\\u000ab\\u001b[0"           },
                {"\xc2\x85",              "\\u0085"                     },
                {"cut \xe2\x82",          "cut \xef\xbf\xbd\xef\xbf\xbd"},
                {"0123456789012345",      "0123456789012345"            },
                {"01234567890123456",     "0123456789012345…"         },
                {"012345678901234ééé", "012345678901234é…"        },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
                g_autofree char *line = one_line(lines[i].text, 16);

                g_assert_cmpstr(line, ==, lines[i].line);
                g_assert_true(g_utf8_validate(line, -1, NULL));
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/text/one-line", test_one_line);
        g_test_add_func("/text/versions", test_versions);
        g_test_add_func("/text/checks", test_checks);
        g_test_add_func("/text/sysctl-path", test_sysctl_path);
        g_test_add_func("/text/words", test_words);
        return g_test_run();
}
