/* SPDX-License-Identifier: GPL-2.0-only */
/* Bursts and where they began: burst-weights.c weights them, burst-interval.c has their spread. */
#ifndef CCSAMPLE_BURSTS_BURST_STRATA_H
#define CCSAMPLE_BURSTS_BURST_STRATA_H

#include "base/map.h"
#include "base/student.h"
#include "bursts/burst-weights.h"

struct burst_part {
	size_t context;
	uint64_t misses, unknown;
};

struct weighed {
	double interval;		/* ns of CPU time */
	double stands;			/* ... that it stands for, of that of its stratum */
	size_t began;			/* a number of a stratum: where the timer met it */
	bool stayed;			/* the log begins there, too */
	struct stratum *stratum;	/* once all are there */
	double own;			/* ns of a reference; 0 = not known, INFINITY = none */
	double instructions;		/* ... of its log to a reference */
	double ns;			/* ... or what is usual */
	struct burst_tally tally;
	double misses, weight;		/* once all are there */
	double residue;			/* ... weighted: burst-interval.c */
	double base;			/* ... of what it is a part */
	size_t parts;			/* in weights->part, after those of the bursts before */
};

/* Numbers of strata; from STRATUM_CONTEXT on they are contexts. */
enum {
	STRATUM_REST,			/* code that few bursts begin in, and what has no ticks */
	STRATUM_CALL,			/* system calls: time without references */
	STRATUM_ALONE,			/* bursts without ticks: each has its own time */
	STRATUM_CONTEXT,
};

/* What ticks say of a stratum. */
struct met {
	double ns;			/* CPU time */
	double due;			/* bursts, if all came when they are due */
};

/* Code in which bursts begin. */
struct stratum {
	double met;			/* CPU time by ticks, ns */
	size_t bursts;			/* that count */
	double interval;		/* ... CPU time that they stand for */
	size_t timed;			/* of these, whose own speed is known */
	double timed_interval;
	double references;		/* ... made in this time */
	struct stayed {			/* of these, whose logs begin there, too */
		size_t bursts;
		double interval, instructions;
	} stayed;
	struct pooled {			/* of code that is part of STRATUM_REST */
		struct met met;
		double interval;	/* of its bursts */
	} pooled;
	double residues;		/* weighted: what the stratum leaves over */
	double squares;			/* ... its bursts */
};

struct burst_weights {
	struct weighed *burst;
	size_t count, capacity;
	struct burst_part *part;
	size_t parts, part_capacity;
	size_t first_part;		/* of the burst that goes on */
	struct map latest;		/* context + 1 -> number of its latest part + 1 */
	struct met *met;		/* by stratum */
	size_t met_count, met_capacity;
	struct stratum *strata;		/* once all are there */
	size_t *tick;			/* strata of the burst that goes on, the last its own */
	size_t ticks, tick_capacity;
	size_t logged;			/* ... the stratum in which its log begins, 0 = unknown */
	double missed;			/* CPU time by ticks of code that no burst met, ns */
	size_t missed_most;		/* ... the context that has the most of it */
	double met_squares;		/* CPU time that a tick stands for, squared */
	double timed_interval;		/* ns, of bursts whose speed is known, so far */
	double timed_references;	/* ... made in this time */
	double *misses, *unknown;	/* by context, weighted */
	size_t contexts;
	double all;
	double missed_misses;		/* ... at most, of code not missed by chance */
};

/* Code without references says of its time that it has none. */
static inline bool counts(const struct weighed *burst)
{
	return (burst->tally.counted || isinf(burst->own)) && burst->began != STRATUM_CALL;
}

/* CPU time by ticks of what bursts begin in. */
static inline double met_by_bursts(const struct burst_weights *weights)
{
	double met = 0;

	for (size_t i = 0; i < weights->met_count; i++)
		met += weights->strata[i].bursts ? weights->strata[i].met : 0;
	return met;
}

/* The interval of the weighted misses by the references, after all weights are there. */
void burst_interval_settle(struct burst_weights *weights, struct burst_totals *totals);

#endif /* CCSAMPLE_BURSTS_BURST_STRATA_H */
