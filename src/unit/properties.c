/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A unit's properties as GVariants: they compare, print and parse themselves. At the very end they are copied
 * into a message of sd-bus, type by type. */

#include "unit/properties.h"

#include <errno.h>
#include <string.h>

typedef struct Property {
        char *name;
        GVariant *value;
} Property;

struct PropertySet {
        GArray *items; /* of Property */
};

static void property_clear(void *data) {
        Property *property = data;

        g_free(property->name);
        g_variant_unref(property->value);
}

PropertySet *property_set_new(void) {
        PropertySet *set = g_new0(PropertySet, 1);

        set->items = g_array_new(FALSE, FALSE, sizeof(Property));
        g_array_set_clear_func(set->items, property_clear);
        return set;
}

void property_set_free(PropertySet *set) {
        if (!set)
                return;
        g_array_unref(set->items);
        g_free(set);
}

static Property *property_at(const PropertySet *set, size_t i) {
        return &g_array_index(set->items, Property, i);
}

static Property *property_find(const PropertySet *set, const char *name) {
        for (size_t i = 0; i < set->items->len; i++)
                if (strcmp(property_at(set, i)->name, name) == 0)
                        return property_at(set, i);
        return NULL;
}

void property_set_put(PropertySet *set, const char *name, GVariant *value) {
        Property *there = property_find(set, name);
        GVariant *taken = g_variant_ref_sink(value);

        if (there) {
                g_variant_unref(there->value);
                there->value = taken;
        } else {
                Property property = {g_strdup(name), taken};

                g_array_append_val(set->items, property);
        }
}

void property_set_put_string(PropertySet *set, const char *name, const char *value) {
        property_set_put(set, name, g_variant_new_string(value));
}

void property_set_put_strings(PropertySet *set, const char *name, const char *const *values) {
        property_set_put(set, name, g_variant_new_strv(values, -1));
}

void property_set_put_bool(PropertySet *set, const char *name, bool value) {
        property_set_put(set, name, g_variant_new_boolean(value));
}

void property_set_put_int32(PropertySet *set, const char *name, int32_t value) {
        property_set_put(set, name, g_variant_new_int32(value));
}

void property_set_put_uint64(PropertySet *set, const char *name, uint64_t value) {
        property_set_put(set, name, g_variant_new_uint64(value));
}

void property_set_append(PropertySet *set, const char *name, GVariant *array) {
        g_autoptr(GVariant) more = g_variant_ref_sink(array);
        GVariant *there = property_set_find(set, name);
        GVariantBuilder joined;

        if (!there || !g_variant_is_of_type(there, g_variant_get_type(more))) {
                property_set_put(set, name, more);
                return;
        }
        g_variant_builder_init(&joined, g_variant_get_type(more));
        for (gsize i = 0; i < g_variant_n_children(there); i++)
                g_variant_builder_add_value(&joined, g_variant_get_child_value(there, i));
        for (gsize i = 0; i < g_variant_n_children(more); i++)
                g_variant_builder_add_value(&joined, g_variant_get_child_value(more, i));
        property_set_put(set, name, g_variant_builder_end(&joined));
}

void property_set_append_command(PropertySet *set, const char *name, const char *const *argv) {
        g_autoptr(GPtrArray) escaped = g_ptr_array_new_with_free_func(g_free);
        GVariant *command;

        for (const char *const *argument = argv; *argument; argument++) {
                g_auto(GStrv) parts = g_strsplit(*argument, "$", -1);

                g_ptr_array_add(escaped, g_strjoinv("$$", parts));
        }
        command =
                g_variant_new("(s@asb)", argv[0],
                              g_variant_new_strv((const char *const *) escaped->pdata, (gssize) escaped->len),
                              /* ignore_failure= */ FALSE);
        property_set_append(set, name, g_variant_new_array(NULL, &command, 1));
}

void property_set_put_all(PropertySet *set, const PropertySet *other) {
        for (size_t i = 0; i < other->items->len; i++)
                property_set_put(set, property_at(other, i)->name, property_at(other, i)->value);
}

GVariant *property_set_find(const PropertySet *set, const char *name) {
        Property *there = property_find(set, name);

        return there ? there->value : NULL;
}

void property_set_remove(PropertySet *set, const char *name) {
        for (size_t i = 0; i < set->items->len; i++) {
                if (strcmp(property_at(set, i)->name, name) == 0) {
                        g_array_remove_index(set->items, (guint) i);
                        return;
                }
        }
}

