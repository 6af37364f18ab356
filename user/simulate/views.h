/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which a simulation is written out. */
#ifndef CCSAMPLE_SIMULATE_VIEWS_H
#define CCSAMPLE_SIMULATE_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "simulate/findings.h"

struct simulation_view {
	const char *input;	/* where the references came from: a file, a program */
	const char *format;	/* of a trace, NULL = it was a program */
	uint64_t bad_lines;
	uint64_t first_bad;	/* its number */
	size_t top;		/* most sites, most pairs; 0 = all */
	bool colour;
};

/* For people: at most TEXT_COLUMNS wide, but tables may use what a wider terminal has. */
void simulation_text(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view);

/* For scripts: keys may be added, never renamed. */
void simulation_json(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view);

/*
 * Who evicts whom, in DOT: view->top pairs, those of most conflicts; with DETECTOR_REUSE as many
 * edges of who uses whose lines again, dashed.
 */
void simulation_dot(FILE *out, const struct sim_findings *findings,
		    const struct simulation_view *view);

/* A row for each piece of code and level, most misses first. @level: 0 = all */
void simulation_csv(FILE *out, const struct sim_findings *findings, uint32_t level);
void simulation_jsonl(FILE *out, const struct sim_findings *findings, uint32_t level);

#endif /* CCSAMPLE_SIMULATE_VIEWS_H */
