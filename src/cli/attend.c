/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cli/attend.h"

#include "base-glib/error.h"
#include "container/foreground.h"
#include "container/removal.h"
#include "container/start.h"

/* A connection that nobody reads from is a queue that grows in systemd. */
#define KEEP_BUS_MSEC 1000

static void let_bus_go(Created *created) {
        g_clear_pointer(&created->removal, unit_removal_free);
        g_clear_pointer(&created->job, unit_job_free);
        g_clear_pointer(&created->bus, unit_bus_free);
}

/* Deletes the container and returns @status; an error of the deletion is the second one if @error is set
 * already. */
static int clean_up(Created *created, int status, GError **error) {
        g_autoptr(GError) delete_error = NULL;

        if (container_delete_ended(created->container, created->bus, created->removal, &delete_error))
                return status;
        if (status >= 0)
                g_propagate_error(error, g_steal_pointer(&delete_error));
        return -1;
}

static bool start(Created *created, bool settle, GError **error) {
        return created->restored
                       ? container_start_restored(created->container, created->bus, created->job, settle,
                                                  error)
                       : container_start(created->container, created->bus, created->job, settle, error);
}

int attend_detached(Created *created, GError **error) {
        return start(created, /* settle= */ true, error) ? 0 : clean_up(created, -1, error);
}

int attend_foreground(Created *created, bool keep, GError **error) {
        int status = -1;

        if (!start(created, /* settle= */ false, error))
                return clean_up(created, -1, error);
        if (!foreground_wait(created->container, created->terminal, KEEP_BUS_MSEC, &status, error))
                return clean_up(created, -1, error);
        if (status < 0) {
                let_bus_go(created);
                if (!foreground_wait(created->container, created->terminal, -1, &status, error))
                        return clean_up(created, -1, error);
        }
        return keep ? status : clean_up(created, status, error);
}
