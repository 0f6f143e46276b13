/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

/**
 * property_line_add:
 * Appends to @text what a unit file says for the D-Bus property @name with @value
 * (org.freedesktop.systemd1(5)), "MemoryMax=1048576\n". Properties that limits do not have are left out.
 */
void property_line_add(GString *text, const char *name, GVariant *value);
