/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state as JSON, by json-glib's generator, which leaves slashes alone. Paths that are not UTF-8 are shown
 * with replacement characters: JSON can't say them. */

#include "oci/state.h"

#include <json-glib/json-glib.h>

static void add_string(JsonBuilder *builder, const char *name, const char *value) {
        g_autofree char *valid = g_utf8_make_valid(value ? value : "", -1);

        json_builder_set_member_name(builder, name);
        json_builder_add_string_value(builder, valid);
}

static void add_pid(JsonBuilder *builder, pid_t pid) {
        json_builder_set_member_name(builder, "pid");
        json_builder_add_int_value(builder, pid);
}

static void add_annotations(JsonBuilder *builder, const OciPairs *annotations) {
        if (!annotations || annotations->n == 0)
                return;
        json_builder_set_member_name(builder, "annotations");
        json_builder_begin_object(builder);
        for (size_t i = 0; i < annotations->n; i++)
                add_string(builder, annotations->items[i].key, annotations->items[i].value);
        json_builder_end_object(builder);
}

static char *to_string(JsonBuilder *builder, bool pretty) {
        g_autoptr(JsonNode) root = json_builder_get_root(builder);

        return json_to_string(root, pretty);
}

static char *finish(JsonBuilder *builder, bool pretty) {
        json_builder_end_object(builder);
        return to_string(builder, pretty);
}

static void begin_hook_state(JsonBuilder *builder, const OciState *state) {
        json_builder_begin_object(builder);
        add_string(builder, "ociVersion", OCI_VERSION);
        add_string(builder, "id", state->id);
        add_string(builder, "status", state->status);
        if (state->pid != 0)
                add_pid(builder, state->pid);
        add_string(builder, "bundle", state->bundle);
        add_annotations(builder, state->annotations);
}

char *oci_state_for_hook(const OciState *state) {
        g_autoptr(JsonBuilder) builder = json_builder_new();

        begin_hook_state(builder, state);
        return finish(builder, /* pretty= */ false);
}

char *oci_state_for_listener(const OciState *state, pid_t pid, const char *metadata) {
        g_autoptr(JsonBuilder) builder = json_builder_new();

        json_builder_begin_object(builder);
        add_string(builder, "ociVersion", OCI_VERSION);
        json_builder_set_member_name(builder, "fds");
        json_builder_begin_array(builder);
        json_builder_add_string_value(builder, "seccompFd");
        json_builder_end_array(builder);
        add_pid(builder, pid);
        if (metadata)
                add_string(builder, "metadata", metadata);
        json_builder_set_member_name(builder, "state");
        begin_hook_state(builder, state);
        json_builder_end_object(builder);
        return finish(builder, /* pretty= */ false);
}

static void begin_state(JsonBuilder *builder, const OciState *state) {
        json_builder_begin_object(builder);
        add_string(builder, "ociVersion", OCI_VERSION);
        add_string(builder, "id", state->id);
        add_pid(builder, state->pid);
        add_string(builder, "status", state->status);
        add_string(builder, "bundle", state->bundle);
        add_string(builder, "rootfs", state->rootfs);
        add_string(builder, "created", state->created);
        add_annotations(builder, state->annotations);
        add_string(builder, "owner", state->owner);
        if (state->unit)
                add_string(builder, "systemdUnit", state->unit);
}

char *oci_state_to_json(const OciState *state) {
        g_autoptr(JsonBuilder) builder = json_builder_new();

        begin_state(builder, state);
        return finish(builder, /* pretty= */ true);
}

char *oci_states_to_json(const OciState *const *states, size_t n) {
        g_autoptr(JsonBuilder) builder = json_builder_new();

        json_builder_begin_array(builder);
        for (size_t i = 0; i < n; i++) {
                begin_state(builder, states[i]);
                json_builder_end_object(builder);
        }
        json_builder_end_array(builder);
        return to_string(builder, /* pretty= */ false);
}
