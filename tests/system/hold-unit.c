/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* hold-unit UNIT: a client of the system manager that holds a reference on UNIT (Ref(),
 * org.freedesktop.systemd1(5)), as `systemd-run --wait` and monitoring tools do, so that systemd may not
 * forget the unit. Prints "held", and holds it until stdin ends. */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

int main(int argc, char **argv) {
        sd_bus_error error = SD_BUS_ERROR_NULL;
        sd_bus *bus;
        char byte;
        int r;

        if (argc != 2)
                errx(2, "usage: hold-unit UNIT");
        r = sd_bus_open_system(&bus);
        if (r < 0)
                errx(EXIT_FAILURE, "system bus: %s", strerror(-r));
        r = sd_bus_call_method(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                               "org.freedesktop.systemd1.Manager", "RefUnit", &error, NULL, "s", argv[1]);
        if (r < 0)
                errx(EXIT_FAILURE, "RefUnit %s: %s", argv[1], error.message);
        puts("held");
        fflush(stdout);
        while (read(STDIN_FILENO, &byte, 1) > 0)
                ;
        sd_bus_error_free(&error);
        sd_bus_flush_close_unref(bus);
        return EXIT_SUCCESS;
}
