/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* memory.events counts, and the kernel's log has the name:
 * "oom-kill:constraint=CONSTRAINT_MEMCG,…,task_memcg=/a/b, task=tail,pid=359,uid=0". Who may not read that
 * log tells what is known without it. */

#include "supervisor/oom-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/klog.h>
#include <syslog.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/journal.h"
#include "cgroup/group.h"
#include "supervisor/unit-group.h"

#define EVENTS    "memory.events"
#define NAME_SIZE 64
#define LOG_SIZE  (64 << 10) /* of the end; what the kernel tells of one kill has about 8 KiB */

#define SYSLOG_ACTION_READ_ALL 3 /* syslog(2) */

void oom_watch_init(OomWatch *watch) {
        *watch = (OomWatch){.fd = -EBADF, .group_fd = -EBADF};
}

void oom_watch_clear(OomWatch *watch) {
        auto_close_fd(&watch->fd);
        auto_close_fd(&watch->group_fd);
        oom_watch_init(watch);
}

static uint64_t count(const OomWatch *watch) {
        static const char key[] = "oom_kill ";
        char text[256], *line;

        if (cgroup_read(watch->group_fd, EVENTS, text, sizeof(text)) < 0)
                return watch->killed;
        for (line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
                if (strncmp(line, key, sizeof(key) - 1) == 0)
                        return strtoull(line + sizeof(key) - 1, NULL, 10);
        return watch->killed;
}

void oom_watch_open(OomWatch *watch, int unit_fd) {
        char path[64];

        watch->group_fd = unit_fd < 0 ? -EBADF : cgroup_open_sub(unit_fd, GROUP_PAYLOAD);
        if (watch->group_fd < 0 || faccessat(watch->group_fd, EVENTS, F_OK, 0) < 0)
                return;
        snprintf(path, sizeof(path), "/proc/self/fd/%d/" EVENTS, watch->group_fd);
        watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        if (watch->fd >= 0 && inotify_add_watch(watch->fd, path, IN_MODIFY) < 0) {
                auto_close_fd(&watch->fd);
                watch->fd = -EBADF;
        }
        watch->killed = count(watch);
}

/* ",task=NAME,pid=N" of @record, if it is about @cgroup. */
static void read_record(const char *record, const char *cgroup, char ret_name[static NAME_SIZE]) {
        const char *group = strstr(record, "task_memcg="), *task = group ? strstr(group, ",task=") : NULL,
                   *pid = task ? strstr(task, ",pid=") : NULL;

        if (!pid || !strstr(record, "oom-kill:") ||
            strncmp(group + strlen("task_memcg="), cgroup, strlen(cgroup)) != 0 ||
            strchr("/,", group[strlen("task_memcg=") + strlen(cgroup)]) == NULL)
                return;
        task += strlen(",task=");
        snprintf(ret_name, NAME_SIZE, "'%.*s' (PID %d)", (int) (pid - task), task,
                 atoi(pid + strlen(",pid=")));
        for (char *at = ret_name; *at; at++)
                if (*at < ' ' || *at > '~')
                        *at = '?';
}

/* The last one that the kernel's log names. Not by /dev/kmsg, which is no device of the container's unit. */
static void find_victim(const char *cgroup, char ret_name[static NAME_SIZE]) {
        autofree char *text = malloc(LOG_SIZE);
        int n = text ? klogctl(SYSLOG_ACTION_READ_ALL, text, LOG_SIZE - 1) : -1;
        char *rest = text, *line;

        strcpy(ret_name, "a process");
        if (n < 0)
                return;
        text[n] = '\0';
        while ((line = strsep(&rest, "\n")))
                read_record(line, cgroup, ret_name);
}

void oom_watch_step(OomWatch *watch, const char *cgroup) {
        char events[sizeof(struct inotify_event) + 256], name[NAME_SIZE], limit[32], text[256];
        uint64_t killed;

        if (watch->fd < 0)
                return;
        while (read(watch->fd, events, sizeof(events)) > 0)
                ;
        killed = count(watch);
        if (killed <= watch->killed)
                return;
        watch->killed = killed;
        find_victim(cgroup, name);
        if (cgroup_read(watch->group_fd, "memory.max", limit, sizeof(limit)) < 0)
                strcpy(limit, "?");
        snprintf(text, sizeof(text),
                 "The kernel has killed %s of the container for want of memory: its limit is %s%s", name,
                 limit, strcmp(limit, "max") == 0 ? ", a group above has less" : " bytes");
        if (journal_tell("unitrun-supervisor", LOG_WARNING, MESSAGE_ID_OUT_OF_MEMORY, unit_group_name(cgroup),
                         text) < 0)
                dprintf(STDERR_FILENO, "<4>%s\n", text);
}