size_t property_set_get_n(const PropertySet *set) {
        return set->items->len;
}

void property_set_foreach(const PropertySet *set, void (*call)(const char *name, GVariant *value, void *data),
                          void *data) {
        for (guint i = 0; i < set->items->len; i++) {
                const Property *property = &g_array_index(set->items, Property, i);

                call(property->name, property->value, data);
        }
}

char *property_set_print(const PropertySet *set) {
        GString *text = g_string_new(NULL);

        for (size_t i = 0; i < set->items->len; i++) {
                g_string_append_printf(text, "%s=", property_at(set, i)->name);
                g_variant_print_string(property_at(set, i)->value, text, /* type_annotate= */ TRUE);
                g_string_append_c(text, '\n');
        }
        return g_string_free(text, FALSE);
}

static int append_basic(GVariant *value, sd_bus_message *message) {
        char type = (char) g_variant_classify(value);
        union {
                int boolean; /* sd-bus takes an int for 'b' */
                uint8_t byte;
                int16_t int16;
                uint16_t uint16;
                int32_t int32;
                uint32_t uint32;
                int64_t int64;
                uint64_t uint64;
                double floating;
        } number;

        switch (type) {
        case 'b':
                number.boolean = g_variant_get_boolean(value);
                break;
        case 'y':
                number.byte = g_variant_get_byte(value);
                break;
        case 'n':
                number.int16 = g_variant_get_int16(value);
                break;
        case 'q':
                number.uint16 = g_variant_get_uint16(value);
                break;
        case 'i':
                number.int32 = g_variant_get_int32(value);
                break;
        case 'u':
                number.uint32 = g_variant_get_uint32(value);
                break;
        case 'x':
                number.int64 = g_variant_get_int64(value);
                break;
        case 't':
                number.uint64 = g_variant_get_uint64(value);
                break;
        case 'd':
                number.floating = g_variant_get_double(value);
                break;
        case 's':
        case 'o':
        case 'g':
                return sd_bus_message_append_basic(message, type, g_variant_get_string(value, NULL));
        default:
                return -EOPNOTSUPP;
        }
        return sd_bus_message_append_basic(message, type, &number);
}

/* What sd-bus wants as the contents of a container: an array's element type, a variant's type, the types
 * between the brackets of a structure. */
static char *container_contents(GVariant *value) {
        const char *type = g_variant_get_type_string(value);

        switch (g_variant_classify(value)) {
        case G_VARIANT_CLASS_ARRAY:
                return g_strdup(type + 1);
        case G_VARIANT_CLASS_VARIANT: {
                g_autoptr(GVariant) inside = g_variant_get_variant(value);

                return g_strdup(g_variant_get_type_string(inside));
        }
        case G_VARIANT_CLASS_TUPLE:
        case G_VARIANT_CLASS_DICT_ENTRY:
                return g_strndup(type + 1, strlen(type) - 2);
        default:
                return NULL;
        }
}

/* Returns the size of an element where @value is an array of numbers: GVariant and the bus lay them out alike
 * (other than booleans); 0 else. */
static size_t number_array_element(GVariant *value) {
        static const char types[] = "ynqiuxtd";
        static const size_t sizes[] = {1, 2, 2, 4, 4, 8, 8, 8};
        const char *type = g_variant_get_type_string(value), *found;

        if (type[0] != 'a' || type[1] == '\0' || type[2] != '\0')
                return 0;
        found = strchr(types, type[1]);
        return found ? sizes[found - types] : 0;
}

int variant_append_message(GVariant *value, sd_bus_message *message) {
        static const struct {
                GVariantClass class;
                char type;
        } containers[] = {
                {G_VARIANT_CLASS_ARRAY,      SD_BUS_TYPE_ARRAY     },
                {G_VARIANT_CLASS_VARIANT,    SD_BUS_TYPE_VARIANT   },
                {G_VARIANT_CLASS_TUPLE,      SD_BUS_TYPE_STRUCT    },
                {G_VARIANT_CLASS_DICT_ENTRY, SD_BUS_TYPE_DICT_ENTRY},
        };
        g_autofree char *contents = container_contents(value);
        size_t element = number_array_element(value);
        char type = '\0';
        int r;

        if (!contents)
                return append_basic(value, message);
        /* All at once, which is not only quicker: GLib 2.84 warns when it is asked for the bytes of a short
         * bytestring one by one. */
        if (element > 0) {
                gsize count = 0;
                const void *data = g_variant_get_fixed_array(value, &count, element);

                return sd_bus_message_append_array(message, contents[0], data, count * element);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(containers); i++)
                if (containers[i].class == g_variant_classify(value))
                        type = containers[i].type;

        r = sd_bus_message_open_container(message, type, contents);
        for (gsize i = 0; r >= 0 && i < g_variant_n_children(value); i++) {
                g_autoptr(GVariant) child = g_variant_get_child_value(value, i);

                r = variant_append_message(child, message);
        }
        return r < 0 ? r : sd_bus_message_close_container(message);
}

