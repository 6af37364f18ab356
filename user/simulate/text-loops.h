/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of code in the text of a simulation. */
#ifndef CCSAMPLE_SIMULATE_TEXT_LOOPS_H
#define CCSAMPLE_SIMULATE_TEXT_LOOPS_H

#include "simulate/findings.h"
#include "simulate/views.h"
#include "output/table.h"

/* An instruction: "stencil.c:41 0x1336", for one line may have several. Allocated. */
char *simulation_site(const struct code_region *region);

/* Code, which is freed, and what it refers to, NULL = unknown. Allocated. */
char *simulation_end(char *code, const char *object);

/*
 * One cell: the conflict share of misses; "98.0%, net 35.1%" where hits saved make up for a part.
 * @saved: hits that a fully associative cache misses
 */
void simulation_conflict_cell(struct table *table, const uint64_t *outcomes, uint64_t saved);

/*
 * Six cells: misses, and the conflict share of these, of each level; empty where it is not
 * simulated. @saved: by level; NULL = not known
 */
void simulation_level_cells(struct table *table, const struct sim_findings *findings,
			    const uint64_t outcomes[][MISS_CLASSES], const uint64_t *saved);

#define SIMULATION_LEVEL_COLUMNS \
	{ .header = "L1", .right = true }, { .header = "conf.", .right = true }, \
	{ .header = "L2", .right = true, .optional = true }, \
	{ .header = "conf.", .right = true, .optional = true }, \
	{ .header = "L3", .right = true, .optional = true }, \
	{ .header = "conf.", .right = true, .optional = true }

/* Three cells: conflicts at each level; empty where it is not simulated. */
void simulation_conflict_cells(struct table *table, const struct sim_findings *findings,
			       const uint64_t *conflicts, enum tint tint);

#define SIMULATION_CONFLICT_COLUMNS \
	{ .header = "L1", .right = true }, { .header = "L2", .right = true, .optional = true }, \
	{ .header = "L3", .right = true, .optional = true }

/* One cell: the share of L1's misses that are on sets under pressure. */
void simulation_pressure_cell(struct table *table, const uint64_t outcomes[][MISS_CLASSES],
			   const uint64_t *pressured);

#define SIMULATION_PRESSURE_COLUMN	{ .header = "press.", .right = true }

/* Loops and functions, then nested loops, then evictor pairs by loop; none of a trace. */
void simulation_loops(FILE *out, const struct sim_findings *findings,
		      const struct simulation_view *view);

#endif /* CCSAMPLE_SIMULATE_TEXT_LOOPS_H */
