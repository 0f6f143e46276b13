/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "generator/unit-file.h"

/* What a .container file says, see unitrun.container(5). */

typedef struct ContainerFile {
        char *name; /* "web"; "web@" for a template, "web@a" for an instance */
        char *id;   /* "web"; "web-%i", "web-a" */
        char *path; /* of the file itself */
        UnitFile *file;

        char *bundle; /* one of the two */
        char *rootfs;
        bool notify;
        GPtrArray *options;         /* of char *: "--env=A=b", for `unitrun service` */
        char **program;             /* Exec= */
        GPtrArray *poststart_hooks; /* of char *: command lines */
        GPtrArray *mounts_for;      /* of char *: what has to be mounted */
        char *network_of;           /* the name of the container whose network is used */
        char *stop_signal, *reload_signal;
} ContainerFile;

void container_file_free(ContainerFile *container);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ContainerFile, container_file_free)

/**
 * container_file_new:
 * @name: the file's name without ".container"
 * @file: (transfer full): drop-ins included
 *
 * Checks all keys. Errors are "FILE:LINE: Key=: what was found and what was expected".
 */
ContainerFile *container_file_new(const char *name, const char *path, UnitFile *file, GError **error);

/**
 * container_file_describe_keys:
 * Returns (transfer full): the keys of [Container], a line each, for the test that compares the manual.
 */
char *container_file_describe_keys(void);
