/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/**
 * footprint_shrink:
 * Unmaps the pages of the calling program that are the file's own, code and constants, before a wait that may
 * last for months. What the start needed is not needed again; what is comes back from the page cache at the
 * next touch. For a static program at fixed addresses.
 */
void footprint_shrink(void);
