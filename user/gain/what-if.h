/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same references at two sets of addresses, timed in turns on this processor.
 *
 * Beside the references runs the longest chain of the program's results, which does not get
 * shorter. They mostly take less time here than in the program: its data was in no near cache, so
 * they are also run with data that lies far away; its memory was slower for another reason; or it
 * does what neither its references nor that chain tell of, which they go on beside, tried with a
 * chain of instructions that takes as long as the program.
 */
#ifndef CCSAMPLE_GAIN_WHAT_IF_H
#define CCSAMPLE_GAIN_WHAT_IF_H

#include "gain/rerun.h"

#define WHAT_IF_WAITS	0.5
#define WHAT_IF_BESIDE	0.25

/* What the program does with its references. */
struct what_if {
	struct rerun_memory *memory;
	const struct rerun_reference *before, *after;
	size_t count;			/* of each */
	double own;			/* ns of a reference in the program, > 0 */
	double instructions;		/* ... of the program, itself included */
	double cycles;	/* ... that results wait for results at least, if all loads hit */
	bool far;			/* run them with data far away, too, but for ... */
	const uint64_t *near_before, *near_after;	/* lines used not long before, in order */
	size_t near;			/* of each */
};

/* In ns of a reference. */
struct what_if_times {
	double rerun, saved;		/* with data that is near: as it was; less as it would be */
	double saved_beside;		/* ... while other things take all of the program's time */
	double far_rerun, far_saved;	/* with data that is far; NAN = not run */
};

/* Return: false where they cannot be run. */
bool what_if(const struct what_if *input, struct what_if_times *times);

/* Ns of a reference as rerun, with as much far data, at most @far, as the program's time says. */
double what_if_rerun(const struct what_if_times *times, double own, double far);

/* A part of the program's time. */
struct what_if_share {
	double low, share, high;
};

/**
 * what_if_share() - what is saved of the program's time.
 * @own: ns of a reference in the program, > 0
 * @far: how much of the data lies far away, 0 to 1, at most
 *
 * The nearer the rerun comes to the program's time, the likelier the program waits for its
 * references: from WHAT_IF_WAITS of its time on it does, below WHAT_IF_BESIDE they go on beside
 * what it waits for. Where it waits, what makes it slower than the rerun (memory that others use,
 * too, and a processor that others share) makes its misses slower: all of it shrinks with them, or
 * at the low end nothing. At the high end all of it does, also where they likelier go on beside.
 * Where the rerun takes longer than the program, that may be what it has too much of: misses that
 * the program hides, which no cure saves. So it is at the low end; and the likelier, the less the
 * program's time is of the rerun's, by the same two bounds. Pure.
 */
struct what_if_share what_if_share(const struct what_if_times *times, double own, double far);

#endif /* CCSAMPLE_GAIN_WHAT_IF_H */
