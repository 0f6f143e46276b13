/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* linux.resources.devices: a list of rules in which the last that matches decides, on top of "everything is
 * refused". systemd has a list of what is allowed, DeviceAllow=. Most lists can be said in it exactly; where
 * a rule takes away a part of what another gave (all of major 8 but 8:0), the payload gets a program of its
 * own instead, and the unit no policy. */

#include <string.h>

#include "base-glib/error.h"
#include "container/resources-carry.h"

#define ANY (-1)

/* What every container has: the spec's default devices, and mknod(2) of all (a node is useless without the
 * right to open it). See config-linux.md, "Default Devices". */
static const DeviceRule default_devices[] = {
        {true, 'c', ANY, ANY, false, false, true},
        {true, 'b', ANY, ANY, false, false, true},
        {true, 'c', 1,   3,   true,  true,  true}, /* null */
        {true, 'c', 1,   5,   true,  true,  true}, /* zero */
        {true, 'c', 1,   7,   true,  true,  true}, /* full */
        {true, 'c', 1,   8,   true,  true,  true}, /* random */
        {true, 'c', 1,   9,   true,  true,  true}, /* urandom */
        {true, 'c', 5,   0,   true,  true,  true}, /* tty */
        {true, 'c', 5,   1,   true,  true,  true}, /* console */
        {true, 'c', 5,   2,   true,  true,  true}, /* ptmx */
        {true, 'c', 136, ANY, true,  true,  true}, /* pts */
};

static bool has_access(const DeviceRule *rule) {
        return rule->read || rule->write || rule->mknod;
}

static bool is_everything(const DeviceRule *rule) {
        return rule->type == 'a' && rule->major < 0 && rule->minor < 0 && rule->read && rule->write &&
               rule->mknod;
}

static GArray *collect_rules(const OciResources *resources) {
        GArray *rules = g_array_new(FALSE, TRUE, sizeof(DeviceRule));

        for (size_t i = 0; i < resources->n_devices; i++) {
                const OciDeviceRule *from = &resources->devices[i];
                DeviceRule rule = {from->allow, from->type,  from->major, from->minor,
                                   from->read,  from->write, from->mknod};

                g_array_append_val(rules, rule);
        }
        g_array_append_vals(rules, default_devices, G_N_ELEMENTS(default_devices));
        return rules;
}

static bool part_covers(int64_t wide, int64_t narrow) {
        return wide < 0 || wide == narrow;
}

static bool part_meets(int64_t one, int64_t other) {
        return one < 0 || other < 0 || one == other;
}

/* @allowed: rules of type 'b' or 'c' that allow; no two for the same devices. */
static void allow(GArray *allowed, const DeviceRule *rule) {
        for (guint i = 0; i < allowed->len; i++) {
                DeviceRule *there = &g_array_index(allowed, DeviceRule, i);

                if (there->type == rule->type && there->major == rule->major && there->minor == rule->minor) {
                        there->read |= rule->read;
                        there->write |= rule->write;
                        there->mknod |= rule->mknod;
                        return;
                }
        }
        g_array_append_vals(allowed, rule, 1);
}

/* Returns false when what is left can't be said as a list of what is allowed. */
static bool deny(GArray *allowed, const DeviceRule *rule) {
        for (guint i = allowed->len; i > 0; i--) {
                DeviceRule *there = &g_array_index(allowed, DeviceRule, i - 1);

                if (there->type != rule->type || !part_meets(there->major, rule->major) ||
                    !part_meets(there->minor, rule->minor) ||
                    !((there->read && rule->read) || (there->write && rule->write) ||
                      (there->mknod && rule->mknod)))
                        continue;
                if (!part_covers(rule->major, there->major) || !part_covers(rule->minor, there->minor))
                        return false;
                there->read &= !rule->read;
                there->write &= !rule->write;
                there->mknod &= !rule->mknod;
                if (!has_access(there))
                        g_array_remove_index(allowed, i - 1);
        }
        return true;
}

