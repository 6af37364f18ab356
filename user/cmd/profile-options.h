/* SPDX-License-Identifier: GPL-2.0-only */
/* What `ccsample profile` is asked for, and its roads to a profile. */
#ifndef CCSAMPLE_CMD_PROFILE_OPTIONS_H
#define CCSAMPLE_CMD_PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "simulate/findings.h"
#include "cmd/sim-options.h"
#include "share-model/profile.h"

struct profile_arguments {
	struct sim_arguments sim;	/* caches, pages, phases, the program or trace */
	const char *output;
	uint64_t level;			/* 0 = the last one */
	uint64_t instructions;		/* of a trace; 0 = as it tells */
	uint64_t repeat;		/* runs of each occupancy */
	bool stressmark;		/* measured beside it, not by the engine */
	bool sets;
	bool threads;			/* one profile each */
	double ipc;			/* 0 = not given */
	double cpi, penalty;
	double latency[CACHE_LEVELS];
};

/* Return: 0, 1 after help was printed, -1 after one line on standard error. */
int profile_parse(int argc, char **argv, struct profile_arguments *arguments);

/* The caches, and the level that is to be shared, checked. Return: 0, or -1 after one line. */
int profile_plan(struct profile_arguments *arguments, struct hierarchy_plan *plan);

/* Accesses of a simulation that cost time. */
struct profile_traffic {
	double hits[CACHE_LEVELS];	/* of each level; L1's cost nothing */
	double misses;			/* of the shared level */
};

/* Fills speed and penalty: as given, or as assumed of what was simulated. */
void profile_set_speed(struct profile *profile, const struct profile_arguments *arguments,
		       uint32_t levels, const struct profile_traffic *traffic);

/* The command line as one text, to be freed. */
char *profile_command(char **argv);

/* Writes the profile to @path, says what it is, and frees it. Return: 0, or -1 after one line. */
int profile_keep(struct profile *profile, const struct profile_arguments *arguments,
		 const char *path);

/* profile.c: @depths: of the shared level, sets x (ways + 1) */
void profile_of_depths(struct profile *profile, const struct profile_arguments *arguments,
		       const struct cache_geometry *cache, const uint64_t *depths);

/* profile-input.c, profile-stressed.c: the roads but for the engine. Return: the exit status. */
int profile_input(const struct profile_arguments *arguments, const struct hierarchy_plan *plan);
int profile_stressed(const struct profile_arguments *arguments, const struct hierarchy_plan *plan);

#endif /* CCSAMPLE_CMD_PROFILE_OPTIONS_H */
