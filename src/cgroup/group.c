/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Groups of the unified hierarchy. A group is held by its directory fd: it stays that group even when one of
 * the same name is made in its place, and a removed one answers ENODEV. */

#include "cgroup/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"

#define FILE_SIZE_MAX   65536 /* of a file read whole */
#define PIDS_SIZE_MAX   (16 << 20)
#define KILL_ROUNDS_MAX 100

/* How the kernel answers for a group that was removed: by name, and through an fd. */
static bool is_gone(int error) {
        return error == -ENODEV || error == -ENOENT;
}

static int open_dir(int dir_fd, const char *path) {
        int fd = openat(dir_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 ? -errno : fd;
}

int cgroup_open_root(void) {
        autoclose int fd = open_dir(AT_FDCWD, CGROUP_ROOT);
        struct statfs file_system;

        if (fd < 0)
                return fd;
        if (fstatfs(fd, &file_system) < 0)
                return -errno;
        if (file_system.f_type != CGROUP2_SUPER_MAGIC)
                return -EMEDIUMTYPE;
        return steal_fd(&fd);
}

int cgroup_path_of(pid_t pid, char ret_path[static CGROUP_PATH_SIZE]) {
        char name[64];
        autofree char *text = NULL;
        int r;

        if (pid == 0)
                snprintf(name, sizeof(name), "/proc/self/cgroup");
        else
                snprintf(name, sizeof(name), "/proc/%d/cgroup", (int) pid);
        r = file_read(AT_FDCWD, name, FILE_SIZE_MAX, &text, NULL);
        if (r < 0)
                return r == -ENOENT ? -ESRCH : r;

        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                if (strncmp(line, "0::", 3) != 0)
                        continue;
                if (strlen(line + 3) >= CGROUP_PATH_SIZE)
                        return -ENAMETOOLONG;
                strcpy(ret_path, line + 3);
                return 0;
        }
        return -ENODATA;
}

static bool has_dot_dot(const char *path) {
        for (const char *c = path; (c = strstr(c, "..")); c += 2)
                if ((c == path || c[-1] == '/') && (c[2] == '/' || c[2] == '\0'))
                        return true;
        return false;
}

int cgroup_open(const char *path) {
        autoclose int root_fd = -EBADF;

        if (!path)
                return -ENOENT;
        root_fd = cgroup_open_root();
        if (root_fd < 0)
                return root_fd;
        path += strspn(path, "/");
        if (has_dot_dot(path))
                return -EINVAL;
        return open_dir(root_fd, *path ? path : ".");
}

int cgroup_open_sub(int group_fd, const char *name) {
        return open_dir(group_fd, name);
}

int cgroup_make_sub(int group_fd, const char *name) {
        if (mkdirat(group_fd, name, 0755) < 0 && errno != EEXIST)
                return -errno;
        return open_dir(group_fd, name);
}

int cgroup_write(int group_fd, const char *file, const char *text) {
        return file_write(group_fd, file, text);
}

int cgroup_read(int group_fd, const char *file, char *ret_text, size_t size) {
        autofree char *text = NULL;
        size_t length;
        int r = file_read(group_fd, file, FILE_SIZE_MAX, &text, &length);

        if (r < 0)
                return r;
        if (length > 0 && text[length - 1] == '\n')
                text[--length] = '\0';
        if (length >= size)
                return -ENOBUFS;
        memcpy(ret_text, text, length + 1);
        return 0;
}

int cgroup_read_number(int group_fd, const char *file, uint64_t *ret_value) {
        char text[64], *end;
        unsigned long long value;
        int r = cgroup_read(group_fd, file, text, sizeof(text));

        if (r < 0)
                return r;
        if (strcmp(text, "max") == 0) {
                *ret_value = UINT64_MAX;
                return 0;
        }
        errno = 0;
        value = strtoull(text, &end, 10);
        if (errno != 0 || end == text || *end != '\0')
                return -EBADMSG;
        *ret_value = value;
        return 0;
}

int cgroup_move(int group_fd, pid_t pid) {
        char text[24];

        snprintf(text, sizeof(text), "%d", (int) pid);
        return cgroup_write(group_fd, "cgroup.procs", text);
}

static void note_missing(char *missing, size_t size, const char *controller) {
        size_t length;

        if (!missing)
                return;
        length = strlen(missing);
        if (length < size)
                snprintf(missing + length, size - length, "%s%s", length > 0 ? " " : "", controller);
}

static int enable_one(int group_fd, const char *controller) {
        char text[64];

        snprintf(text, sizeof(text), "+%s", controller);
        return cgroup_write(group_fd, "cgroup.subtree_control", text);
}

