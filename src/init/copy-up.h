/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/**
 * copy_up:
 * Copies what the directory @from_fd (O_PATH is enough) holds into the directory @to_fd, with owners, modes,
 * times and extended attributes, and the owner of the directory itself. Other file systems below it are not
 * entered. For the mount option "tmpcopyup". Returns 0 or a negative errno.
 */
int copy_up(int from_fd, int to_fd);
