/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Containers without a unit of their own. The groups are made from the root down as every cgroupfs manager
 * does it; those that the caller's own group has in common with the new one are left as they are, since they
 * belong to whoever put the caller there. */

#include "container/home.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base-glib/error.h"
#include "base-glib/warning.h"
#include "base/auto.h"
#include "base/file.h"
#include "cgroup/group.h"
#include "config.h"
#include "container/cgroup-path.h"
#include "hook/hook.h"

#define SUPERVISOR           UNITRUN_LIBEXECDIR "/unitrun-supervisor"
#define SUPERVISOR_WAIT_MSEC 2000 /* it has nothing left to do once init is gone */
#define KILL_TIMEOUT_MSEC    10000

/* "//a/./b/" to "/a/b"; relative ones start at the root. ".." is refused when the group is opened. */
static char *normal_group(const char *path) {
        g_auto(GStrv) parts = g_strsplit(path, "/", -1);
        GString *text = g_string_new(NULL);

        for (char **part = parts; *part; part++)
                if (**part && strcmp(*part, ".") != 0)
                        g_string_append_printf(text, "/%s", *part);
        return g_string_free(text, FALSE);
}

static bool decide_group(const char *path, const char *id, char **ret_group, GError **error) {
        g_autofree char *group = path ? normal_group(path) : g_strconcat("/unitrun-", id, NULL);
        g_auto(GStrv) parts = g_strsplit(group, "/", -1);

        if (g_strv_contains((const char *const *) parts, ".."))
                return fail(error, "linux.cgroupsPath: '%s' has '..' in it", path);
        if (*group == '\0')
                return fail(error, "linux.cgroupsPath: '%s' is the root of all control groups", path);
        if (strlen(group) >= CGROUP_PATH_SIZE / 2)
                return fail(error, "linux.cgroupsPath: the path is too long");
        *ret_group = g_steal_pointer(&group);
        return true;
}

bool home_decide(HomeManager manager, const char *cgroups_path, const char *id, HomeKind *ret_kind,
                 char **ret_group, GError **error) {
        const char *path = cgroups_path && *cgroups_path ? cgroups_path : NULL;
        bool is_triple = path && strchr(path, ':') && *path != '/';
        bool is_path = path && !is_triple && strchr(path, '/');

        *ret_group = NULL;
        switch (manager) {
        case HOME_MANAGER_DISABLED:
                *ret_kind = HOME_NOWHERE;
                return true;
        case HOME_MANAGER_SYSTEMD:
                if (is_path)
                        return fail(error,
                                    "linux.cgroupsPath: '%s' is a path in cgroupfs, but the manager is "
                                    "systemd: give 'slice:prefix:name', or --cgroup-manager=cgroupfs",
                                    path);
                break;
        case HOME_MANAGER_CGROUPFS:
                if (is_triple)
                        return fail(error,
                                    "linux.cgroupsPath: '%s' names a unit of systemd, but the manager is "
                                    "cgroupfs: give a path like '/parent/name', or --cgroup-manager=systemd",
                                    path);
                *ret_kind = HOME_GROUP;
                return decide_group(path, id, ret_group, error);
        case HOME_MANAGER_BY_PATH:
                if (is_path) {
                        *ret_kind = HOME_GROUP;
                        return decide_group(path, id, ret_group, error);
                }
                break;
        }
        *ret_kind = HOME_UNIT;
        return true;
}

bool home_check_group(const char *group, GError **error) {
        autoclose int fd = cgroup_open(group);
        CgroupEvents events;
        char frozen[8];
        int r;

        if (fd == -ENOENT)
                return true;
        if (fd == -EMEDIUMTYPE)
                return fail(error, "%s", CGROUP_V2_REQUIRED);
        r = fd < 0 ? fd : cgroup_get_events(fd, &events);
        if (r < 0)
                return fail_errno(error, r, "linux.cgroupsPath: cannot look at the cgroup '%s'", group);
        if (events.populated)
                return fail(
                        error,
                        "linux.cgroupsPath: the container's cgroup is not empty: '%s' holds other processes",
                        group);
        if (cgroup_read(fd, "cgroup.freeze", frozen, sizeof(frozen)) >= 0 && strcmp(frozen, "1") == 0)
                return fail(error, "linux.cgroupsPath: the cgroup '%s' is frozen: nothing could run in it",
                            group);
        return true;
}

