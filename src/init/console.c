/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program's terminal or other standard fds. Both sides of the pseudo-terminal are only ever fds: the
 * program's is opened through the other one (TIOCGPTPEER), so nothing in the container's /dev can stand in
 * for it (CVE-2025-52565). */

#include "init/console.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <termios.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "base/socket.h"
#include "init/mount-api.h"
#include "init/target.h"

/* A multiplexer that really is one, of a devpts. */
static int open_multiplexer(const Init *init) {
        autoclose int fd = path_open_in_root(init->rootfs_fd, "/dev/pts/ptmx", O_RDWR | O_NOCTTY);
        struct statfs file_system;
        struct stat status;

        if (fd < 0)
                return fd;
        if (fstatfs(fd, &file_system) < 0 || fstat(fd, &status) < 0)
                return -errno;
        if (file_system.f_type != DEVPTS_SUPER_MAGIC || !S_ISCHR(status.st_mode) ||
            status.st_rdev != makedev(5, 2))
                return -ENODEV;
        return steal_fd(&fd);
}

/* A link of that name is covered, not followed: it could lead to a file of procfs that is to be masked. */
static int bind_console(const Init *init) {
        autoclose int target_fd =
                target_make_nofollow(init->rootfs_fd, "/dev/console", /* directory= */ false, 0600);
        autoclose int tree_fd = -EBADF;

        if (target_fd < 0)
                return target_fd;
        tree_fd = mount_tree_open(init->console_fd, "", /* recursive= */ false);
        return tree_fd < 0 ? tree_fd : mount_attach(tree_fd, target_fd);
}

static int set_up(Init *init, int master_fd, char *ret_name, size_t name_size) {
        const InitPlan *plan = init->plan;
        unsigned number = 0;
        int unlocked = 0;

        if (ioctl(master_fd, TIOCSPTLCK, &unlocked) < 0 || ioctl(master_fd, TIOCGPTN, &number) < 0)
                return -errno;
        init->console_fd = ioctl(master_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (init->console_fd < 0)
                return -errno;
        if (plan->console_rows > 0 || plan->console_columns > 0) {
                struct winsize size = {.ws_row = plan->console_rows, .ws_col = plan->console_columns};

                if (ioctl(init->console_fd, TIOCSWINSZ, &size) < 0)
                        return -errno;
        }
        if (plan->console_plain_lines) {
                struct termios modes;

                if (tcgetattr(init->console_fd, &modes) < 0)
                        return -errno;
                modes.c_oflag &= ~(tcflag_t) ONLCR;
                if (tcsetattr(init->console_fd, TCSANOW, &modes) < 0)
                        return -errno;
        }
        snprintf(ret_name, name_size, "/dev/pts/%u", number);
        return 0;
}

int console_open(Init *init, SetupFailure *reterr_failure) {
        autoclose int master_fd = -EBADF;
        char name[32];
        int r;

        if (!init->plan->terminal)
                return 0;
        master_fd = open_multiplexer(init);
        if (master_fd < 0)
                return setup_failed_text(reterr_failure, master_fd, FAILURE_GENERIC,
                                         "process.terminal: '/dev/pts/ptmx' is not there: %s (it needs a "
                                         "mount of type 'devpts')",
                                         error_text(master_fd));
        r = set_up(init, master_fd, name, sizeof(name));
        if (r < 0)
                return setup_failed(reterr_failure, r, "set up the terminal", NULL);
        r = init->plan->is_exec ? 0 : bind_console(init);
        if (r < 0)
                return setup_failed(reterr_failure, r, "bind the terminal on", "/dev/console");
        r = socket_send(init->plan->console_fd, name, strlen(name), &master_fd, 1);
        close(init->plan->console_fd);
        return r < 0 ? setup_failed(reterr_failure, r, "send the terminal to the console socket", NULL) : 0;
}

static bool is_null(const struct stat *status) {
        return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

/* The group stays, that of a terminal is devpts's gid= option. Who may not change the owner (a user namespace
 * that does not know it, a read-only file) lives with what there is, as the peers do. */
static int give_to_user(const Init *init, int fd) {
        struct stat status;

        if (fstat(fd, &status) < 0)
                return errno == EBADF ? 0 : -errno;
        if (is_null(&status) || status.st_uid == init->plan->uid)
                return 0;
        if (fchown(fd, init->plan->uid, (gid_t) -1) < 0 && errno != EPERM && errno != EROFS &&
            errno != EINVAL)
                return -errno;
        return 0;
}

/* The host's /dev/null is not to be found in the container, where criu looks for what a program has open: its
 * own takes the place, if it has one. */
static void take_own_null(int fd) {
        struct stat status;
        int flags = fcntl(fd, F_GETFL);
        autoclose int own_fd = -EBADF;

        if (flags < 0 || fstat(fd, &status) < 0 || !is_null(&status))
                return;
        /* Not one that blocks or means something else when it is opened. */
        own_fd = open("/dev/null", O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (own_fd < 0 || fstat(own_fd, &status) < 0 || !is_null(&status))
                return;
        close(own_fd);
        own_fd = open("/dev/null", (flags & O_ACCMODE) | O_NOFOLLOW | O_CLOEXEC);
        if (own_fd >= 0 && fstat(own_fd, &status) == 0 && is_null(&status))
                dup2(own_fd, fd);
}

int console_take(Init *init, SetupFailure *reterr_failure) {
        if (init->console_fd >= 0) {
                if (ioctl(init->console_fd, TIOCSCTTY, 0) < 0)
                        return setup_failed(reterr_failure, -errno, "make the terminal the controlling one",
                                            NULL);
                for (int fd = 0; fd <= 2; fd++) {
                        if (dup2(init->console_fd, fd) < 0)
                                return setup_failed(reterr_failure, -errno, "redirect to the terminal", NULL);
                }
                close(steal_fd(&init->console_fd));
        }
        for (int fd = 0; fd <= 2; fd++) {
                int r = give_to_user(init, fd);

                take_own_null(fd);

                if (r < 0)
                        return setup_failed(reterr_failure, r, "give standard input and output to the user",
                                            NULL);
        }
        return 0;
}
