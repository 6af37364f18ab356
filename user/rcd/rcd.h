/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evidence of cache conflicts in a stream of sampled misses.
 *
 * RCD (re-conflict distance; CCProf, CGO'18): the number of a context's misses
 * since its last miss on the same set, as a difference of indices: a round
 * robin over N sets gives N. Contribution factor cf: the share of a context's
 * misses whose RCD is at most a threshold T, the number of ways unless another is set.
 *
 * Conflict period (the same paper): a run of equal RCDs on one set. Samples that are
 * farther apart than it lasts do not show the RCD it has.
 *
 * Null model: misses are independent, each on set i with chance p_i:
 * P(RCD <= k) = sum over i of p_i (1 - (1 - p_i)^k). Of N equally likely sets:
 * 1 - (1 - 1/N)^k. Sets of one slice are equally likely; slices need not be.
 *
 * Classes: where each miss comes with its class, the share of conflicts is counted, less the hits
 * that a fully associative cache would miss. Else it is estimated:
 *
 * Re-miss: inside a burst of consecutive misses, a line that misses again
 * before as many lines as the cache holds were brought in. A fully associative
 * cache would have kept it (but for hits between), so the share of re-misses
 * estimates the share of conflict misses.
 *
 * Concentration: how unequally the sets share a window of as many misses as
 * the cache has lines.
 *
 * Streams are threads; contexts are pieces of code. Pure: no I/O, no globals.
 */
#ifndef CCSAMPLE_RCD_RCD_H
#define CCSAMPLE_RCD_RCD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rcd;		/* one cache level: its parameters, its contexts, its streams */
struct rcd_context;	/* what is known about one context */
struct rcd_stream;	/* one thread's misses of one event */

/**
 * rcd_new_sliced() - begin the analysis of one cache level.
 * @sets: sets of one slice, >= 1, powers of two or not; set s of slice n has the number
 *	n x @sets + s
 * @ways: lines of a set, >= 1
 * @slices: their number, >= 1
 * @shares: each slice's share of all lines, > 0, summing to 1; copied
 *
 * Return: NULL when out of memory.
 */
struct rcd *rcd_new_sliced(uint32_t sets, uint32_t ways, uint32_t slices, const double *shares);
void rcd_free(struct rcd *rcd);

#define RCD_THRESHOLD_MOST 4096

/**
 * rcd_set_threshold() - the longest RCD that cf counts, in place of the number of ways.
 * @threshold: 1 to RCD_THRESHOLD_MOST
 *
 * To be called before contexts and streams are made, as rcd_by_set() is.
 *
 * Return: 0, or -ENOMEM.
 */
int rcd_set_threshold(struct rcd *rcd, uint32_t threshold);

/*
 * What rcd_weigh() says is how many misses a sample stands for: of few left out little is unknown.
 */
void rcd_weights_are_misses(struct rcd *rcd);

/*
 * Of misses that come with their class the conflict share is asked for, and the verdict but for
 * RCD_CONCENTRATED: distances, windows and sets are not looked at.
 */
void rcd_classes_alone(struct rcd *rcd);

/*
 * What stores bring in is in streams of its own, as what loads do is in theirs: distances are as
 * long as rcd_burst()'s fills say, and which set is full by the samples of both.
 */
void rcd_stores_apart(struct rcd *rcd);

/* Contexts count by set, too: 16 bytes a set and context. */
void rcd_by_set(struct rcd *rcd);

/* A new context, which lives as long as @rcd; a new stream, which lives until rcd_finish(). NULL
 * when out of memory.
 */
struct rcd_context *rcd_context_new(struct rcd *rcd);
struct rcd_stream *rcd_stream_new(struct rcd *rcd);

/* Bytes that a stream takes in a burst, without those of the lines it has seen. */
size_t rcd_stream_size(const struct rcd *rcd);

/* What it holds ends, as a burst does; what follows is another thread's. */
void rcd_stream_renew(struct rcd_stream *stream);

/**
 * rcd_burst() - a burst of consecutive misses begins: no distance crosses this edge.
 * @events: true number of misses over the burst, at least the samples recorded
 * @fills: lines brought into the cache over it, by loads and stores; fewer than @events,
 *	   or unknown (~0): taken as @events
 * @samples: samples recorded over it, >= 1
 *
 * Distances in lines are those in samples times max(events, fills) / samples.
 */
void rcd_burst(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples);

/**
 * rcd_continue() - the burst goes on, in a batch with numbers of its own.
 */
void rcd_continue(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples);

/**
 * rcd_cut() - the burst goes on, but something outside of the stream came between.
 *
 * What that evicted misses again: no distance crosses this edge, as none crosses the edge
 * of a burst. What was before and what follows stay one burst in the interval of the conflict
 * share.
 */
void rcd_cut(struct rcd_stream *stream, uint64_t events, uint64_t fills, uint64_t samples);

/**
 * rcd_accesses() - how many accesses the cache had over the batch just begun.
 * @lines: hits and misses, from the burst's first sample, or that behind a cut, or the last of the
 *	   batch before, to the last of this one
 * @samples: of this batch, as passed to rcd_burst(), rcd_continue() or rcd_cut()
 *
 * Bounds what lines that hit may have taken of the cache between a line's miss and its re-miss.
 * Without it for a whole burst, that is unknown.
 */
void rcd_accesses(struct rcd_stream *stream, uint64_t lines, uint64_t samples);

/**
 * rcd_spread() - what follows are single samples, far apart.
 *
 * Distances count samples; re-misses do not exist.
 */
void rcd_spread(struct rcd_stream *stream);

/* What a source that sees every reference knows of a miss. */
enum rcd_class {
	RCD_CLASS_UNKNOWN,	/* nothing: conflicts are estimated from re-misses */
	RCD_CLASS_OPEN,	/* a conflict or not: the line was last used before the burst, if ever */
	RCD_CLASS_OTHER,	/* a fully associative cache misses, too */
	RCD_CLASS_CONFLICT,	/* it hits */
};

/**
 * rcd_add() - one sampled miss.
 * @set: its set, < sets
 * @line: its line's number
 * @class: of all misses of a context RCD_CLASS_UNKNOWN, or of none; of a stream likewise
 *
 * Return: 0, or -ENOMEM, after which only rcd_free() may follow.
 */
int rcd_add(struct rcd_stream *stream, struct rcd_context *context, uint32_t set, uint64_t line,
	    enum rcd_class class);

/* What misses with a class are. */
enum rcd_kind {
	RCD_SAMPLED,
	RCD_COUNTED,		/* in what rcd_set_counted() tells, too */
	RCD_SHORT,		/* of bursts that may not fill the cache: most of what is certain
				 * in them are conflicts, so they are no sample of the misses
				 */
	RCD_KINDS
};

/**
 * rcd_weigh() - what each miss and saved hit of the burst stands for, in any unit.
 * @weight: > 0; 1 until it is set, for all bursts of the stream
 * @kind: until it is set RCD_SAMPLED
 *
 * The share of conflicts is weighted; counts of samples are not.
 */
void rcd_weigh(struct rcd_stream *stream, double weight, enum rcd_kind kind);

/* References that are no certain misses. */
struct rcd_hits {
	uint64_t saved;			/* hits that a fully associative cache would miss */
	uint64_t unknown;		/* such, or misses without a conflict: it is not known */
	uint64_t open;			/* hits, or misses of any class: nothing is known */
};

/**
 * rcd_add_hits() - what else there is of a context in such a stream.
 *
 * Hits saved make up for conflicts of the context; what is not known widens its interval.
 * Outside of bursts nothing is counted before the context's first miss since rcd_finish(). To be
 * called for each context around, too.
 *
 * Return: as rcd_add().
 */
int rcd_add_hits(struct rcd_stream *stream, struct rcd_context *context,
		 const struct rcd_hits *hits);

/* So far: misses, and those of them that cf counts. */
void rcd_counts(const struct rcd_context *context, uint64_t *samples, uint64_t *near);

/* Whether the miss that rcd_add() added last is one of those that cf counts. */
bool rcd_was_near(const struct rcd_stream *stream);

/**
 * rcd_add_around() - count the miss that rcd_add() added last for a context around its own, too.
 * @set: the same
 *
 * A miss is one event of the stream, however many contexts it is counted for. To be called at once
 * after rcd_add(), for each context around.
 *
 * Return: as rcd_add().
 */
int rcd_add_around(struct rcd_stream *stream, struct rcd_context *context, uint32_t set);

struct wire;

/**
 * rcd_context_wire() - writes what a context counted, or adds to it what another one did.
 *
 * After rcd_finish(). Reading, the other's bursts come after the context's own; its cache must be
 * the same.
 *
 * Return: 0, or -ENOMEM.
 */
int rcd_context_wire(struct rcd_context *context, struct wire *wire);

/*
 * Closes the open bursts and frees the streams. To be called before the results are read; new
 * streams may follow, and then it is to be called again.
 */
void rcd_finish(struct rcd *rcd);

enum rcd_verdict {
	RCD_UNDECIDED,		/* too few samples */
	RCD_NONE,
	RCD_CONCENTRATED,	/* few sets at a time, but full associativity misses too */
	RCD_CONFLICT,		/* too many lines compete for a set */
};

/* "undecided", "none", "concentrated", "conflict": the words of `report --json`. */
const char *rcd_verdict_name(enum rcd_verdict verdict);

/* Why a verdict is undecided. */
enum rcd_reason {
	RCD_DECIDED,
	RCD_FEW_SAMPLES,
	RCD_SHORT_BURSTS,	/* or too few long ones: longer distances exist, unseen */
	RCD_LOST_MISSES,	/* fewer than half of the bursts' misses were recorded */
	RCD_WIDE_INTERVAL,	/* the conflict share's interval spans the boundary */
	RCD_HITS_BETWEEN,	/* and only because lines that hit may have filled the cache */
	RCD_OPEN_CLASSES,	/* and only because of misses whose class is open */
	RCD_REASONS
};

/* A phrase for people; NULL for RCD_DECIDED. */
const char *rcd_reason_text(enum rcd_reason reason);

struct rcd_summary {
	uint64_t samples;
	uint64_t burst_samples;		/* of them inside bursts */
	uint32_t sets_used;		/* 0 = unknown: all samples are of short bursts */
	uint32_t threshold;		/* longest RCD that cf counts */
	double cf;			/* misses with RCD <= threshold / all misses; it and the
					 * next two are NAN if all samples are of short bursts
					 */
	double expected_cf;		/* the same under the null, burst edges counted in */
	double p_value;			/* of a cf as high as this, or higher, under the null */
	bool exact;			/* classes were given: the conflict share is counted, net */
	uint64_t counted;		/* misses that the share is of, all counted; 0 = not all */
	double open_share;		/* of the misses, those whose class is open */
	double gross_share;		/* conflicts / misses; conflict_share is less the next */
	double saved_share;		/* hits that a fully associative cache misses / misses */
	bool has_conflict_share;	/* false without bursts: the next three mean nothing */
	double conflict_share;		/* estimate; of exact classes, open ones count as none */
	double conflict_low;		/* 95% interval, resampled by whole bursts */
	double conflict_high;
	double pressure;		/* misses on a set between a line's miss and re-miss, over
					   an equal share of them; NAN = none, or unknown */
	double set_lines;		/* lines that take turns in a set: misses on it between a
					   line's miss and re-miss, and itself, in the mean; NAN
					   likewise */
	double concentration;		/* 0 = sets used equally .. 1 = one; mean over windows */
	double expected_concentration;	/* the same under the null */
	double captured;		/* recorded part of the bursts' misses */
	enum rcd_verdict verdict;
	enum rcd_reason reason;		/* of an undecided one */
};

/*
 * Is the conflict share known? An interval of 0 to 100% excludes nothing: where there are few
 * bursts, or short ones, views show the share as unknown.
 */
static inline bool rcd_share_known(const struct rcd_summary *summary)
{
	return summary->has_conflict_share &&
	       (summary->conflict_low >= 0.005 || summary->conflict_high < 0.995);
}

/* Misses of a context that were counted whether they were sampled or not, with their classes. */
struct rcd_counted {
	uint64_t misses;
	uint64_t conflicts;		/* of them */
	uint64_t saved;			/* hits that a fully associative cache misses */
};

/*
 * What was counted stands in for those samples with classes that were counted, too, if it is half
 * of the misses at least that these stand for: of what was killed less may have come. That is not
 * asked after rcd_counts_are_whole(): what the samples of one context stand for is known roughly.
 */
void rcd_set_counted(struct rcd_context *context, const struct rcd_counted *counted);

/* The counts of all contexts together are about as many misses as their samples stand for. */
void rcd_counts_are_whole(struct rcd *rcd);

/* The misses that those samples stand for that were counted, too. */
double rcd_counted_weight(const struct rcd_context *context);

/* What a context's samples say, after rcd_finish(). */
void rcd_summarize(const struct rcd_context *context, struct rcd_summary *summary);

struct rcd_point {
	uint32_t rcd;
	double share;			/* misses with this RCD or a shorter one */
};

/**
 * rcd_cdf() - a context's cumulative distribution of RCD, corrected for burst edges.
 * @points: filled with the distances that occur, ascending
 * @most: room in @points; distances are thinned out evenly in log scale beyond it
 *
 * Return: points filled.
 */
size_t rcd_cdf(const struct rcd_context *context, struct rcd_point *points, size_t most);

/* A context's misses on one set, and those of them that cf counts. */
struct rcd_set {
	uint64_t misses, near;
};

/* By set, of all slices; NULL unless rcd_by_set() was called. near / all misses = cf(set, context),
 * the paper's equation 1; the sum over sets is cf.
 */
const struct rcd_set *rcd_sets(const struct rcd_context *context);

/* Conflict periods that extend over @least to 2 x @least - 1 of the context's misses. */
struct rcd_period {
	uint64_t least;
	uint64_t runs;
	uint64_t ended;	/* of them, those whose end was seen: not that of the burst */
	uint64_t misses;		/* in them */
	uint64_t near;			/* of these, those that cf counts */
};

#define RCD_PERIODS 33

/**
 * rcd_periods() - a context's conflict periods by length, ascending.
 * @periods: room for RCD_PERIODS
 *
 * A run of n RCDs of d extends over n x d misses of the context. The first miss of a set in a
 * burst has no RCD and is in none.
 *
 * Return: lengths filled, those that occur.
 */
size_t rcd_periods(const struct rcd_context *context, struct rcd_period *periods);

/* P(RCD <= k), of slices as rcd_new_sliced() has them. */
double rcd_null_sliced(uint32_t sets, uint32_t slices, const double *shares, uint32_t k);

#endif /* CCSAMPLE_RCD_RCD_H */
