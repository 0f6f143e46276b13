/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What strings of a config must look like. Only the text is judged: whether a path, an interface or a sysctl
 * exists is found out by who uses it. */

#include "oci/text.h"

#include <glib.h>
#include <net/if.h>
#include <string.h>

#include "base/path.h"
#include "oci/config.h"

#define HOST_NAME_LENGTH_MAX 64 /* __NEW_UTS_LEN, linux/utsname.h */

const char *text_check_absolute_path(const char *text) {
        return path_is_absolute(text) ? NULL : "is not an absolute path";
}

const char *text_check_not_empty(const char *text) {
        return *text ? NULL : "is empty";
}

/* environ(7): strings of the form name=value. What has no '=' can't be found by getenv(3), and programs
 * differ in what they make of it. */
const char *text_check_env(const char *text) {
        if (*text == '=')
                return "has no name before the '='";
        return strchr(text, '=') ? NULL : "is not of the form NAME=VALUE";
}

/* One dot-separated list of identifiers of a pre-release or of build metadata (semver.org, 9 and 10). */
static bool semver_identifiers(const char **at, bool leading_zero_allowed) {
        do {
                size_t n = strspn(*at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-");

                if (n == 0)
                        return false;
                if (!leading_zero_allowed && n > 1 && **at == '0' && strspn(*at, G_CSET_DIGITS) >= n)
                        return false;
                *at += n;
        } while (**at == '.' && (*at)++);
        return true;
}

static bool semver_number(const char **at) {
        size_t n = strspn(*at, G_CSET_DIGITS);

        if (n == 0 || (n > 1 && **at == '0'))
                return false;
        *at += n;
        return true;
}

static bool is_semver(const char *text) {
        const char *at = text;

        for (int i = 0; i < 3; i++)
                if ((i > 0 && *at++ != '.') || !semver_number(&at))
                        return false;
        if (*at == '-' && (at++, !semver_identifiers(&at, /* leading_zero_allowed= */ false)))
                return false;
        if (*at == '+' && (at++, !semver_identifiers(&at, /* leading_zero_allowed= */ true)))
                return false;
        return *at == '\0';
}

const char *text_check_semver(const char *text) {
        if (!is_semver(text))
                return "is not a version (like 1.3.0, see semver.org)";
        /* "The spec retains forward and backward compatibility within major versions" (config.md). The drafts
         * of 1.0 made no such promise, but the spec's own samples still call themselves 0.5.0-dev. */
        return g_str_has_prefix(text, "1.") || g_str_has_prefix(text, "0.") ? NULL
                                                                            : "is not supported (1.x is)";
}

const char *text_check_host_name(const char *text) {
        return strlen(text) <= HOST_NAME_LENGTH_MAX ? NULL : "is longer than 64 bytes";
}

const char *text_check_cpu_list(const char *text) {
        return text[strspn(text, G_CSET_DIGITS ", -\n")] ? "is not a list like 0-3,7" : NULL;
}

const char *text_check_page_size(const char *text) {
        size_t n = strspn(text, G_CSET_DIGITS);
        bool right = n > 0 && text[0] != '0' && text[n] && strchr("KMG", text[n]) &&
                     strcmp(text + n + 1, "B") == 0;

        return right ? NULL : "is not a page size like 64KB, 2MB or 1GB";
}

const char *text_check_one_line(const char *text) {
        return strchr(text, '\n') ? "is more than one line" : NULL;
}

const char *text_check_bandwidth(const char *text) {
        return g_str_has_prefix(text, "MB:") ? text_check_one_line(text) : "does not start with MB:";
}

const char *text_check_device_access(const char *text) {
        return text[strspn(text, "rwm")] ? "is not made of the letters r, w and m" : NULL;
}

const char *text_check_file_name(const char *text) {
        if (!*text || strchr(text, '/') || strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
                return "is not a file name";
        return NULL;
}

const char *text_check_clos(const char *text) {
        return strcmp(text, "/") == 0 ? NULL : text_check_file_name(text);
}

/* What the kernel takes: dev_valid_name(), net/core/dev.c. */
const char *text_check_interface(const char *text) {
        if (text_check_file_name(text) || text[strcspn(text, " \t\n\v\f\r:")])
                return "is not a name for a network interface";
        return strlen(text) < IFNAMSIZ ? NULL : "is too long for a network interface (15 bytes)";
}

const char *text_check_sysctl(const char *text) {
        g_autofree char *path = oci_sysctl_path(text);

        return *text && path_is_normal(path) && *path != '/' && !g_str_has_suffix(path, "/")
                       ? NULL
                       : "is not the name of a sysctl";
}
