/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* config.json as a whole: the outermost object, mounts and hooks (config.md), reading the file, and looking
 * things up in what was read. The other objects have tables in config-*.c; how tables are carried out is in
 * decode.c. */

#include "oci/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "oci/tables.h"
#include "oci/text.h"

#define FIELD(json, word, member, ...)        FIELD_OF(OciConfig, json, word, member, ##__VA_ARGS__)
#define ARRAY(json, word, member, count, ...) ARRAY_OF(OciConfig, json, word, member, count, ##__VA_ARGS__)

#define MOUNTS_MAX       16384
#define HOOKS_MAX        1024 /* of one kind: poststart hooks are commands of the unit */
#define FILE_SIZE_MAX    (16 * 1024 * 1024)
#define HOOK_TIMEOUT_MAX (INT64_MAX / G_USEC_PER_SEC) /* seconds; it is counted in microseconds later */

static const Field root_fields[] = {
        FIELD("path", string, root_path, .required = true, .check = text_check_not_empty),
        FIELD("readonly", boolean, root_readonly),
};
static const Shape root_shape = {SHAPE(OciConfig, root_fields)};

static const Field mount_fields[] = {
        FIELD_OF(OciMount, "destination", string, destination, .required = true,
                 .check = text_check_not_empty),
        FIELD_OF(OciMount, "type", string, type, .empty_is_absent = true),
        FIELD_OF(OciMount, "source", string, source, .empty_is_absent = true),
        FIELD_OF(OciMount, "options", strings, options),
        ID_MAPPINGS_OF(OciMount, "uidMappings", uid_mappings),
        ID_MAPPINGS_OF(OciMount, "gidMappings", gid_mappings),
};

static void init_mount(void *object) {
        ((OciMount *) object)->options = g_new0(char *, 1);
}

static bool check_mount(Decoder *decoder, void *object, GError **error) {
        const OciMount *mount = object;

        /* "If specified, it MUST be specified along with gidMappings", and the other way round. */
        if ((mount->uid_mappings.n > 0) != (mount->gid_mappings.n > 0))
                return decode_fail(decoder, mount->uid_mappings.n > 0 ? "gidMappings" : "uidMappings",
                                   DECODE_NO_INDEX, error, "required beside %s, but missing",
                                   mount->uid_mappings.n > 0 ? "uidMappings" : "gidMappings");
        return check_id_mappings(decoder, "uidMappings", &mount->uid_mappings, error) &&
               check_id_mappings(decoder, "gidMappings", &mount->gid_mappings, error);
}

static const Shape mount_shape = {SHAPE(OciMount, mount_fields), .init = init_mount, .check = check_mount};

static const Field hook_fields[] = {
        FIELD_OF(OciHook, "path", string, path, .required = true, .check = text_check_absolute_path),
        FIELD_OF(OciHook, "args", strings, args),
        FIELD_OF(OciHook, "env", strings, env, .check = text_check_env),
        FIELD_OF(OciHook, "timeout", maybe_int, timeout, .min = 1, .max = HOOK_TIMEOUT_MAX),
};
static const Shape hook_shape = {SHAPE(OciHook, hook_fields)};

#define HOOKS(json, hook_kind)                                                                               \
        ARRAY(json, structs, hooks[hook_kind].items, hooks[hook_kind].n, .max_n = HOOKS_MAX,                 \
              .shape = &hook_shape)

static const Field hooks_fields[] = {
        /* by OciHookKind */
        HOOKS("prestart", OCI_HOOK_PRESTART),
        HOOKS("createRuntime", OCI_HOOK_CREATE_RUNTIME),
        HOOKS("createContainer", OCI_HOOK_CREATE_CONTAINER),
        HOOKS("startContainer", OCI_HOOK_START_CONTAINER),
        HOOKS("poststart", OCI_HOOK_POSTSTART),
        HOOKS("poststop", OCI_HOOK_POSTSTOP),
};
static const Shape hooks_shape = {SHAPE(OciConfig, hooks_fields)};
G_STATIC_ASSERT(G_N_ELEMENTS(hooks_fields) == OCI_HOOK_KINDS);

static const Field config_fields[] = {
        FIELD("ociVersion", string, oci_version, .required = true, .check = text_check_semver),
        SECTION_OF("root", root_shape, .required = true),
        ARRAY("mounts", structs, mounts, n_mounts, .max_n = MOUNTS_MAX, .shape = &mount_shape),
        FIELD("process", pointer, process, .shape = &process_shape),
        FIELD("hostname", string, hostname, .empty_is_absent = true, .check = text_check_host_name),
        FIELD("domainname", string, domainname, .empty_is_absent = true, .check = text_check_host_name),
        SECTION_OF("hooks", hooks_shape),
        FIELD("annotations", pairs, annotations, .check_key = text_check_not_empty),
        FIELD("linux", struct, linux, .shape = &linux_shape),
};
static const Shape config_shape = {SHAPE(OciConfig, config_fields)};

