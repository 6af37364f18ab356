/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which a simulation is written out. */
#ifndef CCSAMPLE_VIEW_SIMULATION_H
#define CCSAMPLE_VIEW_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/simulation.h"

struct simulation_view {
	const char *input;	/* where the references came from */
	const char *format;
	uint64_t bad_lines;
	uint64_t first_bad;	/* its number */
	size_t top;		/* most sites, most pairs; 0 = all */
	bool colour;
};

/* For people: at most TEXT_COLUMNS wide. */
void simulation_text(FILE *out, const struct simulation *simulation,
		     const struct simulation_view *view);

/* For scripts: keys may be added, never renamed. */
void simulation_json(FILE *out, const struct simulation *simulation,
		     const struct simulation_view *view);

/* The mean over windows of the largest number of lines on a set; 0 before the first window ended. */
double pressure_peak(const struct pressure *pressure);

/* Share of a window's lines that lie on sets with more than twice as many as ways. */
double pressure_crowded(const struct pressure *pressure);

#endif /* CCSAMPLE_VIEW_SIMULATION_H */
