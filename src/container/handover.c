/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "container/handover.h"

#include <errno.h>
#include <stddef.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/socket.h"
#include "container/hooks.h"

bool handover_output(Creation *creation, GError **error) {
        Message message = {.type = HANDOVER_OUTPUT};
        int r = creation->output.supervisor[0] < 0
                        ? 0
                        : socket_send(creation->handover, &message, offsetof(Message, failure),
                                      creation->output.supervisor, G_N_ELEMENTS(creation->output.supervisor));

        return r < 0 ? fail_errno(error, r, "cannot hand the output over to the supervisor of '%s'",
                                  creation->unit)
                     : true;
}

bool handover_init(Creation *creation, MessageType type, GError **error) {
        Message message = {.type = type, .pid = creation->init};
        int fds[] = {creation->init_pidfd, creation->reaper};
        int r = socket_send(creation->handover, &message, offsetof(Message, failure), fds,
                            creation->reaper >= 0 ? 2 : 1);

        if (r < 0)
                return fail_errno(error, r, "cannot hand the container over to the supervisor of '%s'",
                                  creation->unit);
        close_clear(&creation->reaper);
        return true;
}

bool handover_run_hooks(const Creation *creation, GError **error) {
        static const OciHookKind kinds[] = {OCI_HOOK_PRESTART, OCI_HOOK_CREATE_RUNTIME};
        HookSubject subject = creation_hook_subject(creation);

        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
                if (!hooks_run(&subject, kinds[i], "creating", error))
                        return false;
        return true;
}
