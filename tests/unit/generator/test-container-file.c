/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a .container file to the unit, as text. */

#include <string.h>

#include "config.h"
#include "generator/container-file.h"
#include "generator/install.h"
#include "generator/unit-writer.h"

static ContainerFile *load(const char *name, const char *text, GError **error) {
        UnitFile *file = unit_file_new();

        if (unit_file_parse(file, text, strlen(text), "f", error))
                return container_file_new(name, "/dir/f", file, error);
        unit_file_free(file);
        return NULL;
}

/* The value of the unit's line @key. */
static char *unit_value(const ContainerFile *container, const BundleFacts *bundle, bool user,
                        const char *key) {
        g_autofree char *text = unit_write(container, bundle, user),
                        *start = g_strconcat("\n", key, "=", NULL);
        const char *line = strstr(text, start);

        return line ? g_strndup(line + strlen(start), strcspn(line + strlen(start), "\n")) : NULL;
}

static void test_options(void) {
        static const struct {
                const char *lines, *start;
        } rows[] = {
                {"Bundle=/b",                                                                                 "--bundle=/b web"                                 },
                {"Bundle=/a b\nNotify=yes",                                                                   "\"--bundle=/a b\" --notify web"                  },
                {"Bundle=/b\nPoststartHook=/h 'a b'",                                                         "--bundle=/b \"--poststart-hook=/h 'a b'\" web"   },
                {"Rootfs=/r\nExec=sh -c 'echo \"$A\" %i ; b'",
                 "--rootfs=/r web -- sh -c \"echo \\\"$A\\\" %i ; b\""                                                                                          },
                {"Rootfs=/r\nExec=a ; b",                                                                     "--rootfs=/r web -- a \";\" b"                    },
                {"Rootfs=/x\nRootfs=/r\nExec=x\nExec=a",                                                      "--rootfs=/r web -- a"                            },
                {"Rootfs=/r\nExec=a\nEnvironment=A=b \"C=d e\"\nEnvironment=F=",
                 "--rootfs=/r --env=A=b \"--env=C=d e\" --env=F= web -- a"                                                                                      },
                {"Rootfs=/r\nExec=a\nEnvironment=A=b\nEnvironment=\nEnvironment=C=d",
                 "--rootfs=/r --env=C=d web -- a"                                                                                                               },
                {"Rootfs=/r\nExec=a\nUser=web:adm\nWorkingDir=/w\nHostName=h\nReadOnly=true",
                 "--rootfs=/r --user=web:adm --workdir=/w --hostname=h --read-only web -- a"                                                                    },
                {"Rootfs=/r\nExec=a\nReadOnly=yes\nReadOnly=no\nReadOnly=",                                   "--rootfs=/r web -- a"                            },
                {"Rootfs=/r\nExec=a\nVolume=/s:/d:ro\nVolume=%h/x:/y\nTmpfs=/t:size=1m",
                 "--rootfs=/r --volume=/s:/d:ro --volume=%h/x:/y --tmpfs=/t:size=1m web -- a"                                                                   },
                {"Rootfs=/r\nExec=a\nNetwork=host",                                                           "--rootfs=/r --network=host web -- a"             },
                {"Rootfs=/r\nExec=a\nNetwork=db.container",                                                   "--rootfs=/r --network=container:db web -- a"     },
                {"Rootfs=/r\nExec=a\nAddCapability=NET_ADMIN "
                 "SYS_TIME\nDropCapability=all\nDevice=/dev/null\nAddDevice=/dev/zero:/z:r", "--rootfs=/r --cap-add=NET_ADMIN --cap-add=SYS_TIME --cap-drop=all --device=/dev/null "
                 "--device=/dev/zero:/z:r web -- a"},
                {"Rootfs=/r\nExec=a\nSysctl=a.b=1 c.d=2\nUIDMap=0:1:2\nGIDMap=0:3:4",
                 "--rootfs=/r --sysctl=a.b=1 --sysctl=c.d=2 --uidmap=0:1:2 --gidmap=0:3:4 web -- a"                                                             },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *text = g_strconcat("[Container]\n", rows[i].lines, NULL), *start = NULL,
                                *expected = g_strconcat(":" UNITRUN_BINDIR "/unitrun service ", rows[i].start,
                                                        NULL);
                g_autoptr(GError) error = NULL;
                g_autoptr(ContainerFile) container = load("web", text, &error);

                g_assert_no_error(error);
                start = unit_value(container, &(BundleFacts){0}, false, "ExecStart");
                g_assert_cmpstr(start, ==, expected);
        }
}

