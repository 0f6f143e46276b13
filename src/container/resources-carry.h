/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files resources*.c share: the tools with which a resource is carried into a plan. */

#include "container/resources.h"

/* Fields and errors are named from here on. */
#define RESOURCES_PATH "linux.resources."

typedef struct Carrier {
        const OciResources *resources;
        ResourcesPurpose purpose;
        ResourcePlan *plan;
        const ResourcesPresent *present; /* NULL other than for RESOURCES_UPDATE */
} Carrier;

/**
 * carry_number:
 * @property, @file: (nullable): where it does not go
 * @value: UINT64_MAX is "no limit": infinity, "max"
 */
void carry_number(Carrier *carrier, const char *field, const char *property, const char *file,
                  uint64_t value);

/**
 * carry_file:
 * A value for a file of the payload, in place of one planned before.
 */
void carry_file(Carrier *carrier, const char *field, const char *file, const char *value, bool unlimited);

/**
 * carry_line:
 * One more line for a file that takes one per device.
 */
void carry_line(Carrier *carrier, const char *field, const char *file, const char *line);

/**
 * carry_cpu_quota:
 * @quota_usec: UINT64_MAX: none
 * @period_usec: 0: the default
 */
void carry_cpu_quota(Carrier *carrier, const char *field, uint64_t quota_usec, uint64_t period_usec);

/**
 * resources_prepare, resource_limit_apply:
 * The parts of resources_apply() that an update has as well: enables controllers and checks the usage; writes
 * one file.
 */
bool resources_prepare(const ResourcePlan *plan, const char *unit_cgroup, int payload_fd, GError **error);
bool resource_limit_apply(const ResourceLimit *limit, const char *unit_cgroup, int payload_fd,
                          GError **error);

/**
 * cpu_list_parse:
 * @text: "0-3,7", as in cpuset(7), "List format"
 * @ret_bitmap: (transfer full) (floating): as AllowedCPUs wants it: bit 0 of byte 0 first, no zero bytes
 * behind
 */
bool cpu_list_parse(const char *text, GVariant **ret_bitmap, GError **error);

/**
 * carry_devices, carry_unified:
 * linux.resources.devices and linux.resources.unified.
 */
bool carry_devices(Carrier *carrier, GError **error);
bool carry_unified(Carrier *carrier, GError **error);
