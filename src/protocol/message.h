/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What front end, supervisor, stage and init say to each other: fixed structs, one per SOCK_SEQPACKET packet.
 * All programs are of one installation, so the structs carry no version; a packet of the wrong size is an
 * error.
 *
 *  handover  front end <-> supervisor, during create
 *      HANDOVER_HELLO     s->f   it runs, in its sub-group; text: the unit's cgroup, "/a.slice/x.service"
 *      HANDOVER_FAILED    s->f   it can't: failure
 *      HANDOVER_OUTPUT    f->s   only where the output goes to the journal; fds: of relay_take()
 *      HANDOVER_INIT      f->s   fds: pidfd of init[, the socket on which the reaper sends an ExitReport]
 *      HANDOVER_RESTORED  f->s   the same for an init that criu has restored: it runs, there is no gate
 *      end of file               the front end is done or dead: STATE_FACTS is there or the supervisor ends
 *
 *  setup     front end <-> stage and init, a socketpair inherited by both, during create
 *      SETUP_FORKED       i->f   pid: of init, in the front end's pid namespace; always the first
 *      SETUP_NEED_MAPS    i->f   init waits for its uid_map and gid_map; answered by SETUP_MAPPED
 *      SETUP_MAPPED       f->i
 *      SETUP_MOVED        f->i   init sits in the payload group: it may make its cgroup namespace and must
 *                                drop PR_SET_PDEATHSIG. Sent unasked; init waits where it first needs it
 *      SETUP_MOUNTED      i->f   (only if plan->runtime_hooks) mounts done, root not yet changed: run
 *                                prestart and createRuntime hooks; answered by SETUP_HOOKS_DONE
 *      SETUP_HOOKS_DONE   f->i
 *      SETUP_CREATED      i->f   all is done but what start does; init waits at the gate
 *      SETUP_FAILED       i->f   failure, also of the stage
 *      end of file at init       the front end is gone: exit
 *
 *  setup, during exec
 *      SETUP_FORKED, then SETUP_MOVED as above; SETUP_CREATED is the last word before the program;
 *      SETUP_FAILED may still follow.
 *      end of file at the front end: the program was executed; without SETUP_CREATED the process is dead
 *
 *  setup, during restore
 *      SETUP_FORKED       from the stage, with the pid of criu
 *      SETUP_RESTORED     to a stage that stays as the reaper; pid: of init. Answered by SETUP_CREATED
 *
 *  gate      supervisor <-> init
 *      GATE_GO            s->i   run the startContainer hooks and the program; fd: CONTROL_START's
 *      GATE_EXEC          i->s   the startContainer hooks are done, the program comes next
 *      GATE_FAILED        i->s   failure: the program does not run
 *      end of file at the supervisor: after GATE_EXEC the program was executed (the connection is
 *      close-on-exec), before it init is dead. At init: the supervisor is gone: exit
 *
 *  control   front end <-> supervisor, from create to the end
 *      CONTROL_START      f->s   pid: a StartWay; fd, with SCMP_ACT_NOTIFY only: one to the listener
 *      CONTROL_RESTORED   f->s   pid: a StartWay; the same for a restored container, which runs already
 *      CONTROL_STARTED    s->f   executed, READY=1 is sent (and processed, see StartWay). With poststart
 *                                hooks the unit lives until this connection ends, so that they find it
 *      CONTROL_FAILED     s->f   failure; with FAILURE_STATE: it was started already, or is gone
 *      CONTROL_FROZEN     f->s   pid: 1 if the payload was frozen, 0 if it was thawed; not answered
 */

#include <stddef.h>
#include <stdint.h>

#include "protocol/failure.h"

typedef enum MessageType {
        HANDOVER_HELLO = 1,
        HANDOVER_FAILED,
        HANDOVER_OUTPUT,
        HANDOVER_INIT,
        HANDOVER_RESTORED,
        SETUP_FORKED,
        SETUP_NEED_MAPS,
        SETUP_MAPPED,
        SETUP_MOVED,
        SETUP_MOUNTED,
        SETUP_HOOKS_DONE,
        SETUP_CREATED,
        SETUP_RESTORED,
        SETUP_FAILED,
        GATE_GO,
        GATE_EXEC,
        GATE_FAILED,
        CONTROL_START,
        CONTROL_RESTORED,
        CONTROL_STARTED,
        CONTROL_FROZEN,
        CONTROL_FAILED,
} MessageType;

typedef enum StartWay {
        START_SETTLED, /* the answer comes when the manager has processed READY=1: who gets it may ask there
                        */
        START_QUICK,   /* nobody will ask, or the unit's job is waited for */
} StartWay;

/* One struct for all: the text of @failure also carries HANDOVER_HELLO's cgroup path. */
typedef struct Message {
        uint32_t type; /* MessageType */
        int32_t pid;
        SetupFailure failure;
} Message;

/* What the reaper says of init: waitid(2)'s si_code (CLD_EXITED, CLD_KILLED, CLD_DUMPED) and si_status. */
typedef struct ExitReport {
        int32_t code;
        int32_t status;
} ExitReport;

/**
 * message_send:
 * Sends a packet that holds @type and @pid only, the rest zero. Returns 0 or a negative errno.
 * Async-signal-safe.
 */
int message_send(int fd, MessageType type, int32_t pid);

/**
 * message_send_failure:
 * Sends @type with @failure. Returns 0 or a negative errno. Async-signal-safe.
 */
int message_send_failure(int fd, MessageType type, const SetupFailure *failure);

/**
 * message_receive:
 * @ret_fds, @n_fds: (nullable): as in socket_receive()
 *
 * Takes one packet. Returns 1, 0 at end of file, -EBADMSG for a packet that is no Message, or another
 * negative errno. Async-signal-safe.
 */
int message_receive(int fd, Message *ret_message, int *ret_fds, size_t *n_fds);
