/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What options of `unitrun service` become: decoded again, since that is how it is used. */

#include <glib.h>
#include <glib/gstdio.h>
#include <linux/sched.h>
#include <string.h>
#include <unistd.h>

#include "oci/config.h"
#include "oci/passwd.h"
#include "oci/service-config.h"

#define LIST(...) ((char **) (const char *[]){__VA_ARGS__, NULL})
#define ARGS      LIST("prog", "an argument")

static OciConfig *make(const ServiceConfig *given) {
        ServiceConfig config = *given;
        g_autoptr(GError) error = NULL;
        g_autofree char *text = NULL;
        OciConfig *decoded;

        config.id = "web";
        config.rootfs = config.rootfs ? config.rootfs : "/srv/web";
        config.args = ARGS;
        text = service_config_make(&config, &error);
        g_assert_no_error(error);
        decoded = oci_config_parse(text, strlen(text), "options", &error);
        g_assert_no_error(error);
        return decoded;
}

static void refuses(const ServiceConfig *given, const char *words) {
        ServiceConfig config = *given;
        g_autoptr(GError) error = NULL;

        config.id = "web";
        config.rootfs = config.rootfs ? config.rootfs : "/srv/web";
        config.args = ARGS;
        g_assert_null(service_config_make(&config, &error));
        g_assert_nonnull(error);
        if (!strstr(error->message, words))
                g_error("no '%s' in: %s", words, error->message);
}

static bool has_environment(const OciConfig *config, const char *entry) {
        return g_strv_contains((const char *const *) config->process->env, entry);
}

static void test_defaults(void) {
        g_autoptr(OciConfig) config = make(&(ServiceConfig){0});

        g_assert_cmpstr(config->root_path, ==, "/srv/web");
        g_assert_false(config->root_readonly);
        g_assert_cmpstr(config->hostname, ==, "web");
        g_assert_cmpstr(config->process->args[1], ==, "an argument");
        g_assert_cmpstr(config->process->cwd, ==, "/");
        g_assert_false(config->process->terminal);
        g_assert_cmpuint(config->process->n_rlimits, ==, 0);
        g_assert_cmpuint(config->process->uid, ==, 0);
        g_assert_nonnull(oci_config_namespace(config, CLONE_NEWNET));
        g_assert_null(oci_config_namespace(config, CLONE_NEWUSER));
}

static void test_options(void) {
        g_autoptr(OciConfig) config = make(&(ServiceConfig){
                .env = LIST("A=b c", "E="),
                .user = "7:8",
                .cwd = "/tmp",
                .volumes = LIST("/data:/var/data:ro,noexec", "/x:/y"),
                .tmpfs = LIST("/run:mode=700"),
                .network = "host",
                .hostname = "named",
                .readonly = true,
                .sysctls = LIST("kernel.msgmax=9000"),
                .uid_maps = LIST("0:100000:65536"),
                .gid_maps = LIST("0:100000:65536"),
                .devices = LIST("/dev/null:/dev/nothing:rw"),
        });
        const OciMount *volume = &config->mounts[config->n_mounts - 3];

        g_assert_true(config->root_readonly);
        g_assert_cmpstr(config->hostname, ==, "named");
        g_assert_true(has_environment(config, "A=b c"));
        g_assert_true(has_environment(config, "E="));
        g_assert_cmpuint(config->process->uid, ==, 7);
        g_assert_cmpuint(config->process->gid, ==, 8);
        g_assert_cmpstr(volume->source, ==, "/data");
        g_assert_cmpstr(volume->destination, ==, "/var/data");
        g_assert_true(g_strv_contains((const char *const *) volume->options, "noexec"));
        g_assert_cmpstr(config->mounts[config->n_mounts - 1].destination, ==, "/run");
        g_assert_null(oci_config_namespace(config, CLONE_NEWNET));
        g_assert_nonnull(oci_config_namespace(config, CLONE_NEWUSER));
        g_assert_cmpuint(config->linux.uid_mappings.items[0].host_id, ==, 100000);
        g_assert_cmpstr(oci_pairs_get(&config->linux.sysctl, "kernel.msgmax"), ==, "9000");
        g_assert_cmpuint(config->linux.n_devices, ==, 1);
        g_assert_cmpstr(config->linux.devices[0].path, ==, "/dev/nothing");
}

static void test_network(void) {
        g_autoptr(OciConfig) config = make(&(ServiceConfig){.network = "ns:/run/netns/a"});

        g_assert_cmpstr(oci_config_namespace(config, CLONE_NEWNET)->path, ==, "/run/netns/a");
        refuses(&(ServiceConfig){.network = "ns:a"}, "--network: 'ns:a'");
        refuses(&(ServiceConfig){.network = "bridge"}, "--network: 'bridge'");
}

