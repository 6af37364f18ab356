/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_LOOP_TREE_H
#define CCSAMPLE_REPORT_LOOP_TREE_H

#include <stdio.h>

#include "report/rows.h"

/**
 * loop_tree() - functions and the loops in them, with inclusive and self shares.
 *
 * Nothing where no loop has samples at the level.
 */
void loop_tree(FILE *out, const struct findings *findings, uint32_t level,
	       const struct view_options *options);

#endif /* CCSAMPLE_REPORT_LOOP_TREE_H */
