/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* A config for a service whose administrator names a root filesystem and a program instead of a bundle. Lists
 * are NULL-terminated, and NULL where nothing is said. Errors name the option of `unitrun service`. */

typedef struct ServiceConfig {
        const char *id;     /* the hostname where none is given */
        const char *rootfs; /* absolute */
        char *const *args;
        char *const *env;     /* "NAME=VALUE" */
        const char *user;     /* "USER[:GROUP]", names or numbers; names as the root filesystem knows them */
        const char *cwd;      /* NULL: "/" */
        char *const *volumes; /* "SOURCE:DESTINATION[:OPTIONS]" */
        char *const *tmpfs;   /* "DESTINATION[:OPTIONS]" */
        const char *network;  /* "none" (the default), "host", "ns:PATH" */
        const char *hostname;
        bool readonly;
        char *const *add_capabilities;
        char *const *drop_capabilities; /* "all" drops those that a container has by default */
        char *const *devices;           /* "HOST[:CONTAINER[:PERMISSIONS]]" */
        char *const *sysctls;           /* "NAME=VALUE" */
        char *const *uid_maps;          /* "CONTAINER:HOST:SIZE" */
        char *const *gid_maps;
} ServiceConfig;

/**
 * service_config_make:
 * Returns (transfer full): the config as JSON, with the namespaces, mounts, capabilities and restrictions
 * that engines give to a container by default.
 */
char *service_config_make(const ServiceConfig *config, GError **error);