static void test_unit(void) {
        g_autoptr(ContainerFile) container = load(
                "web",
                "[X-A]\na=b\n[Service]\nRestart=always\n[Container]\nBundle=/srv/web\n"
                "StopSignal=int\nReloadSignal=1\n[Unit]\nAfter=x.service\nAfter=\n[Service]\nRestartSec=1\n"
                "[Install]\nWantedBy=multi-user.target\n",
                NULL);
        const BundleFacts bundle = {
                .known = true, .limits = (char *) "MemoryMax=1\n", .n_poststart_hooks = 2};
        g_autofree char *text = unit_write(container, &bundle, false);

        g_assert_cmpstr(
                text, ==,
                "# Generated by unitrun-generator from /dir/f\n\n"
                "[Unit]\nSourcePath=/dir/f\nDocumentation=man:unitrun.container(5)\nDescription=Container "
                "web\n"
                "RequiresMountsFor=/srv/web\nAfter=x.service\nAfter=\n\n"
                "[Service]\nType=notify\nNotifyAccess=main\nDelegate=yes\nKillMode=mixed\nTimeoutStopSec=10\n"
                "OOMPolicy=continue\nSlice=unitrun.slice\nSyslogIdentifier=web\nLogExtraFields=CONTAINER_"
                "NAME=web\n"
                "LogExtraFields=CONTAINER_ID=web\nKillSignal=SIGINT\nMemoryMax=1\n"
                "ExecStart=:" UNITRUN_BINDIR "/unitrun service --bundle=/srv/web web\n"
                "ExecStartPost=" UNITRUN_LIBEXECDIR "/unitrun-hook /run/unitrun/web 0\n"
                "ExecStartPost=" UNITRUN_LIBEXECDIR "/unitrun-hook /run/unitrun/web 1\n"
                "ExecReload=" UNITRUN_BINDIR "/unitrun kill web SIGHUP\n"
                "ExecStop=-" UNITRUN_BINDIR "/unitrun service --thaw web\n"
                "ExecStopPost=" UNITRUN_BINDIR "/unitrun service --clean web\n"
                "Restart=always\nRestartSec=1\n\n"
                "[Install]\nWantedBy=multi-user.target\n\n[X-A]\na=b\n");
}

static void test_variants(void) {
        g_autoptr(ContainerFile) template =
                load("web@", "[Container]\nBundle=/srv/%i\n[Unit]\nDescription=Mine\n", NULL),
                                 instance = load("web@a",
                                                 "[Container]\nRootfs=/r\nExec=a\nVolume=/a "
                                                 "b:/c\nNetwork=container:db\nPoststartHook=/h\n",
                                                 NULL);
        const BundleFacts unknown = {0};
        g_autofree char *start = unit_value(template, &unknown, true, "ExecStart"),
                        *post = unit_value(template, &unknown, true, "ExecStartPost"),
                        *description = unit_value(template, &unknown, true, "Description"),
                        *access = unit_value(template, &unknown, true, "NotifyAccess"),
                        *slice = unit_value(template, &unknown, true, "Slice"),
                        *instance_start = unit_value(instance, &unknown, false, "ExecStart"),
                        *instance_post = unit_value(instance, &unknown, false, "ExecStartPost"),
                        *binds = unit_value(instance, &unknown, false, "BindsTo"),
                        *text = unit_write(instance, &unknown, false);

        g_assert_cmpstr(start, ==, ":" UNITRUN_BINDIR "/unitrun service --bundle=/srv/%i web-%i");
        g_assert_cmpstr(post, ==, UNITRUN_LIBEXECDIR "/unitrun-hook %t/unitrun/web-%i all");
        g_assert_cmpstr(description, ==, "Mine");
        g_assert_cmpstr(access, ==, "all");
        g_assert_null(slice);
        g_assert_true(g_str_has_suffix(instance_start, " web-a -- a"));
        g_assert_cmpstr(instance_post, ==, UNITRUN_LIBEXECDIR "/unitrun-hook /run/unitrun/web-a 0");
        g_assert_cmpstr(binds, ==, "db.service");
        g_assert_nonnull(strstr(text, "RequiresMountsFor=/r\nRequiresMountsFor=\"/a b\"\n"));
}

