/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Most properties have the name of the setting. Times are in microseconds on the bus, and masks are bits. */

#include "generator/property-line.h"

#include <stdint.h>

#define USEC_PER_PERCENT 10000 /* of a second */

static void add_number(GString *text, const char *name, uint64_t number) {
        if (number == UINT64_MAX)
                g_string_append_printf(text, "%s=infinity\n", name);
        else
                g_string_append_printf(text, "%s=%" G_GUINT64_FORMAT "\n", name, number);
}

/* CPUQuota= has two digits behind the point. */
static void add_quota(GString *text, uint64_t usec_per_sec) {
        if (usec_per_sec == UINT64_MAX)
                g_string_append(text, "CPUQuota=\n");
        else
                g_string_append_printf(text, "CPUQuota=%" G_GUINT64_FORMAT ".%02u%%\n",
                                       usec_per_sec / USEC_PER_PERCENT,
                                       (unsigned) (usec_per_sec % USEC_PER_PERCENT / 100));
}

static void add_mask(GString *text, const char *name, GVariant *value) {
        gsize size;
        const uint8_t *bytes = g_variant_get_fixed_array(value, &size, 1);
        const char *separator = "";

        g_string_append_printf(text, "%s=", name);
        for (gsize bit = 0; bit < size * 8; bit++)
                if (bytes[bit / 8] & (1U << (bit % 8))) {
                        g_string_append_printf(text, "%s%zu", separator, bit);
                        separator = " ";
                }
        g_string_append_c(text, '\n');
}

/* "/dev/sda 1000", a line for each device. */
static void add_devices(GString *text, const char *name, GVariant *value) {
        GVariantIter iter;
        const char *path;
        guint64 number;

        g_variant_iter_init(&iter, value);
        while (g_variant_iter_next(&iter, "(&st)", &path, &number))
                g_string_append_printf(text, "%s=%s %" G_GUINT64_FORMAT "\n", name, path, number);
}

void property_line_add(GString *text, const char *name, GVariant *value) {
        const char *type = g_variant_get_type_string(value);

        if (g_str_equal(name, "CPUQuotaPerSecUSec"))
                add_quota(text, g_variant_get_uint64(value));
        else if (g_str_equal(name, "CPUQuotaPeriodUSec"))
                g_string_append_printf(text, "CPUQuotaPeriodSec=%" G_GUINT64_FORMAT "us\n",
                                       g_variant_get_uint64(value));
        else if (g_str_equal(type, "t"))
                add_number(text, name, g_variant_get_uint64(value));
        else if (g_str_equal(type, "ay"))
                add_mask(text, name, value);
        else if (g_str_equal(type, "a(st)"))
                add_devices(text, name, value);
}
