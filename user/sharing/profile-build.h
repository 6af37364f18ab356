/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles of programs and traces: from simulations, analyses, runs next to a stressmark. */
#ifndef CCSAMPLE_SHARING_PROFILE_BUILD_H
#define CCSAMPLE_SHARING_PROFILE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/hierarchy.h"
#include "share-model/profile.h"
#include "simulate/findings.h"
#include "simulate/simulation.h"

struct profile_request {
	char **argv;			/* the program; none where there is an input */
	const char *input;		/* a trace, NULL = none */
	struct page_plan pages;		/* of a trace; not PAGES_REAL */
	const char *output;
	uint64_t level;			/* the shared one, from 1; 0 = the last one */
	uint64_t instructions;		/* of a trace; 0 = its own number */
	uint64_t repeat;		/* runs of each occupancy */
	bool sets;			/* also of each set */
	bool threads;			/* one profile each */
	bool quiet;
	double ipc;			/* 0 = not given */
	double cpi, penalty;		/* cycles; assumed */
	double latency[CACHE_LEVELS];	/* of hits, cycles */
};

/* Accesses of a simulation that cost time. */
struct profile_traffic {
	double hits[CACHE_LEVELS];	/* of each level; L1's cost nothing */
	double misses;			/* of the shared level */
};

/* The name of a trace as the profile's command; to be freed. */
char *profile_trace(const struct profile_request *request);

/* @known: instructions of the trace; 0 = it does not hold them, and its references are used */
void profile_set_instructions(struct profile *profile, const struct profile_request *request,
			      uint64_t known, uint64_t references);

/* Fills speed and penalty: as given, or as assumed of what was simulated. */
void profile_set_speed(struct profile *profile, const struct profile_request *request,
		       const struct profile_traffic *traffic);

/* Writes the profile to @path, reports it, and frees it. Return: 0, or -1 after one line. */
int profile_keep(struct profile *profile, const struct profile_request *request, const char *path);

/* Profiles of a simulated program, or of each of its threads. Return: 0, or -1 after one line. */
int profile_keep_findings(const struct profile_request *request,
			  const struct sim_findings *findings);

/**
 * profile_keep_simulation() - the profile of a simulated trace.
 * @format: of the trace
 * @counted: the simulation counted instructions
 *
 * Return: 0, or -1 after one line.
 */
int profile_keep_simulation(const struct profile_request *request,
			    const struct simulation *simulation, const char *format,
			    bool counted);

/* Whether the analysis of a trace can tell distances apart; else the trace is simulated. */
bool profile_may_analyse(const struct profile_request *request, const struct hierarchy_plan *plan);

/* From the analysis of ccsample's own trace; from runs here. Return: the exit status. */
int profile_analysed(const struct profile_request *request, const struct hierarchy_plan *plan);
int profile_stressed(const struct profile_request *request, const struct hierarchy_plan *plan);

#endif /* CCSAMPLE_SHARING_PROFILE_BUILD_H */
