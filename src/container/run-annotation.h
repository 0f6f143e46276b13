/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "container/plan-parts.h"

/* crun's annotations "run.oci.NAME", which engines and people set. Those that are honoured are read where
 * they matter; this is the list of them, and of those that are not, with the reason. */

#define RUN_ANNOTATION_PREFIX "run.oci."

/**
 * run_annotations_check:
 * Warns of annotations that are not honoured, and refuses those without which the container would be another
 * one.
 */
bool run_annotations_check(Plan *plan, const OciConfig *config, GError **error);
