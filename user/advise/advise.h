/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of the layout of data that would save misses: found by trying them on recorded bursts of
 * references. Takes findings of recordings of bursts and the kept bursts; gives data, which views.h
 * and plan.h write out.
 */
#ifndef CCSAMPLE_ADVISE_ADVISE_H
#define CCSAMPLE_ADVISE_ADVISE_H

#include "advise/keep.h"
#include "advise/layout.h"
#include "advise/model.h"
#include "advise/replay.h"
#include "advise/times.h"
#include "findings/findings.h"

#define CURE_CHANGES 32			/* most changes of one cure */

/* Misses before and after, of 1,000 references of the program. */
struct cure_effect {
	const struct context *context;	/* NULL = of the whole program */
	double before, after;
	double conflicts_before, conflicts_after;
	struct replay_ratio ratio;	/* of misses, after by before */
	double outer_before, outer_after;	/* misses of L2, certain ones */
	double outer_most_before, outer_most_after;	/* ... and all that may miss */
	struct replay_ratio outer;
	/* Misses of the first-level data TLB, and those that full associativity would hit */
	double tlb_before, tlb_after;
	double tlb_conflicts_before;
};

#define CURE_LOOPS 8			/* most loops shown of a cure */

/* Changes that belong together. */
struct cure {
	struct layout_change changes[CURE_CHANGES];
	size_t count;
	uint64_t bytes;			/* of memory that it costs, of the blocks in the bursts */
	struct cure_effect all;
	struct cure_effect own;		/* of the loop that it was sought for */
	double harm;			/* to all other code, at most, in misses of L1 */
	struct cure_effect loops[CURE_LOOPS];	/* that change by a twentieth, by their change */
	size_t loop_count;
	struct time_share time;		/* saved */
	double written;			/* share of the misses saved, of data that is stored to */
	size_t instead_of;		/* number of a better one, + 1, that it is a choice to; 0 */
};

/* What stays of a loop that no cure was found for. */
struct no_cure {
	struct cure_effect effect;	/* before = after */
	bool moves;			/* some of its data could be moved */
	bool outer_known;		/* the bursts say something of what it misses in L2 */
	/* Bursts tell too little of a layout that was tried: what would tell more; else NULL */
	const char *few;
	struct cure little;		/* helps it, the program too little; count 0 = none */
};

struct cures {
	struct cure *cures;		/* as cures_sort() has them */
	size_t count;
	struct cure *together;	/* of all that do not exclude each other; NULL = one or none */
	struct no_cure *none;		/* loops that were looked at in vain */
	size_t none_count;
	bool more;			/* loops were there than were to be looked at */
	struct cure_effect now;		/* of all; after = before */
	bool ratio_known;		/* the bursts say how often the whole program misses */
	bool few;			/* bursts: other code may have many of L1's conflicts */
	bool outer_known;		/* the bursts are long enough to say something of L2 */
	size_t bursts, bursts_recorded;	/* replayed, of so many */
	size_t tried;			/* changes that were replayed */
	bool modelled;			/* times are of a calibration */
	size_t pieces;			/* of bursts, that may be timed; 0 = time is not known */
	const struct keep *references;	/* that they were tried on; NULL = there are none */
	const struct keep *samples;	/* no cure was tried: there are sampled misses alone */
};

/* What report and advise look at, so that both say the same. */
#define CURES_REFERENCES 4000000u	/* of bursts, kept: effects are measured with these */
#define CURES_SEARCHED	12u		/* one of so many, to search with */

#define CURES_LOOP	0.02	/* of the misses of L1, of a loop that is looked at */

struct cure_limits {
	size_t loops;			/* looked at */
	uint64_t accesses;		/* of a replay while cures are searched */
	bool times;			/* run pieces of bursts on this processor */
	/* What misses cost where they were recorded; NULL = unknown. Used where nothing is run. */
	const struct calibration *calibration;
};

/**
 * cures_find() - search for cures.
 * @keep: fed with all recordings of @findings, and ended; outlives the advice
 *
 * Return: advice; without a cure where nothing helps, or there was no burst.
 */
struct cures *cures_find(const struct keep *keep, const struct findings *findings,
			   const struct cure_limits *limits);

/* Of a recording of samples: nothing but where these are. @keep: ended, outlives it */
struct cures *cures_of_samples(const struct keep *keep);
void cures_free(struct cures *advice);

/*
 * Best first. Left out are those that save less time than another, by more than 2% and the noise of
 * both, and of the others those that save less than nine tenths of the most misses: of what is left
 * the one that costs least, in memory, then in places to edit. Then the same of all others.
 */
void cures_sort(struct cure *cures, size_t count);

/* Why a loop that was looked at has no cure; NULL = it has one, or was not. */
const struct no_cure *cures_none(const struct cures *advice, const struct context *context);

/*
 * The first cure, in their order, but for those that save the loop a tenth more; NULL = none.
 * @effect: receives what it does to the loop
 */
const struct cure *cures_for(const struct cures *advice, const struct context *context,
			      const struct cure_effect **effect);

#endif /* CCSAMPLE_ADVISE_ADVISE_H */
