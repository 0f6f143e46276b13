/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "container/criu-message.h"
#include "oci/config.h"

/* CRIU (criu(8)) is not linked: its program is run as `criu swrk FD` and spoken to over a socket, one packet
 * a message, as runc does it. */

#define CRIU_DESCRIPTORS "descriptors.json" /* in the image: what fds 0, 1 and 2 of the program were */

/* What `checkpoint` and `restore` are asked for. */
typedef struct CriuOptions {
        char *image_path;          /* absolute */
        char *work_path;           /* absolute; NULL: image_path */
        char *parent_path;         /* of the pre-dump before, relative to image_path */
        char *page_server;         /* ADDRESS:PORT */
        char *manage_cgroups_mode; /* NULL: soft */
        char *empty_ns;            /* NULL or "network" */
        char *lsm_profile;
        char *lsm_mount_context;
        bool leave_running;
        bool tcp_established;
        bool tcp_skip_in_flight;
        bool ext_unix_sk;
        bool shell_job;
        bool file_locks;
        bool link_remap;
        bool pre_dump;
        bool lazy_pages;
        bool auto_dedup;
        int status_fd; /* -1: none */
} CriuOptions;

/**
 * criu_check:
 * Fails unless there is a criu that answers and is new enough (3.11). It runs criu: once in a command.
 */
bool criu_check(GError **error);

/**
 * criu_options_check:
 * Refuses words that make no sense, before anything is done.
 */
bool criu_options_check(const CriuOptions *options, GError **error);

/**
 * criu_find:
 * Returns (transfer full): the path of the program.
 */
char *criu_find(GError **error);

/**
 * criu_check_features:
 * Fails when the kernel or criu lacks what @options want of them.
 */
bool criu_check_features(const CriuOptions *options, GError **error);

/* The directories of an image; criu reaches them through /proc/PID/fd of who talks to it. */
typedef struct CriuDirs {
        int image_fd;
        int work_fd;
        bool made; /* the image's was not there */
} CriuDirs;

void criu_dirs_clear(CriuDirs *dirs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CriuDirs, criu_dirs_clear)
#define CRIU_DIRS_INIT                                                                                       \
        { .image_fd = -EBADF, .work_fd = -EBADF }

/**
 * criu_dirs_open:
 * @make: they are made where they are missing, with mode 0700
 */
bool criu_dirs_open(const CriuOptions *options, bool make, CriuDirs *ret, GError **error);

/**
 * criu_common_options:
 * Returns (transfer full): a criu_opts message with what checkpoint and restore have in common.
 * @log_file: a name in the work directory
 */
GByteArray *criu_common_options(const CriuOptions *options, const CriuDirs *dirs, const OciConfig *config,
                                const char *log_file);

/**
 * criu_put_page_server:
 * Adds the page server of @options, which criu_options_check() has let pass, if there is one.
 */
void criu_put_page_server(GByteArray *message, const CriuOptions *options);

/**
 * criu_swrk:
 * @request: (transfer full)
 * Runs criu for one request and returns its last answer in @ret, notifications acknowledged. Fails when it
 * says so.
 */
bool criu_swrk(GByteArray *request, CriuResponse *ret, GError **error);

/**
 * criu_send, criu_receive:
 * One message. @ret_fd: what came along, or -EBADF. criu_receive() fails at the end of file.
 */
bool criu_send(int fd, GByteArray *message, GError **error);
bool criu_receive(int fd, CriuResponse *ret, int *ret_fd, GError **error);

/**
 * criu_fail, criu_fail_silent:
 * @reason: of a criu that gave no answer
 * Set @error to the first error in its log, or what it says itself, and where the log is. Return false.
 */
bool criu_fail_silent(const GError *reason, const CriuOptions *options, const CriuDirs *dirs,
                      const char *log_file, GError **error);
bool criu_fail(const CriuResponse *response, const CriuOptions *options, const CriuDirs *dirs,
               const char *log_file, GError **error);