/* How many groups from the root down @group has in common with the caller's own. */
static guint shared_depth(char *const *parts) {
        char own[CGROUP_PATH_SIZE];
        g_auto(GStrv) own_parts = NULL;
        guint depth = 0;

        if (cgroup_path_of(0, own) < 0)
                return 0;
        own_parts = g_strsplit(own + 1, "/", -1);
        while (parts[depth] && own_parts[depth] && strcmp(parts[depth], own_parts[depth]) == 0)
                depth++;
        return depth;
}

/* A controller that can't be had matters only to a limit that needs it, whose error names it. */
static bool make_group(const char *group, int *ret_fd, GError **error) {
        g_auto(GStrv) parts = g_strsplit(group + 1, "/", -1);
        guint shared = shared_depth(parts);
        autoclose int fd = cgroup_open_root();

        if (fd == -EMEDIUMTYPE)
                return fail(error, "%s", CGROUP_V2_REQUIRED);
        for (guint depth = 0; fd >= 0 && parts[depth]; depth++) {
                int below;

                if (depth >= shared)
                        cgroup_enable_controllers(fd, NULL, 0);
                below = cgroup_make_sub(fd, parts[depth]);
                close(fd);
                fd = below;
        }
        if (fd < 0)
                return fail_errno(error, fd, "linux.cgroupsPath: cannot make the cgroup '%s'", group);
        *ret_fd = steal_fd(&fd);
        return true;
}

typedef struct Child {
        int group_fd; /* or -EBADF */
        int null_fd;
        int output_fd;
        int failure_fd; /* closed by exec; else gets the errno */
        char *const *args;
        char *const *env;
} Child;

static void run_child(const Child *child) __attribute__((noreturn));
static void run_child(const Child *child) {
        sigset_t none;
        int r = 0;

        setsid();
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (child->group_fd >= 0)
                r = cgroup_move(child->group_fd, 0);
        /* As systemd would have it: the kernel must not take the supervisor for the container. Not ours to
         * lower when we are not privileged. */
        file_write(AT_FDCWD, "/proc/self/oom_score_adj", "-1000");
        if (r >= 0 && (dup2(child->null_fd, STDIN_FILENO) < 0 || dup2(child->output_fd, STDOUT_FILENO) < 0 ||
                       dup2(child->output_fd, STDERR_FILENO) < 0))
                r = -errno;
        if (r >= 0 && chdir("/") == 0)
                execve(SUPERVISOR, child->args, child->env);
        r = r < 0 ? r : -errno;
        if (write(child->failure_fd, &r, sizeof(r)) < 0)
                _exit(EXIT_FAILURE);
        _exit(EXIT_FAILURE);
}

static bool spawn(Child *child, const char *group, pid_t *ret_pid, GError **error) {
        autoclose int read_end = -EBADF;
        int ends[2], failure;
        pid_t pid;

        if (pipe2(ends, O_CLOEXEC) < 0)
                return fail_errno(error, errno, "cannot make a pipe");
        read_end = ends[0];
        child->failure_fd = ends[1];
        pid = fork();
        if (pid == 0)
                run_child(child);
        close(ends[1]);
        if (pid < 0)
                return fail_errno(error, errno, "cannot fork for the supervisor");
        *ret_pid = pid;
        return read(read_end, &failure, sizeof(failure)) != sizeof(failure) ||
               fail_errno(error, failure, "cannot start the supervisor%s%s", group ? " in the cgroup " : "",
                          group ? group : "");
}