static void test_errors(void) {
        static const struct {
                const char *text, *message;
        } rows[] = {
                {"[Container]\nBundel=/b",                             "f:2: Bundel=: no key of [Container] (did you mean 'Bundle'?)"},
                {"[Container]\nImage=x",                               "f:2: Image=: no key of [Container]"                          },
                {"[Servise]\nA=b",
                 "f:2: [Servise] is no section of a .container file (did you mean 'Service'?)"                                       },
                {"[Quadlet]\nA=b",                                     "f:2: [Quadlet] is no section of a .container file"           },
                {"[Container]\nNotify=yes",                            "/dir/f: [Container]: either Bundle= or Rootfs= is needed"    },
                {"[Container]\nBundle=/b\nRootfs=/r",
                 "/dir/f: [Container]: either Bundle= or Rootfs= is needed"                                                          },
                {"[Container]\nRootfs=/r",                             "/dir/f: [Container]: Rootfs= needs Exec=, the program"       },
                {"[Container]\nBundle=/b\nUser=a",
                 "f:3: User=: can't be set with Bundle=: its config.json says it"                                                    },
                {"[Container]\nBundle=b",                              "f:2: Bundle=: 'b' is not an absolute path"                   },
                {"[Container]\nRootfs=/r\nExec=a 'b",                  "f:3: Exec=: a quote (') is not closed"                       },
                {"[Container]\nRootfs=/r\nExec=a\nEnvironment=A",
                 "f:4: Environment=: 'A' is not an assignment, 'NAME=value'"                                                         },
                {"[Container]\nRootfs=/r\nExec=a\nVolume=/a",
                 "f:4: Volume=: '/a' is not SOURCE:DESTINATION[:OPTIONS]"                                                            },
                {"[Container]\nRootfs=/r\nExec=a\nVolume=data:/a",
                 "f:4: Volume=: 'data' is not an absolute path"                                                                      },
                {"[Container]\nRootfs=/r\nExec=a\nReadOnly=maybe",
                 "f:4: ReadOnly=: 'maybe' is neither 'yes' nor 'no'"                                                                 },
                {"[Container]\nRootfs=/r\nExec=a\nNetwork=bridge",
                 "f:4: Network=: 'bridge' is not 'none', 'host', 'ns:PATH' or 'container:NAME'"                                      },
                {"[Container]\nRootfs=/r\nExec=a\nUIDMap=0:1",
                 "f:4: UIDMap=: '0:1' is not CONTAINER:HOST:SIZE, three numbers"                                                     },
                {"[Container]\nBundle=/b\nStopSignal=STOPP",
                 "f:3: StopSignal=: 'STOPP' is not a signal, such as SIGTERM"                                                        },
                {"[Container]\nBundle=/b\nPoststartHook=true",
                 "f:3: PoststartHook=: 'true' is not an absolute path"                                                               },
                {"[Container]\nBundle=/b\n[Service]\nWatchdogSec=5",
                 "f:4: WatchdogSec=: needs Notify=yes in [Container], or nothing would ever answer it"                               },
                {"[Container]\nBundle=/b\n[Service]\nType=simple",
                 "f:4: Type=: can't be set for a container: it is 'notify'"                                                          },
                {"[Container]\nBundle=/b\n[Service]\nUser=me",
                 "f:4: User=: can't be set for a container: unitrun has to be root; the program's user is "
                 "User= in [Container]"                                                                                              },
                {"[Container]\nBundle=/b\n[Service]\nDynamicUser=yes",
                 "f:4: DynamicUser=: can't be set for a container: unitrun has to be root; UIDMap= and "
                 "GIDMap= in [Container] map users"                                                                                  },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autoptr(GError) error = NULL;

                g_assert_null(load("web", rows[i].text, &error));
                g_assert_cmpstr(error->message, ==, rows[i].message);
        }
        g_assert_null(load("a b", "[Container]\nBundle=/b", NULL));
}

static void test_install(void) {
        static const struct {
                const char *name, *install, *links;
        } rows[] = {
                {"web",   "",                                                 ""        },
                {"web",   "WantedBy=a.target b.target\nRequiredBy=c.service",
                 "a.target.wants/web.service>../web.service b.target.wants/web.service>../web.service "
                 "c.service.requires/web.service>../web.service "                       },
                {"web",   "Alias=site.service\nUpheldBy=a.target",
                 "site.service>web.service a.target.upholds/web.service>../web.service "},
                {"web",   "WantedBy=a.target\nWantedBy=",                     ""        },
                {"web@",  "WantedBy=a.target",                                ""        },
                {"web@",  "WantedBy=a.target\nDefaultInstance=x",
                 "a.target.wants/web@x.service>../web@.service "                        },
                {"web@y", "WantedBy=a.target\nDefaultInstance=x",
                 "a.target.wants/web@y.service>../web@y.service "                       },
                {"web",   "WantedBy=../x.target",                             NULL      },
                {"web",   "WantedBy=nosuffix",                                NULL      },
                {"web",   "Also=x.service",                                   NULL      },
        };

        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
                g_autofree char *text =
                        g_strconcat("[Container]\nBundle=/b\n[Install]\n", rows[i].install, NULL);
                g_autoptr(GError) error = NULL;
                g_autoptr(ContainerFile) container = load(rows[i].name, text, NULL);
                g_autoptr(GPtrArray) links = install_links(container, &error);
                g_autoptr(GString) shown = g_string_new(NULL);

                for (guint j = 0; links && j < links->len; j++) {
                        const InstallLink *link = g_ptr_array_index(links, j);

                        g_string_append_printf(shown, "%s>%s ", link->path, link->target);
                }
                g_assert_true(!links == !rows[i].links);
                if (links)
                        g_assert_cmpstr(shown->str, ==, rows[i].links);
                else
                        g_assert_true(g_str_has_prefix(error->message, "f:4: "));
        }
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/container-file/options", test_options);
        g_test_add_func("/container-file/unit", test_unit);
        g_test_add_func("/container-file/variants", test_variants);
        g_test_add_func("/container-file/errors", test_errors);
        g_test_add_func("/container-file/install", test_install);
        return g_test_run();
}
