/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The few messages of CRIU's RPC (criu's images/rpc.proto, https://criu.org/RPC) that we need, in the wire
 * format of Protocol Buffers. A message is written field by field, in any order; of an answer the fields that
 * somebody looks at are taken, all others skipped. */

typedef enum CriuType {
        CRIU_DUMP = 1,
        CRIU_RESTORE = 2,
        CRIU_PRE_DUMP = 4,
        CRIU_NOTIFY = 6,
        CRIU_FEATURE_CHECK = 9,
        CRIU_VERSION = 10,
} CriuType;

/* Numbers of fields in criu_opts. */
typedef enum CriuField {
        CRIU_IMAGES_DIR_FD = 1,
        CRIU_PID = 2,
        CRIU_LEAVE_RUNNING = 3,
        CRIU_EXT_UNIX_SK = 4,
        CRIU_TCP_ESTABLISHED = 5,
        CRIU_EVASIVE_DEVICES = 6,
        CRIU_SHELL_JOB = 7,
        CRIU_FILE_LOCKS = 8,
        CRIU_LOG_LEVEL = 9,
        CRIU_LOG_FILE = 10,
        CRIU_PAGE_SERVER = 11,
        CRIU_NOTIFY_SCRIPTS = 12,
        CRIU_ROOT = 13,
        CRIU_PARENT_IMG = 14,
        CRIU_TRACK_MEM = 15,
        CRIU_AUTO_DEDUP = 16,
        CRIU_WORK_DIR_FD = 17,
        CRIU_LINK_REMAP = 18,
        CRIU_EXT_MNT = 23,
        CRIU_MANAGE_CGROUPS = 24,
        CRIU_CG_ROOT = 25,
        CRIU_RST_SIBLING = 26,
        CRIU_INHERIT_FD = 27,
        CRIU_MANAGE_CGROUPS_MODE = 34,
        CRIU_EXTERNAL = 37,
        CRIU_EMPTY_NS = 38,
        CRIU_JOIN_NS = 39,
        CRIU_FREEZE_CGROUP = 44,
        CRIU_TCP_SKIP_IN_FLIGHT = 46,
        CRIU_LAZY_PAGES = 48,
        CRIU_STATUS_FD = 49,
        CRIU_ORPHAN_PTS_MASTER = 50,
        CRIU_CONFIG_FILE = 51,
        CRIU_LSM_PROFILE = 53,
        CRIU_CGROUP_YARD = 60,
        CRIU_LSM_MOUNT_CONTEXT = 63,
} CriuField;

/**
 * criu_put_number, criu_put_text, criu_put_pair, criu_put_pair_number:
 * Append a field to a message: an integer, a string (nothing is done for NULL), or a message of a string in
 * field 1 and a string or an integer in field 2.
 */
void criu_put_number(GByteArray *message, unsigned field, uint64_t value);
void criu_put_text(GByteArray *message, unsigned field, const char *text);
void criu_put_pair(GByteArray *message, unsigned field, const char *first, const char *second);
void criu_put_pair_number(GByteArray *message, unsigned field, const char *first, uint64_t second);

/**
 * criu_request:
 * @options: (nullable): a criu_opts message
 * Returns (transfer full): the criu_req that asks for @type.
 */
GByteArray *criu_request(CriuType type, const GByteArray *options);

/**
 * criu_request_features:
 * Returns (transfer full): one that asks whether memory can be tracked and pages be sent later.
 */
GByteArray *criu_request_features(void);

/**
 * criu_acknowledge:
 * Returns (transfer full): the answer to a notification.
 */
GByteArray *criu_acknowledge(bool success);

/* A criu_resp. */
typedef struct CriuResponse {
        uint32_t type; /* CriuType */
        bool success;
        char *script;  /* of a notification: its name */
        int32_t pid;   /* and the process it is about, 0: none */
        int32_t error; /* an errno, 0: none */
        char *message; /* NULL: none */
        bool track_memory;
        bool lazy_pages;
        unsigned version; /* as runc counts: 3.17.1 is 31701 */
} CriuResponse;

void criu_response_clear(CriuResponse *response);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CriuResponse, criu_response_clear)

/**
 * criu_response_parse:
 * @ret: for criu_response_clear(), also on failure
 * Returns false when the bytes are no criu_resp.
 */
bool criu_response_parse(const uint8_t *data, size_t size, CriuResponse *ret);
