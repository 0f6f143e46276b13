/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The shapes of config.json that refer to each other across files, and the checks that look at more than one
 * of its objects. Private to oci/. */

#include "oci/config.h"
#include "oci/decode.h"

extern const Shape process_shape;    /* OciProcess, config-process.c */
extern const Shape id_mapping_shape; /* OciIdMapping, config-linux.c */
extern const Shape linux_shape;      /* OciLinux, config-linux.c */
extern const Shape resources_shape;  /* OciResources, config-resources.c */
extern const Shape seccomp_shape;    /* OciSeccomp, config-seccomp.c */

#define ID_MAX           (UINT32_MAX - 1) /* (uid_t) -1 means "no change" to setresuid(2) and chown(2) */
#define DEVICE_MAJOR_MAX 4095             /* MAJOR and MINOR of linux/kdev_t.h: 12 and 20 bits */
#define DEVICE_MINOR_MAX 1048575

/* A row of a table: @member of @type, of kind field_@word. What else Field has follows as .name = value. */
#define FIELD_OF(type, json, word, member, ...)                                                              \
        { .key = (json), .kind = &field_##word, .offset = offsetof(type, member), ##__VA_ARGS__ }

/* The same for an array and the member that counts its items. */
#define ARRAY_OF(type, json, word, member, count, ...)                                                       \
        FIELD_OF(type, json, word, member, .count_offset = offsetof(type, count), ##__VA_ARGS__)

/* A row for a section, an object whose properties the surrounding struct holds. */
#define SECTION_OF(json, section, ...)                                                                       \
        { .key = (json), .kind = &field_section, .shape = &(section), ##__VA_ARGS__ }

#define ID_MAPPINGS_OF(type, json, member)                                                                   \
        ARRAY_OF(type, json, structs, member.items, member.n, .shape = &id_mapping_shape)

/**
 * check_id_mappings:
 * @key: "uidMappings" or "gidMappings"
 *
 * What the kernel would answer with a bare EINVAL: empty, overflowing, overlapping or too many ranges; see
 * user_namespaces(7).
 */
bool check_id_mappings(Decoder *decoder, const char *key, const OciIdMappings *mappings, GError **error);

/**
 * check_linux:
 * Checks of the linux object that need its namespaces: duplicates, mappings, time offsets, sysctls.
 */
bool check_linux(Decoder *decoder, void *object, GError **error);