/* Makes of the rules a list of what is allowed. Returns NULL when there is no such list. */
static GArray *reduce_rules(const GArray *rules) {
        g_autoptr(GArray) allowed = g_array_new(FALSE, FALSE, sizeof(DeviceRule));
        bool exact = true;

        for (guint i = 0; i < rules->len; i++) {
                const DeviceRule *rule = &g_array_index(rules, DeviceRule, i);

                if (!rule->allow && is_everything(rule)) {
                        g_array_set_size(allowed, 0);
                        exact = true;
                }
                for (const char *type = rule->type == 'a' ? "bc" : (char[]){rule->type, '\0'}; *type;
                     type++) {
                        DeviceRule one = *rule;

                        one.type = *type;
                        if (!has_access(&one))
                                continue;
                        if (one.allow)
                                allow(allowed, &one);
                        else
                                exact &= deny(allowed, &one);
                }
        }
        return exact ? g_steal_pointer(&allowed) : NULL;
}

/* Returns (transfer full): as systemd.resource-control(5), "DeviceAllow=", wants it; NULL when it has no form
 * for this: one minor of every major. */
static char *device_specifier(const DeviceRule *rule) {
        const char *kind = rule->type == 'b' ? "block" : "char";

        if (rule->major < 0)
                return rule->minor < 0 ? g_strdup_printf("%s-*", kind) : NULL;
        if (rule->minor < 0)
                return g_strdup_printf("%s-%" G_GINT64_FORMAT, kind, rule->major);
        return g_strdup_printf("/dev/%s/%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, kind, rule->major,
                               rule->minor);
}

static bool allows_everything_of(const GArray *allowed, char type) {
        for (guint i = 0; i < allowed->len; i++) {
                const DeviceRule *rule = &g_array_index(allowed, DeviceRule, i);

                if (rule->type == type && rule->major < 0 && rule->minor < 0 && rule->read && rule->write &&
                    rule->mknod)
                        return true;
        }
        return false;
}

/* Returns (nullable) (floating): the value of DeviceAllow. */
static GVariant *device_allow_value(const GArray *allowed) {
        GVariantBuilder builder;

        g_variant_builder_init(&builder, G_VARIANT_TYPE("a(ss)"));
        for (guint i = 0; i < allowed->len; i++) {
                const DeviceRule *rule = &g_array_index(allowed, DeviceRule, i);
                g_autofree char *specifier = device_specifier(rule);
                char access[4];

                if (!specifier) {
                        g_variant_builder_clear(&builder);
                        return NULL;
                }
                g_snprintf(access, sizeof(access), "%s%s%s", rule->read ? "r" : "", rule->write ? "w" : "",
                           rule->mknod ? "m" : "");
                g_variant_builder_add(&builder, "(ss)", specifier, access);
        }
        return g_variant_builder_end(&builder);
}

static void use_program(ResourcePlan *plan, GArray *rules) {
        property_set_put_string(plan->properties, "DevicePolicy", "auto");
        plan->n_device_rules = rules->len;
        plan->device_rules = (DeviceRule *) g_array_free(rules, FALSE);
}

/* Numbers beyond what a dev_t of the kernel holds (12 and 20 bits) can't match anything. */
static bool check_rules(const OciResources *resources, GError **error) {
        for (size_t i = 0; i < resources->n_devices; i++) {
                const OciDeviceRule *rule = &resources->devices[i];

                if (rule->major >= 1 << 12 || rule->minor >= 1 << 20)
                        return fail(error,
                                    "devices[%zu]: %" G_GINT64_FORMAT ":%" G_GINT64_FORMAT
                                    " is not the number of a device",
                                    i, rule->major, rule->minor);
        }
        return true;
}

bool carry_devices(Carrier *carrier, GError **error) {
        ResourcePlan *plan = carrier->plan;
        g_autoptr(GArray) rules = NULL;
        g_autoptr(GArray) allowed = NULL;
        GVariant *value = NULL;

        if (!check_rules(carrier->resources, error))
                return false;

        rules = collect_rules(carrier->resources);
        allowed = reduce_rules(rules);
        if (allowed && allows_everything_of(allowed, 'b') && allows_everything_of(allowed, 'c')) {
                property_set_put_string(plan->properties, "DevicePolicy", "auto");
                return true;
        }
        if (allowed && carrier->purpose != RESOURCES_CREATE_GROUP)
                value = device_allow_value(allowed);
        if (!value) {
                use_program(plan, g_steal_pointer(&rules));
                return true;
        }
        property_set_put_string(plan->properties, "DevicePolicy", "strict");
        property_set_put(plan->properties, "DeviceAllow", value);
        return true;
}
