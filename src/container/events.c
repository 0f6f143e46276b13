/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a container does, told as it happens: a timer for its numbers, inotify on memory.events, which the
 * kernel touches at each change (cgroup-v2.rst), and the pidfd of its init for the end. */

#include "container/events.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base/auto.h"
#include "base/fd.h"
#include "cgroup/group.h"
#include "container/cgroup-path.h"
#include "container/stats.h"

#define MEMORY_EVENTS "memory.events"

typedef struct Events {
        const Container *container;
        int payload_fd;
        int init_pidfd;
        int timer;
        int watch;       /* inotify */
        uint64_t killed; /* for want of memory, as far as it was told */
        int output;
        bool ended;
} Events;

static void events_clear(Events *events) {
        close_clear(&events->payload_fd);
        close_clear(&events->init_pidfd);
        close_clear(&events->timer);
        close_clear(&events->watch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Events, events_clear)

static int open_payload(const Container *container, GError **error) {
        g_autofree char *path = cgroup_path_payload(container->facts->cgroup);
        int fd = cgroup_open(path);

        if (!path)
                fail_code(error, UNITRUN_ERROR_UNSUPPORTED,
                          "container '%s' has no control group that could be looked at", container->dir->id);
        else if (fd == -ENOENT)
                fail_code(error, UNITRUN_ERROR_WRONG_STATUS, "container not running: '%s'",
                          container->dir->id);
        else if (fd < 0)
                fail_errno(error, fd, "cannot open the cgroup '%s'", path);
        return fd;
}

static char *stats_event(const Container *container, int payload_fd) {
        g_autofree char *stats = stats_to_json(payload_fd, &container->facts->resctrl);

        return g_strdup_printf("{\"type\":\"stats\",\"id\":\"%s\",\"data\":%s}\n", container->dir->id, stats);
}

char *container_stats(const Container *container, GError **error) {
        autoclose int init_pidfd = container_open_init(container, error);
        autoclose int payload_fd = init_pidfd < 0 ? -EBADF : open_payload(container, error);

        return payload_fd < 0 ? NULL : stats_event(container, payload_fd);
}

static bool write_event(Events *events, const char *text, GError **error) {
        int r = fd_write_all(events->output, text, strlen(text));

        /* Whoever listened has heard enough. */
        if (r == -EPIPE)
                events->ended = true;
        return r >= 0 || r == -EPIPE || fail_errno(error, r, "cannot write an event");
}

static uint64_t count_killed(int payload_fd) {
        char text[1024];
        const char *found;

        if (cgroup_read(payload_fd, MEMORY_EVENTS, text, sizeof(text)) < 0)
                return 0;
        found = strstr(text, "oom_kill ");
        return found ? g_ascii_strtoull(found + strlen("oom_kill "), NULL, 10) : 0;
}

static bool tell_oom(Events *events, GError **error) {
        uint64_t killed = count_killed(events->payload_fd);
        g_autofree char *text =
                g_strdup_printf("{\"type\":\"oom\",\"id\":\"%s\"}\n", events->container->dir->id);

        for (; events->killed < killed && !events->ended; events->killed++)
                if (!write_event(events, text, error))
                        return false;
        return true;
}

static bool handle_watch(Events *events, GError **error) {
        char buffer[4096];

        if (read(events->watch, buffer, sizeof(buffer)) < 0 && errno != EAGAIN && errno != EINTR)
                return fail_errno(error, errno, "cannot watch " MEMORY_EVENTS);
        return tell_oom(events, error);
}

static bool handle_timer(Events *events, GError **error) {
        g_autofree char *text = NULL;
        uint64_t expirations;

        if (read(events->timer, &expirations, sizeof(expirations)) < 0)
                return true;
        text = stats_event(events->container, events->payload_fd);
        return write_event(events, text, error);
}

/* The kill that ended it may not have been told yet. */
static bool handle_end(Events *events, GError **error) {
        bool told = tell_oom(events, error);

        events->ended = true;
        return told;
}

static bool handle_output(Events *events, GError **error) {
        events->ended = true;
        return true;
}

static int start_timer(uint64_t interval_usec) {
        struct timespec interval = {(time_t) (interval_usec / G_USEC_PER_SEC),
                                    (long) (interval_usec % G_USEC_PER_SEC) * 1000};
        struct itimerspec setting = {interval, interval};
        int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

        if (fd >= 0)
                timerfd_settime(fd, 0, &setting, NULL);
        return fd;
}

/* Without the memory controller there is no file to watch and no kill to tell. */
static bool start_watch(Events *events, GError **error) {
        g_autofree char *path = g_strdup_printf("/proc/self/fd/%d/" MEMORY_EVENTS, events->payload_fd);

        events->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        if (events->watch < 0)
                return fail_errno(error, errno, "cannot make an inotify instance");
        if (inotify_add_watch(events->watch, path, IN_MODIFY) < 0 && errno != ENOENT)
                return fail_errno(error, errno, "cannot watch " MEMORY_EVENTS);
        events->killed = count_killed(events->payload_fd);
        return true;
}

static bool step(Events *events, GError **error) {
        const struct {
                int fd;
                short wanted;
                bool (*handle)(Events *events, GError **error);
        } sources[] = {
                {events->watch,      POLLIN, handle_watch },
                {events->timer,      POLLIN, handle_timer },
                {events->init_pidfd, POLLIN, handle_end   },
                {events->output,     0,      handle_output},
        };
        struct pollfd polled[G_N_ELEMENTS(sources)];

        for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
                polled[i] = (struct pollfd){.fd = sources[i].fd, .events = sources[i].wanted};
        if (poll(polled, G_N_ELEMENTS(polled), -1) < 0)
                return errno == EINTR || fail_errno(error, errno, "cannot wait for events");
        for (size_t i = 0; i < G_N_ELEMENTS(sources) && !events->ended; i++)
                if (polled[i].revents != 0 && !sources[i].handle(events, error))
                        return false;
        return true;
}

bool container_events(const Container *container, uint64_t interval_usec, int output_fd, GError **error) {
        g_auto(Events) events = {container, -EBADF, -EBADF, -EBADF, -EBADF, 0, output_fd, false};

        events.init_pidfd = container_open_init(container, error);
        if (events.init_pidfd < 0)
                return false;
        events.payload_fd = open_payload(container, error);
        if (events.payload_fd < 0)
                return false;
        events.timer = start_timer(interval_usec);
        if (events.timer < 0)
                return fail_errno(error, errno, "cannot make a timer");
        if (!start_watch(&events, error))
                return false;
        while (!events.ended)
                if (!step(&events, error))
                        return false;
        return true;
}