static int property_append(const Property *property, sd_bus_message *message) {
        int r = sd_bus_message_open_container(message, SD_BUS_TYPE_STRUCT, "sv");

        if (r >= 0)
                r = sd_bus_message_append_basic(message, 's', property->name);
        if (r >= 0)
                r = sd_bus_message_open_container(message, SD_BUS_TYPE_VARIANT,
                                                  g_variant_get_type_string(property->value));
        if (r >= 0)
                r = variant_append_message(property->value, message);
        if (r >= 0)
                r = sd_bus_message_close_container(message);
        if (r >= 0)
                r = sd_bus_message_close_container(message);
        return r;
}

int property_set_append_message(const PropertySet *set, sd_bus_message *message) {
        int r = sd_bus_message_open_container(message, SD_BUS_TYPE_ARRAY, "(sv)");

        for (size_t i = 0; r >= 0 && i < set->items->len; i++)
                r = property_append(property_at(set, i), message);
        return r < 0 ? r : sd_bus_message_close_container(message);
}

static GVariant *read_basic(sd_bus_message *message, char type) {
        union {
                int boolean; /* sd-bus gives an int for 'b' */
                uint8_t byte;
                int16_t int16;
                uint16_t uint16;
                int32_t int32;
                uint32_t uint32;
                int64_t int64;
                uint64_t uint64;
                double floating;
                const char *text;
        } value;

        if (type == 'h' || sd_bus_message_read_basic(message, type, &value) <= 0)
                return NULL;
        switch (type) {
        case 'b':
                return g_variant_new_boolean(value.boolean != 0);
        case 'y':
                return g_variant_new_byte(value.byte);
        case 'n':
                return g_variant_new_int16(value.int16);
        case 'q':
                return g_variant_new_uint16(value.uint16);
        case 'i':
                return g_variant_new_int32(value.int32);
        case 'u':
                return g_variant_new_uint32(value.uint32);
        case 'x':
                return g_variant_new_int64(value.int64);
        case 't':
                return g_variant_new_uint64(value.uint64);
        case 'd':
                return g_variant_new_double(value.floating);
        case 'o':
                return g_variant_new_object_path(value.text);
        case 'g':
                return g_variant_new_signature(value.text);
        default:
                return g_variant_new_string(value.text);
        }
}

/* As GVariant writes it: "a(st)", "(st)", "v". */
static char *container_type(char type, const char *contents) {
        switch (type) {
        case SD_BUS_TYPE_ARRAY:
                return g_strconcat("a", contents, NULL);
        case SD_BUS_TYPE_STRUCT:
                return g_strconcat("(", contents, ")", NULL);
        case SD_BUS_TYPE_DICT_ENTRY:
                return g_strconcat("{", contents, "}", NULL);
        default:
                return g_strdup("v");
        }
}

static GVariant *read_next(sd_bus_message *message) {
        g_autofree char *full_type = NULL;
        const char *contents;
        GVariantBuilder builder;
        GVariant *child;
        char type;

        if (sd_bus_message_peek_type(message, &type, &contents) <= 0)
                return NULL;
        if (!contents)
                return read_basic(message, type);
        full_type = container_type(type, contents);
        if (sd_bus_message_enter_container(message, type, contents) <= 0)
                return NULL;
        g_variant_builder_init(&builder, G_VARIANT_TYPE(full_type));
        while (sd_bus_message_at_end(message, /* complete= */ 0) == 0) {
                child = read_next(message);
                if (!child) {
                        g_variant_builder_clear(&builder);
                        return NULL;
                }
                g_variant_builder_add_value(&builder, child);
        }
        if (sd_bus_message_exit_container(message) < 0) {
                g_variant_builder_clear(&builder);
                return NULL;
        }
        return g_variant_builder_end(&builder);
}

GVariant *variant_read_message(sd_bus_message *message) {
        GVariant *value = read_next(message);

        return value ? g_variant_ref_sink(value) : NULL;
}