int cgroup_enable_controllers(int group_fd, char *ret_missing, size_t missing_size) {
        char available[1024];
        bool busy = false, enabled = false;
        int r = cgroup_read(group_fd, "cgroup.controllers", available, sizeof(available));

        if (r < 0)
                return r;
        if (ret_missing && missing_size > 0)
                *ret_missing = '\0';
        for (char *rest = available, *name; (name = strsep(&rest, " "));) {
                if (*name == '\0')
                        continue;
                r = enable_one(group_fd, name);
                enabled |= r >= 0;
                busy |= r == -EBUSY;
                if (r < 0)
                        note_missing(ret_missing, missing_size, name);
        }
        return busy && !enabled ? -EBUSY : 0;
}

/* Whether @word stands in @list, between spaces. */
static bool list_has(const char *list, const char *word) {
        size_t length = strlen(word);

        for (const char *c = list; (c = strstr(c, word)); c += length)
                if ((c == list || c[-1] == ' ') && (c[length] == ' ' || c[length] == '\0'))
                        return true;
        return false;
}

static int file_lists(int group_fd, const char *file, const char *controller) {
        char text[1024];
        int r = cgroup_read(group_fd, file, text, sizeof(text));

        return r < 0 ? r : list_has(text, controller);
}

int cgroup_has_controller(int group_fd, const char *controller) {
        return file_lists(group_fd, "cgroup.controllers", controller);
}

static int enable_if_needed(int group_fd, const char *controller) {
        int r = file_lists(group_fd, "cgroup.subtree_control", controller);

        return r != 0 ? (r < 0 ? r : 0) : enable_one(group_fd, controller);
}

int cgroup_enable_down_to(const char *path, const char *controller) {
        char copy[CGROUP_PATH_SIZE];
        autoclose int fd = cgroup_open_root();
        int r;

        if (fd < 0)
                return fd;
        r = cgroup_has_controller(fd, controller);
        if (r <= 0)
                return r < 0 ? r : -EOPNOTSUPP;
        if (has_dot_dot(path))
                return -EINVAL;
        if (snprintf(copy, sizeof(copy), "%s", path) >= (int) sizeof(copy))
                return -ENAMETOOLONG;

        for (char *rest = copy, *name; (name = strsep(&rest, "/"));) {
                int below;

                if (*name == '\0')
                        continue;
                r = enable_if_needed(fd, controller);
                if (r < 0)
                        return r;
                below = open_dir(fd, name);
                if (below < 0)
                        return below;
                close(fd);
                fd = below;
        }
        return 0;
}

static void parse_events(const char *text, CgroupEvents *ret_events) {
        ret_events->populated = strstr(text, "populated 1") != NULL;
        ret_events->frozen = strstr(text, "frozen 1") != NULL;
}

int cgroup_get_events(int group_fd, CgroupEvents *ret_events) {
        char text[256];
        int r = cgroup_read(group_fd, "cgroup.events", text, sizeof(text));

        if (r < 0)
                return r;
        parse_events(text, ret_events);
        return 0;
}

int cgroup_get_id(int group_fd, uint64_t *ret_id) {
        struct stat status;

        if (fstat(group_fd, &status) < 0)
                return -errno;
        /* kernfs counts them up and does not use one again. */
        *ret_id = status.st_ino;
        return 0;
}

