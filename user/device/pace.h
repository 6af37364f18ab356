/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The periods where none was given, one an event: as dense as what may be spent, the reader and
 * the recording's size allow, and no denser than one in PACE_DENSEST. Pure: what was taken and
 * spent goes in, periods come out.
 *
 * Where but a part k of an event's records is kept, as of stores those that missed, a sample costs
 * 1/k records, and its period is 1/sqrt(k) times the others': for a given cost the best allocation
 * (Cochran, Sampling Techniques, 5.5: samples as one over the root of what one costs).
 *
 * What sampling costs is part measured, part estimated. The module's own part of an interrupt it
 * measures itself. The rest of an interrupt (entry, perf's handler, return) and the processor's
 * writing of a record nobody can measure while it goes on; they are taken to be the upper ends of
 * docs/jitter.md, "In cycles: a model". None of it was seen on silicon.
 */
#ifndef CCSAMPLE_DEVICE_PACE_H
#define CCSAMPLE_DEVICE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "ccsample.h"

#define PACE_RECORD_NS		300	/* a record (Akiyama and Hirofuchi, ROSS 2017) */
#define PACE_INTERRUPT_NS	900	/* an interrupt but for the module's handler, at 3 GHz */

/*
 * By docs/jitter.md handlers take a microsecond at most. What more they are measured to take
 * in the mean is a hypervisor's, which keeps the CPU, or the firmware's: no period changes it.
 */
#define PACE_HANDLER_MOST_NS	5000

/* To the program's first moment each recording may add so much, that short runs are judged. */
#define PACE_START_NS		10000000

/* A sample in a recording, compressed: at most 7.7 were seen; a regular program takes 3.6. */
#define PACE_SAMPLE_BYTES	8.0

#define PACE_DENSEST		4u	/* one event in so many, at most */

/* Of an event of which few records are kept: so many times longer, until that is seen. */
#define PACE_SPARSE		4u

/* Of all sessions, up to now. */
struct device_spent {
	uint64_t records;	/* that the processor wrote */
	uint64_t dropped;	/* of them: the reader had left no room */
	uint64_t waiting;	/* of them: the reader has not taken them yet */
	uint64_t taken[CCSAMPLE_EVENTS_MAX];	/* of them, of each event */
	uint64_t stood_for[CCSAMPLE_EVENTS_MAX];	/* events, by the periods of their gaps */
	uint64_t kept[CCSAMPLE_EVENTS_MAX];	/* of these: samples */
	double full;		/* part of the fullest session's room that waits to be read */
	double written;		/* part of the largest size that the samples may take */
	uint64_t interrupts;
	uint64_t handler_ns;	/* of these: measured */
	uint64_t cpu_ns;	/* that the program took, sampling included */
};

struct pace_event {
	uint64_t period;	/* in force */
	bool sparse;		/* few of its records are kept */
	double dearer;		/* its least period / PACE_DENSEST */
	double judged, useful;	/* of the latest records, and of them the kept */
	bool given;		/* the period is the user's: nothing changes it */
	double stands_for;	/* events that one of the latest records stands for */
	double seen;		/* about so many happened */
	double since;		/* of them, since the latest settlement */
	double part;		/* of the latest records */
	double recent;		/* records, by which that is known */
	double demand;		/* share of the program's time that a period of 1 would take */
};

/* Begun by device_pace_begin(). */
struct device_pace {
	double overhead;	/* what may be spent, of what the program takes by itself */
	uint32_t burst;		/* records between two gaps, at most */
	uint32_t events;
	struct pace_event event[CCSAMPLE_EVENTS_MAX];
	double thin;		/* periods are so many times longer for the reader's sake */
	bool thinned;		/* more so since the last look */
	double left;		/* ns that those that adapt may spend besides */
	bool started;		/* of which half was */
	bool measured;		/* there is a demand */
	struct device_spent since, last;
};

/* ns, the estimated part alone, and all. */
double device_spent_estimated(const struct device_spent *spent);
double device_spent_ns(const struct device_spent *spent);

/* @sparse: events, a bit each, of whose records few are kept */
void device_pace_begin(struct device_pace *pace, double overhead, uint32_t burst, uint32_t events,
		       uint32_t sparse);

/*
 * An event has a period of its own: it is paid first, and those that adapt have what is left, a
 * quarter of the overhead at least. What it costs beyond that nobody pays back.
 */
void device_pace_give(struct device_pace *pace, uint32_t event, uint64_t period);

/**
 * device_pace() - what the periods are to be from now on.
 *
 * Each changes by a quarter at least, so that there are few changes.
 *
 * Return: whether one has changed
 */
bool device_pace(struct device_pace *pace, const struct device_spent *now);

#endif /* CCSAMPLE_DEVICE_PACE_H */