bool home_start_supervisor(const char *group, const char *state_dir, pid_t *ret_pid, GError **error) {
        autoclose int group_fd = -EBADF, sub_fd = -EBADF, null_fd = -EBADF, output_fd = -EBADF;
        /* The notification socket is that of the caller's unit, to which the supervisor is a stranger. */
        g_auto(GStrv) env = g_environ_unsetenv(g_get_environ(), "NOTIFY_SOCKET");
        const char *const args[] = {SUPERVISOR, state_dir, group ? NULL : "no-cgroup", NULL};
        Child child = {.args = (char *const *) args, .env = env};

        if (group && !make_group(group, &group_fd, error))
                return false;
        if (group) {
                /* What an ended container has left there has its limits, and its delete must not find ours.
                 */
                int r = cgroup_remove(group_fd, CGROUP_PAYLOAD);

                if (r < 0)
                        return fail_errno(error, r, "cannot remove the cgroup '%s/%s' that is there already",
                                          group, CGROUP_PAYLOAD);
                sub_fd = cgroup_make_sub(group_fd, CGROUP_SUPERVISOR);
                if (sub_fd < 0)
                        return fail_errno(error, sub_fd, "cannot make the cgroup '%s/%s'", group,
                                          CGROUP_SUPERVISOR);
        }
        null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        output_fd = hook_journal_open(/* unit= */ NULL);
        if (null_fd < 0 || output_fd < 0)
                return fail_errno(error, null_fd < 0 ? errno : output_fd, "cannot open '/dev/null'");
        child.group_fd = sub_fd;
        child.null_fd = null_fd;
        child.output_fd = output_fd;
        return spawn(&child, group, ret_pid, error);
}

static int clear_sub_group(int group_fd, const char *name, int patience_msec) {
        autoclose int fd = cgroup_open_sub(group_fd, name);
        int r;

        if (fd == -ENOENT)
                return 0;
        r = fd < 0 ? fd : 0;
        if (r >= 0 && (patience_msec == 0 || cgroup_wait_empty(fd, patience_msec) == -ETIMEDOUT))
                r = cgroup_kill(fd);
        if (r >= 0)
                r = cgroup_wait_empty(fd, KILL_TIMEOUT_MSEC);
        return r < 0 ? r : cgroup_remove(group_fd, name);
}

static int remove_group(const char *group) {
        g_autofree char *parent = g_path_get_dirname(group), *name = g_path_get_basename(group);
        autoclose int parent_fd = cgroup_open(parent);

        if (parent_fd < 0)
                return parent_fd;
        return unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* A container under another state root may have it by now. */
static bool is_of_others(int group_fd, uint64_t payload_id) {
        autoclose int fd = payload_id == 0 ? -EBADF : cgroup_open_sub(group_fd, CGROUP_PAYLOAD);
        uint64_t id;

        return fd >= 0 && cgroup_get_id(fd, &id) >= 0 && id != payload_id;
}

bool home_clear_group(const char *group, uint64_t payload_id, GError **error) {
        autoclose int group_fd = cgroup_open(group);
        int r;

        if (group_fd == -ENOENT || (group_fd >= 0 && is_of_others(group_fd, payload_id)))
                return true;
        r = group_fd < 0 ? group_fd : clear_sub_group(group_fd, CGROUP_PAYLOAD, 0);
        if (r >= 0)
                r = clear_sub_group(group_fd, CGROUP_SUPERVISOR, SUPERVISOR_WAIT_MSEC);
        if (r < 0 && r != -ENODEV)
                return fail_errno(error, r, "cannot clear the cgroup '%s'", group);
        r = remove_group(group);
        /* Somebody has made groups or put processes there: they are theirs. */
        if (r == -EBUSY || r == -ENOTEMPTY)
                warn("the cgroup '%s' is in use by others, ignoring", group);
        return r >= 0 || r == -ENOENT || r == -EBUSY || r == -ENOTEMPTY ||
               fail_errno(error, r, "cannot remove the cgroup '%s'", group);
}

bool home_clear_service(const char *group, GError **error) {
        autoclose int group_fd = cgroup_open(group);
        int r;

        if (group_fd == -ENOENT)
                return true;
        r = group_fd < 0 ? group_fd : clear_sub_group(group_fd, CGROUP_PAYLOAD, 0);
        return r >= 0 || r == -ENODEV ||
               fail_errno(error, r, "cannot clear the cgroup '%s/%s'", group, CGROUP_PAYLOAD);
}