static bool is_sub_group(const struct dirent *entry) {
        return entry->d_type == DT_DIR && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int open_listing(int group_fd, DIR **ret_dir) {
        autoclose int fd = openat(group_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd < 0 ? NULL : fdopendir(fd);

        if (!dir)
                return -errno;
        (void) steal_fd(&fd); /* closedir() closes it */
        *ret_dir = dir;
        return 0;
}

/* Calls @function for the group and every group below it, from below upwards. */
static int for_each_below(int group_fd, int (*function)(int group_fd, void *data), void *data) {
        DIR *dir;
        int r = open_listing(group_fd, &dir);

        if (r < 0)
                return r;
        for (struct dirent *entry; r >= 0 && (entry = readdir(dir));) {
                int below;

                if (!is_sub_group(entry))
                        continue;
                below = open_dir(group_fd, entry->d_name);
                if (below < 0)
                        continue; /* gone meanwhile */
                r = for_each_below(below, function, data);
                close(below);
        }
        closedir(dir);
        return r < 0 ? r : function(group_fd, data);
}

typedef struct PidList {
        pid_t *pids;
        size_t n;
        size_t room;
} PidList;

static int pid_list_add(PidList *list, pid_t pid) {
        if (list->n == list->room) {
                size_t room = list->room ? list->room * 2 : 64;
                pid_t *pids = realloc(list->pids, room * sizeof(pid_t));

                if (!pids)
                        return -ENOMEM;
                list->pids = pids;
                list->room = room;
        }
        list->pids[list->n++] = pid;
        return 0;
}

static int collect_pids(int group_fd, void *data) {
        PidList *list = data;
        autofree char *text = NULL;
        int r = file_read(group_fd, "cgroup.procs", PIDS_SIZE_MAX, &text, NULL);

        if (is_gone(r) || r == -EOPNOTSUPP)
                return 0; /* removed meanwhile; a threaded group, whose processes are listed above it */
        if (r < 0)
                return r;
        for (char *rest = text, *line; r >= 0 && (line = strsep(&rest, "\n"));) {
                /* 0: a process outside our pid namespace, which nobody here can signal. */
                if (atoi(line) > 0)
                        r = pid_list_add(list, (pid_t) atoi(line));
        }
        return r;
}

int cgroup_get_pids(int group_fd, pid_t **ret_pids, size_t *ret_n) {
        PidList list = {NULL};
        int r = for_each_below(group_fd, collect_pids, &list);

        if (r < 0) {
                free(list.pids);
                return r;
        }
        *ret_pids = list.pids;
        *ret_n = list.n;
        return 0;
}

int cgroup_signal(int group_fd, int signal_number) {
        autofree pid_t *pids = NULL;
        size_t n = 0;
        int r = cgroup_get_pids(group_fd, &pids, &n);

        if (r < 0)
                return is_gone(r) ? 0 : r;
        for (size_t i = 0; i < n; i++)
                if (kill(pids[i], signal_number) < 0 && errno != ESRCH)
                        r = -errno;
        return r < 0 ? r : (int) n;
}

int cgroup_kill(int group_fd) {
        int r = cgroup_write(group_fd, "cgroup.kill", "1");

        if (r >= 0)
                return 0;
        if (!is_gone(r) && r != -EOPNOTSUPP)
                return r;

        /* No cgroup.kill (before Linux 5.14), or no such group any more. A frozen process dies when thawed.
         */
        for (int round = 0; round < KILL_ROUNDS_MAX; round++) {
                CgroupEvents events;

                r = cgroup_get_events(group_fd, &events);
                if (r < 0)
                        return is_gone(r) ? 0 : r;
                if (!events.populated)
                        return 0;
                r = cgroup_signal(group_fd, SIGKILL);
                if (r < 0)
                        return r;
                if (events.frozen)
                        cgroup_write(group_fd, "cgroup.freeze", "0");
                cgroup_wait_empty(group_fd, /* timeout_msec= */ 50);
        }
        return -EBUSY;
}

static int64_t now_msec(void) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the events are as wanted: cgroup.events raises POLLPRI at each change, and POLLERR always. */
static int wait_events(int group_fd, bool (*as_wanted)(const CgroupEvents *events), int timeout_msec) {
        int64_t until = timeout_msec < 0 ? INT64_MAX : now_msec() + timeout_msec;
        autoclose int fd = openat(group_fd, "cgroup.events", O_RDONLY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        for (;;) {
                struct pollfd watch = {fd, POLLPRI, 0};
                CgroupEvents events;
                char text[256];
                int64_t left;
                /* Read through the polled fd: reading is what arms the next event. */
                ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

                if (n < 0)
                        return -errno;
                text[n] = '\0';
                parse_events(text, &events);
                if (as_wanted(&events))
                        return 0;
                left = until == INT64_MAX ? -1 : until - now_msec();
                if (until != INT64_MAX && left <= 0)
                        return -ETIMEDOUT;
                if (poll(&watch, 1, (int) left) < 0 && errno != EINTR)
                        return -errno;
        }
}

static bool is_frozen(const CgroupEvents *events) {
        return events->frozen;
}

static bool is_thawed(const CgroupEvents *events) {
        return !events->frozen;
}

static bool is_empty(const CgroupEvents *events) {
        return !events->populated;
}

int cgroup_freeze(int group_fd, bool freeze, int timeout_msec) {
        int r = cgroup_write(group_fd, "cgroup.freeze", freeze ? "1" : "0");

        return r < 0 ? r : wait_events(group_fd, freeze ? is_frozen : is_thawed, timeout_msec);
}

int cgroup_wait_empty(int group_fd, int timeout_msec) {
        int r = wait_events(group_fd, is_empty, timeout_msec);

        return is_gone(r) ? 0 : r;
}

static int remove_below(int parent_fd, const char *name);

static int remove_children(int group_fd) {
        DIR *dir;
        int r = open_listing(group_fd, &dir);

        if (r < 0)
                return r;
        for (struct dirent *entry; r >= 0 && (entry = readdir(dir));)
                if (is_sub_group(entry))
                        r = remove_below(group_fd, entry->d_name);
        closedir(dir);
        return r;
}

static int remove_below(int parent_fd, const char *name) {
        autoclose int fd = open_dir(parent_fd, name);
        int r;

        if (fd < 0)
                return is_gone(fd) ? 0 : fd;
        r = remove_children(fd);
        if (r < 0)
                return r;
        if (unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
                return -errno;
        return 0;
}

int cgroup_remove(int parent_fd, const char *name) {
        return remove_below(parent_fd, name);
}