static void test_errors(void) {
        static const struct {
                const char *value, *words;
                size_t offset;
        } rows[] = {
                {"/a",         "--volume: '/a'",                G_STRUCT_OFFSET(ServiceConfig, volumes) },
                {":/a",        "--volume: ':/a'",               G_STRUCT_OFFSET(ServiceConfig, volumes) },
                {"/a:",        "--volume: '/a:'",               G_STRUCT_OFFSET(ServiceConfig, volumes) },
                {"a:/b",       "--volume: 'a'",                 G_STRUCT_OFFSET(ServiceConfig, volumes) },
                {"/a:/b:ro:x", "--volume: '/a:/b:ro:x'",        G_STRUCT_OFFSET(ServiceConfig, volumes) },
                {"",           "--tmpfs: ''",                   G_STRUCT_OFFSET(ServiceConfig, tmpfs)   },
                {"a",          "--sysctl: 'a'",                 G_STRUCT_OFFSET(ServiceConfig, sysctls) },
                {"0:1",        "--uidmap: '0:1'",               G_STRUCT_OFFSET(ServiceConfig, uid_maps)},
                {"0:x:1",      "--gidmap: '0:x:1'",             G_STRUCT_OFFSET(ServiceConfig, gid_maps)},
                {"/nosuch",    "--device: '/nosuch'",           G_STRUCT_OFFSET(ServiceConfig, devices) },
                {"/tmp",       "--device: '/tmp' is no device", G_STRUCT_OFFSET(ServiceConfig, devices) },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                char *const list[] = {(char *) rows[i].value, NULL};
                ServiceConfig config = {0};

                *(char *const **) ((char *) &config + rows[i].offset) = list;
                refuses(&config, rows[i].words);
        }
}

static void test_passwd(void) {
        g_autofree char *rootfs = g_dir_make_tmp("test-passwd-XXXXXX", NULL),
                        *etc = g_build_filename(rootfs, "etc", NULL),
                        *passwd = g_build_filename(etc, "passwd", NULL),
                        *group = g_build_filename(etc, "group", NULL);
        g_autoptr(GError) error = NULL;
        uid_t uid;
        gid_t gid;

        g_assert_true(passwd_find(rootfs, "12", &uid, &gid, NULL));
        g_assert_cmpuint(uid, ==, 12);
        g_assert_cmpuint(gid, ==, 0);
        g_assert_false(passwd_find(rootfs, "web", &uid, &gid, &error));
        g_assert_nonnull(strstr(error->message, "'web'"));
        g_mkdir(etc, 0755);
        g_file_set_contents(passwd, "root:x:0:0::/:\ngarbage\nweb:x:77:88::/:/bin/sh\n", -1, NULL);
        g_file_set_contents(group, "root:x:0:\nadm:x:4:web\n", -1, NULL);
        g_assert_true(passwd_find(rootfs, "web", &uid, &gid, NULL));
        g_assert_cmpuint(uid, ==, 77);
        g_assert_cmpuint(gid, ==, 88);
        g_assert_true(passwd_find(rootfs, "77", &uid, &gid, NULL));
        g_assert_cmpuint(gid, ==, 88);
        g_assert_true(passwd_find(rootfs, "web:adm", &uid, &gid, NULL));
        g_assert_cmpuint(gid, ==, 4);
        g_assert_true(passwd_find(rootfs, "web:9", &uid, &gid, NULL));
        g_assert_cmpuint(gid, ==, 9);
        for (const char **bad =
                     (const char *[]){"web:nosuch", "nosuch", "", ":adm", "-1", "4294967295", NULL};
             *bad; bad++)
                g_assert_false(passwd_find(rootfs, *bad, &uid, &gid, NULL));
        /* One that leads out of the root filesystem is looked for inside of it. */
        g_unlink(passwd);
        g_assert_cmpint(symlink("/etc/passwd", passwd), ==, 0);
        g_assert_false(passwd_find(rootfs, "root", &uid, &gid, NULL));
        g_unlink(passwd);
        g_unlink(group);
        g_rmdir(etc);
        g_rmdir(rootfs);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/service-config/defaults", test_defaults);
        g_test_add_func("/service-config/options", test_options);
        g_test_add_func("/service-config/network", test_network);
        g_test_add_func("/service-config/errors", test_errors);
        g_test_add_func("/passwd", test_passwd);
        return g_test_run();
}
