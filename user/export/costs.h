/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as profilers' formats want them: counts by instruction and data
 * object, each with the functions that it was inlined in and the loops around
 * it. From samples and from simulations alike.
 */
#ifndef CCSAMPLE_EXPORT_COSTS_H
#define CCSAMPLE_EXPORT_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"
#include "simulate/findings.h"

#define COSTS_EVENTS 16			/* most columns */

enum cost_kind {
	COST_MISSES,			/* samples of misses, or misses simulated or estimated */
	COST_NEAR,			/* of samples: RCD <= ways */
	COST_AGAIN,			/* of samples: re-misses */
	COST_CONFLICTS,			/* conflict misses, of simulations */
	COST_OTHER,			/* accesses and other classes, of simulations */
};

/* A column. */
struct cost_event {
	const char *name;		/* "L1m" */
	const char *title;		/* "L1 misses sampled" */
	uint32_t level;
	enum cost_kind kind;
};

/* A function, and the line in it. */
struct cost_frame {
	const char *function;		/* NULL = unknown; never of the outermost */
	char *path;			/* of the source, absolute where known; NULL = unknown */
	uint32_t line;			/* 0 = unknown */
};

/* An instruction. */
struct cost_code {
	const char *dso;
	uint64_t address;		/* link-time, or the plain one */
	uint64_t entry;			/* of the function that it lies in; 0 = unknown */
	char *home;			/* source of that function, as a frame's path */
	struct cost_frame *frames;	/* innermost first; the last is the function itself */
	size_t frame_count;		/* at least 1 */
	size_t loop;			/* of costs.loops; SIZE_MAX = none */
};

/* Counts of an instruction on an object. */
struct cost_site {
	size_t code;
	const struct object *object;	/* NULL = not distinguished */
	uint64_t counts[COSTS_EVENTS];
};

struct costs {
	const struct cost_event *events[COSTS_EVENTS];
	size_t event_count;
	struct cost_code *codes;
	size_t code_count;
	struct code_region *loops;	/* by id - 1 */
	size_t loop_count;
	struct cost_site *sites;	/* by code and object */
	size_t site_count;
	uint64_t totals[COSTS_EVENTS];
};

/**
 * costs_of_samples() - what a recording shows.
 * @level: only this cache level, 0 = all
 *
 * Return: valid as long as @findings; costs_free() frees it.
 */
struct costs *costs_of_samples(const struct findings *findings, uint32_t level);

/* The same of a simulation, whose objects are not known by instruction. */
struct costs *costs_of_simulation(const struct sim_findings *findings, uint32_t level);

void costs_free(struct costs *costs);

/* The column of a level and kind, SIZE_MAX if there is none. @level: 0 = the first */
size_t costs_event(const struct costs *costs, uint32_t level, enum cost_kind kind);

#endif /* CCSAMPLE_EXPORT_COSTS_H */
