/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* json-glib, loaded when the first JSON text is written. With GObject and GIO behind it, it takes the dynamic
 * linker as long as all other libraries together, and a container is created, started and deleted without a
 * word of JSON from us. These functions stand in for the library's of the same names, which callers use with
 * its own headers. */

#include <dlfcn.h>
#include <json-glib/json-glib.h>

#define LIBRARY "libjson-glib-1.0.so.0"

static void *find(const char *name) {
        static void *library;
        void *found;

        if (!library)
                library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        found = library ? dlsym(library, name) : NULL;
        if (!found)
                g_error("cannot load '%s' to write JSON: %s", LIBRARY, dlerror());
        return found;
}

#define STAND_IN(type, name, parameters, arguments)                                                          \
        type name parameters {                                                                               \
                static __typeof__(name) *real;                                                               \
                                                                                                             \
                if (!real)                                                                                   \
                        real = find(#name);                                                                  \
                return real arguments;                                                                       \
        }

STAND_IN(JsonBuilder *, json_builder_new, (void), ())
STAND_IN(JsonBuilder *, json_builder_begin_object, (JsonBuilder * builder), (builder))
STAND_IN(JsonBuilder *, json_builder_end_object, (JsonBuilder * builder), (builder))
STAND_IN(JsonBuilder *, json_builder_begin_array, (JsonBuilder * builder), (builder))
STAND_IN(JsonBuilder *, json_builder_end_array, (JsonBuilder * builder), (builder))
STAND_IN(JsonBuilder *, json_builder_set_member_name, (JsonBuilder * builder, const gchar *name),
         (builder, name))
STAND_IN(JsonBuilder *, json_builder_add_string_value, (JsonBuilder * builder, const gchar *value),
         (builder, value))
STAND_IN(JsonBuilder *, json_builder_add_int_value, (JsonBuilder * builder, gint64 value), (builder, value))
STAND_IN(JsonBuilder *, json_builder_add_boolean_value, (JsonBuilder * builder, gboolean value),
         (builder, value))
STAND_IN(JsonBuilder *, json_builder_add_double_value, (JsonBuilder * builder, gdouble value),
         (builder, value))
STAND_IN(JsonBuilder *, json_builder_add_null_value, (JsonBuilder * builder), (builder))
STAND_IN(JsonNode *, json_builder_get_root, (JsonBuilder * builder), (builder))
STAND_IN(void, json_node_unref, (JsonNode * node), (node))
STAND_IN(char *, json_to_string, (JsonNode * node, gboolean pretty), (node, pretty))
STAND_IN(JsonGenerator *, json_generator_new, (void), ())
STAND_IN(void, json_generator_set_root, (JsonGenerator * generator, JsonNode *node), (generator, node))
STAND_IN(void, json_generator_set_pretty, (JsonGenerator * generator, gboolean pretty), (generator, pretty))
STAND_IN(gchar *, json_generator_to_data, (JsonGenerator * generator, gsize *length), (generator, length))
STAND_IN(void, g_object_unref, (gpointer object), (object))

/* A text that is changed before it is written. What is parsed is our own: config.json has oci/document.h. */
STAND_IN(JsonNode *, json_from_string, (const char *text, GError **error), (text, error))
STAND_IN(JsonObject *, json_node_get_object, (JsonNode * node), (node))
STAND_IN(JsonObject *, json_object_new, (void), ())
STAND_IN(JsonObject *, json_object_get_object_member, (JsonObject * object, const gchar *name),
         (object, name))
STAND_IN(JsonArray *, json_object_get_array_member, (JsonObject * object, const gchar *name), (object, name))
STAND_IN(const gchar *, json_object_get_string_member, (JsonObject * object, const gchar *name),
         (object, name))
STAND_IN(void, json_object_set_object_member, (JsonObject * object, const gchar *name, JsonObject *value),
         (object, name, value))
STAND_IN(void, json_object_set_array_member, (JsonObject * object, const gchar *name, JsonArray *value),
         (object, name, value))
STAND_IN(void, json_object_set_string_member, (JsonObject * object, const gchar *name, const gchar *value),
         (object, name, value))
STAND_IN(void, json_object_set_int_member, (JsonObject * object, const gchar *name, gint64 value),
         (object, name, value))
STAND_IN(void, json_object_set_boolean_member, (JsonObject * object, const gchar *name, gboolean value),
         (object, name, value))
STAND_IN(void, json_object_remove_member, (JsonObject * object, const gchar *name), (object, name))
STAND_IN(JsonArray *, json_array_new, (void), ())
STAND_IN(guint, json_array_get_length, (JsonArray * array), (array))
STAND_IN(JsonObject *, json_array_get_object_element, (JsonArray * array, guint index), (array, index))
STAND_IN(void, json_array_add_object_element, (JsonArray * array, JsonObject *value), (array, value))
STAND_IN(void, json_array_add_string_element, (JsonArray * array, const gchar *value), (array, value))
STAND_IN(void, json_array_remove_element, (JsonArray * array, guint index), (array, index))
