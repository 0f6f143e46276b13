/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

/**
 * absolute_path:
 * @what: names @path in errors, such as "--root"
 *
 * Returns (transfer full): @path, taken from the working directory if it is relative, without ".", ".." and
 * doubled slashes; symbolic links are not looked at. NULL for an empty path, and for a relative one when the
 * working directory cannot be named, because it was removed: g_canonicalize_filename() would take "/" then.
 */
char *absolute_path(const char *path, const char *what, GError **error);
