/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of code in the text of a simulation. */
#ifndef CCSAMPLE_SIMULATE_TEXT_LOOPS_H
#define CCSAMPLE_SIMULATE_TEXT_LOOPS_H

#include "simulate/findings.h"
#include "simulate/views.h"
#include "output/table.h"

/* An instruction: "stencil.c:41 0x1336", for one line may have several. Allocated. */
char *simulation_site(const struct code_region *region);

/* Six cells: misses, and the conflict share of these, of each level. */
void simulation_level_cells(struct table *table, const struct sim_findings *findings,
			    const uint64_t outcomes[][MISS_CLASSES]);

#define SIMULATION_LEVEL_COLUMNS \
	{ .header = "L1", .right = true }, { .header = "conf.", .right = true }, \
	{ .header = "L2", .right = true }, { .header = "conf.", .right = true }, \
	{ .header = "L3", .right = true }, { .header = "conf.", .right = true }

/* One cell: the share of L1's misses that are on sets under pressure. */
void simulation_pressure_cell(struct table *table, const uint64_t outcomes[][MISS_CLASSES],
			   const uint64_t *pressured);

#define SIMULATION_PRESSURE_COLUMN	{ .header = "press.", .right = true }

/* Loops and functions, then nested loops, then evictor pairs by loop; none of a trace. */
void simulation_loops(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_LOOPS_H */
