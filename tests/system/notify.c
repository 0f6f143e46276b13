/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* notify ASSIGNMENT...: sends them to $NOTIFY_SOCKET, in one datagram. Static: for a container's root.
 * notify --listen PATH: binds a socket there and shows what comes, each datagram followed by an empty line.
 */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) {
        perror(what);
        exit(1);
}

int main(int argc, char **argv) {
        int listen = argc == 3 && strcmp(argv[1], "--listen") == 0;
        const char *path = listen ? argv[2] : getenv("NOTIFY_SOCKET");
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
        char text[8192] = "";

        if (fd < 0 || !path || strlen(path) >= sizeof(address.sun_path))
                fail("socket");
        strcpy(address.sun_path, path);
        if (listen) {
                if (bind(fd, (const struct sockaddr *) &address, sizeof(address)) < 0)
                        fail(path);
                for (;;) {
                        ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

                        if (n < 0)
                                fail("recv");
                        text[n] = '\0';
                        printf("%s\n", text);
                        fflush(stdout);
                }
        }
        for (int i = 1; i < argc; i++) {
                strncat(text, argv[i], sizeof(text) - strlen(text) - 2);
                strcat(text, i + 1 < argc ? "\n" : "");
        }
        if (sendto(fd, text, strlen(text), 0, (const struct sockaddr *) &address, sizeof(address)) < 0)
                fail(path);
        return 0;
}
