/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/**
 * features_json:
 * Returns (transfer full): the spec's features document, from the tables that a config is planned with. Needs
 * neither root nor systemd.
 */
char *features_json(void);
