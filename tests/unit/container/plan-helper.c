/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Small configs around the few members that a test is about. */

#include "plan-helper.h"

#include <linux/capability.h>
#include <string.h>

#include "base-glib/error.h"

static const char template[] = "{\"ociVersion\": \"1.2.0\", \"root\": {\"path\": \"rootfs\"},"
                               " \"process\": {\"cwd\": \"/\"%s},"
                               " \"linux\": {\"namespaces\": [{\"type\": \"mount\"}, {\"type\": \"uts\"},"
                               " {\"type\": \"network\"}, {\"type\": \"ipc\"}%s]%s}%s}";

static char *fill(const char *process, const char *linux_, const char *rest) {
        g_auto(GStrv) pieces = g_strsplit(template, "%s", -1);
        const char *args = process && strstr(process, "\"args\"") ? "" : ", \"args\": [\"true\"]";

        const char *user = linux_ && strstr(linux_, "\"uidMappings\"") ? ", {\"type\": \"user\"}" : "";

        return g_strconcat(pieces[0], args, process ? process : "", pieces[1], user, pieces[2],
                           linux_ ? linux_ : "", pieces[3], rest ? rest : "", pieces[4], NULL);
}

TestPlan *test_plan_build(const char *process, const char *linux_, const char *rest, GError **ret_error) {
        const PlanContext context = {
                .id = "id",
                .bundle = "/bundle",
                .console = true,
                .selinux = rest && strstr(rest, "context_type"),
                .lacking_capabilities = UINT64_C(1) << CAP_SYS_BOOT,
        };
        g_autofree char *text = fill(process, linux_, rest);
        g_autoptr(TestPlan) test = g_new0(TestPlan, 1);
        g_autoptr(GError) error = NULL;

        test->config = oci_config_parse(text, strlen(text), "config.json", &error);
        g_assert_no_error(error);
        test->plan = plan_build(test->config, &context, &error);
        if (test->plan)
                return g_steal_pointer(&test);
        if (!ret_error)
                g_assert_no_error(error);
        g_propagate_error(ret_error, g_steal_pointer(&error));
        return NULL;
}

void test_plan_free(TestPlan *test) {
        if (!test)
                return;
        plan_free(test->plan);
        oci_config_free(test->config);
        g_free(test);
}

char *test_plan_lines(const Plan *plan, const char *prefix) {
        g_autofree char *text = plan_to_text(plan);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        GString *found = g_string_new(NULL);

        for (char **line = lines; *line; line++)
                if (**line && g_str_has_prefix(*line, prefix))
                        g_string_append_printf(found, "%s\n", *line);
        return g_string_free(found, FALSE);
}
