/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>

/**
 * footprint_wait:
 * poll(2) without a time-out. Before it the pages of the calling program that are the file's own, code and
 * constants, are unmapped: the wait may last for months. What the start needed is not needed again; what is
 * comes back from the page cache at the next touch. For a static program at fixed addresses.
 */
int footprint_wait(struct pollfd *polled, nfds_t n_polled);
