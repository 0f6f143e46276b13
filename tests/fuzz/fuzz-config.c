/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libFuzzer on everything that is parsed from JSON: whatever the bytes are, the answer is a struct or one
 * line of error. */

#include <string.h>

#include "oci/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(GError *error, bool parsed) {
        g_assert_true(parsed == !error);
        g_assert_true(!error || (g_str_has_prefix(error->message, "fuzz: ") &&
                                 !strchr(error->message, '\n') && g_utf8_validate(error->message, -1, NULL)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        g_autoptr(GError) error = NULL, process_error = NULL, resources_error = NULL;
        g_autoptr(OciConfig) config = oci_config_parse((const char *) data, size, "fuzz", &error);
        g_autoptr(OciProcess) process = oci_process_parse((const char *) data, size, "fuzz", &process_error);
        g_autoptr(OciResources) resources =
                oci_resources_parse((const char *) data, size, "fuzz", &resources_error);

        check_error(error, config);
        check_error(process_error, process);
        check_error(resources_error, resources);
        return 0;
}
