/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/criu-namespaces.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/stat.h>

#include "base-glib/error.h"
#include "container/criu-message.h"

/* The rest that criu knows, by the same names as the config. */
#define JOINED (CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWUSER)

typedef struct External {
        int type;
        const char *name; /* in /proc/PID/ns and for criu */
        const char *key;  /* as runc has it, so that either restores the other's images */
} External;

static const External externals[] = {
        {CLONE_NEWNET, "net", "extRootNetNS"},
        {CLONE_NEWPID, "pid", "extRootPidNS"},
};

static const External *find_external(int type) {
        for (size_t i = 0; i < G_N_ELEMENTS(externals); i++)
                if (externals[i].type == type)
                        return &externals[i];
        return NULL;
}

bool criu_namespaces_dump(GByteArray *message, const OciConfig *config, pid_t init, GError **error) {
        for (size_t i = 0; i < G_N_ELEMENTS(externals); i++) {
                const OciNamespace *namespace = oci_config_namespace(config, externals[i].type);
                g_autofree char *path = NULL, *value = NULL;
                struct stat status;

                if (!namespace || !namespace->path)
                        continue;
                path = g_strdup_printf("/proc/%d/ns/%s", (int) init, externals[i].name);
                if (stat(path, &status) < 0)
                        return fail_errno(error, errno, "cannot look at '%s'", path);
                value = g_strdup_printf("%s[%" G_GUINT64_FORMAT "]:%s", externals[i].name,
                                        (guint64) status.st_ino, externals[i].key);
                criu_put_text(message, CRIU_EXTERNAL, value);
        }
        return true;
}

bool criu_namespaces_restore(GByteArray *message, const Plan *plan, GError **error) {
        for (size_t i = 0; i < plan->init->n_join; i++) {
                const NamespacePlan *namespace = &plan->init->join[i];
                const External *external = find_external(namespace->type);
                const OciNamespace *configured = oci_config_namespace(plan->config, namespace->type);

                if (external)
                        criu_put_pair_number(message, CRIU_INHERIT_FD, external->key,
                                             (uint64_t) namespace->fd);
                else if (namespace->type & JOINED && configured)
                        criu_put_pair(message, CRIU_JOIN_NS, oci_namespace_name(namespace->type),
                                      configured->path);
                else
                        return fail(error, "config.json: %s: criu cannot restore into such a namespace",
                                    namespace->name);
        }
        return true;
}
