/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Names on the bus; org.freedesktop.systemd1(5). */

#define SYSTEMD_SERVICE   "org.freedesktop.systemd1"
#define SYSTEMD_PATH      "/org/freedesktop/systemd1"
#define SYSTEMD_MANAGER   "org.freedesktop.systemd1.Manager"
#define SYSTEMD_UNIT_PATH "/org/freedesktop/systemd1/unit"

#define SYSTEMD_NO_SUCH_UNIT       "org.freedesktop.systemd1.NoSuchUnit"
#define SYSTEMD_UNIT_EXISTS        "org.freedesktop.systemd1.UnitExists"
#define SYSTEMD_ALREADY_SUBSCRIBED "org.freedesktop.systemd1.AlreadySubscribed"