/* Decodes @text into a new struct of @shape. */
static void *parse(const Shape *shape, const char *text, size_t size, const char *name, GError **error) {
        g_autoptr(Document) document = document_parse(text, size, error);
        Decoder decoder = {.name = name};
        void *object;
        bool done;

        if (!document) {
                fail_prefix(error, "%s", name);
                return NULL;
        }
        decoder.path = g_string_new(NULL);
        object = g_malloc0(shape->size);
        done = decode_object(&decoder, shape, document_root(document), object, error);
        g_string_free(decoder.path, TRUE);
        if (done)
                return object;
        shape_clear(shape, object);
        g_free(object);
        return NULL;
}

/* O_NONBLOCK: the open of a FIFO that nobody writes to must not wait. A pipe is then read until its writers
 * are gone. */
static bool read_file(int dir_fd, const char *path, bool may_be_pipe, char **ret_text, size_t *ret_size,
                      GError **error) {
        autoclose int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        struct stat status;
        int r;

        if (fd < 0 && errno == ENOENT)
                return fail_code(error, UNITRUN_ERROR_NOT_FOUND, "%s: %s", path, g_strerror(ENOENT));
        if (fd < 0 || fstat(fd, &status) < 0)
                return fail_errno(error, errno, "%s", path);
        if (!S_ISREG(status.st_mode) && !(may_be_pipe && S_ISFIFO(status.st_mode)))
                return fail(error, "%s: not a regular file%s", path, may_be_pipe ? " or a pipe" : "");
        if (S_ISFIFO(status.st_mode) && fcntl(fd, F_SETFL, 0) < 0)
                return fail_errno(error, errno, "%s", path);
        r = fd_read_all(fd, FILE_SIZE_MAX, ret_text, ret_size);
        if (r == -EFBIG)
                return fail(error, "%s: larger than 16 MiB", path);
        return r >= 0 || fail_errno(error, r, "%s", path);
}

static void *load(const Shape *shape, int dir_fd, const char *path, bool may_be_pipe, char **ret_text,
                  GError **error) {
        autofree char *text = NULL;
        size_t size;
        void *object;

        if (!read_file(dir_fd, path, may_be_pipe, &text, &size, error))
                return NULL;
        object = parse(shape, text, size, path, error);
        if (object && ret_text)
                *ret_text = g_strdup(text);
        return object;
}

static void free_object(const Shape *shape, void *object) {
        if (!object)
                return;
        shape_clear(shape, object);
        g_free(object);
}

OciConfig *oci_config_load(int dir_fd, const char *path, char **ret_text, GError **error) {
        return load(&config_shape, dir_fd, path, /* may_be_pipe= */ false, ret_text, error);
}

OciConfig *oci_config_parse(const char *text, gsize size, const char *name, GError **error) {
        return parse(&config_shape, text, size, name, error);
}

void oci_config_free(OciConfig *config) {
        free_object(&config_shape, config);
}

OciProcess *oci_process_load(int dir_fd, const char *path, GError **error) {
        return load(&process_shape, dir_fd, path, /* may_be_pipe= */ true, NULL, error);
}

OciProcess *oci_process_parse(const char *text, gsize size, const char *name, GError **error) {
        return parse(&process_shape, text, size, name, error);
}

void oci_process_free(OciProcess *process) {
        free_object(&process_shape, process);
}

OciResources *oci_resources_load(int dir_fd, const char *path, GError **error) {
        return load(&resources_shape, dir_fd, path, /* may_be_pipe= */ true, NULL, error);
}

OciResources *oci_resources_parse(const char *text, gsize size, const char *name, GError **error) {
        return parse(&resources_shape, text, size, name, error);
}

void oci_resources_free(OciResources *resources) {
        free_object(&resources_shape, resources);
}

const char *oci_pairs_get(const OciPairs *pairs, const char *key) {
        for (size_t i = pairs->n; i > 0; i--)
                if (strcmp(pairs->items[i - 1].key, key) == 0)
                        return pairs->items[i - 1].value;
        return NULL;
}

bool oci_id_mappings_find(const OciIdMappings *mappings, uint32_t id, uint32_t *ret_id) {
        for (size_t i = 0; i < mappings->n; i++) {
                const OciIdMapping *mapping = &mappings->items[i];

                if (id < mapping->container_id || id - mapping->container_id >= mapping->size)
                        continue;
                *ret_id = mapping->host_id + (id - mapping->container_id);
                return true;
        }
        return false;
}

const char *oci_hook_kind_name(OciHookKind kind) {
        return hooks_fields[kind].key;
}
