/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the front end does for the program's notifications; supervisor/notify-relay.h has the rest. */

#include "container/notify-socket.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/file.h"
#include "protocol/state-dir.h"

static bool has_own_socket(const OciProcess *process) {
        for (char **entry = process->env; entry && *entry; entry++)
                if (g_str_has_prefix(*entry, "NOTIFY_SOCKET="))
                        return true;
        return false;
}

const char *notify_socket_wanted(const OciConfig *config) {
        const char *address = g_getenv("NOTIFY_SOCKET");
        const OciNamespace *mount = oci_config_namespace(config, CLONE_NEWNS);
        const char *reason = NULL;

        if (!address || !*address || !config->process || has_own_socket(config->process))
                return NULL;
        if ((*address != '/' && *address != '@') ||
            strlen(address) >= sizeof((struct sockaddr_un){0}.sun_path) || strchr(address, '\n'))
                reason = "is no AF_UNIX socket";
        else if (!mount || mount->path)
                reason = "needs a mount namespace of the container's own";
        if (!reason)
                return address;
        warn("NOTIFY_SOCKET: '%s' %s, ignoring", address, reason);
        return NULL;
}

char *notify_socket_directory(const char *state_dir) {
        return g_build_filename(state_dir, STATE_NOTIFY_DIRECTORY, NULL);
}

bool notify_socket_prepare(const StateDir *dir, const char *address, pid_t sender, GError **error) {
        g_autofree char *text = g_strdup_printf("%s\n%d\n", address, (int) sender);
        int r;

        if (mkdirat(dir->fd, STATE_NOTIFY_DIRECTORY, 0755) < 0)
                return fail_errno(error, errno, "cannot make '%s/%s'", dir->path, STATE_NOTIFY_DIRECTORY);
        r = file_replace(dir->fd, STATE_NOTIFY_TO, text, strlen(text), 0600);
        return r >= 0 || fail_errno(error, r, "cannot write '%s/%s'", dir->path, STATE_NOTIFY_TO);
}
