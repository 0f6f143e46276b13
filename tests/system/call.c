/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* call NUMBER…: makes each of these system calls, with arguments that none of them accepts, and prints its
 * errno. Static, to be copied into a container's root. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
        for (int i = 1; i < argc; i++) {
                long r = syscall(atol(argv[i]), -1L, -1L, -1L, -1L, -1L, -1L);

                printf("%d\n", r < 0 ? errno : 0);
        }
        return EXIT_SUCCESS;
}
