/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Checks of single strings, for the tables (decode.h, TextCheck): NULL when @text will do, else why not, as
 * the end of a sentence that starts with the quoted text. */

const char *text_check_absolute_path(const char *text);
const char *text_check_not_empty(const char *text);
const char *text_check_env(const char *text);           /* NAME=value */
const char *text_check_semver(const char *text);        /* SemVer 2.0.0 with major version 1 */
const char *text_check_host_name(const char *text);     /* fits in struct utsname */
const char *text_check_cpu_list(const char *text);      /* "0-3,7" */
const char *text_check_page_size(const char *text);     /* "2MB" */
const char *text_check_one_line(const char *text);      /* no newline */
const char *text_check_bandwidth(const char *text);     /* "MB:…", one line */
const char *text_check_device_access(const char *text); /* letters of "rwm" */
const char *text_check_file_name(const char *text);     /* one component of a path, not "." or ".." */
const char *text_check_clos(const char *text);          /* the same, or "/" */
const char *text_check_interface(const char *text);     /* a network interface, maybe "eth%d" */
const char *text_check_sysctl(const char *text);        /* "net.ipv4.ip_forward" or "net/ipv4/ip_forward" */
