/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of this room only. */
#ifndef CCSAMPLE_RCD_INTERNAL_H
#define CCSAMPLE_RCD_INTERNAL_H

#include "base/exact-sum.h"
#include "rcd/interval.h"
#include "rcd/rcd.h"

#define RCD_LONGEST	4096	/* longer distances and sub-streams are lumped together */
#define RCD_DIRECT	1024	/* sets up to which a table has a slot for each */
#define REMISS_NEAR	24	/* ranges of re-miss distance below the lines of the cache */
#define REMISS_BEYOND	6	/* and beyond */
#define REMISS_BINS	(REMISS_NEAR + REMISS_BEYOND)
#define ROWS_MOST	(1u << 17)	/* most lines of a cache for a table by set */
#define PRESSURE_SETS	4096u	/* most counters of sets in a stream */
#define REMISS_GROUPS	32	/* groups of bursts that the interval is resampled from */

/* A set in one context's sub-stream. */
struct set_slot {
	uint32_t set;
	uint32_t last;		/* index of its last miss; stale when <= the strand's base */
	uint32_t count;		/* in this window; stale when last <= window_base */
	uint32_t rcd;		/* of its last miss; 0 = the first one */
	uint32_t run;		/* misses up to that one with this distance */
};

/* Runs of one distance on one set, by misses that they extend over: 2^n to 2^(n+1) - 1. */
struct period_bin {
	uint64_t runs;
	uint64_t ended;		/* of these, by a miss at another distance */
	uint64_t misses;	/* in these runs */
	uint64_t near;		/* of them, those that cf counts */
};

#define PERIOD_BINS	33


/* Table of sets: a slot for each, or hashed. Stale slots are as good as empty. */
struct set_table {
	struct set_slot *slots;
	uint32_t capacity;
	uint32_t used;		/* slots not stale, of a hashed table */
	bool hashed;
};

struct class_sums {
	uint32_t classed;		/* misses given with their class */
	/* Weighted: */
	double weight;			/* these misses */
	double open, conflicts;		/* of them */
	double saved;			/* hits that a fully associative cache misses */
	double unknown_saved;		/* what may be such hits */
	double unknown_conflicts;	/* what may be conflicts, and is in no other sum */
};

/* Re-misses by distance, of one context in one group of bursts; each as what it stands for. */
struct remiss_group {
	double look[REMISS_BINS + 1];	/* samples by bins that their past covers */
	double again[REMISS_BINS];	/* re-misses by bin, if covered */
	double perhaps[REMISS_BINS];	/* the same, of lines that others' hits may have evicted */
	struct class_sums sums[RCD_KINDS];
};

/* One context's part of one stream; of one burst, where there are bursts. */
struct strand {
	struct rcd_context *context;
	struct strand *next;		/* of the stream's, or of the spare ones */
	struct remiss_group *group;	/* NULL outside bursts */
	uint32_t reach;			/* bins covered at most, where the burst was cut */
	struct set_table table;
	uint32_t base;			/* index before the first miss */
	uint32_t index;			/* of the latest miss; goes on in the next burst */
	uint32_t window_base;		/* index before the window's first miss */
	uint32_t window_length;
	uint32_t piece_end;		/* index at which another group begins */
	uint32_t classed;		/* misses with a class in this burst, or piece of it */
	bool alone;			/* of classes: distances are not asked for */
	double chance;			/* of the sets among the last `threshold` misses, summed */
	uint32_t turn;			/* index modulo the threshold */
	double *latest;			/* its set's chance, by this; 0 = missed again */
};

struct line_slot {
	uint64_t line;
	double clock;			/* of its last miss; stale when below the burst's origin */
	uint32_t samples;		/* of the stream, up to that miss */
	uint32_t in_set;		/* those of its set */
	double accesses;		/* accesses of the cache up to it, INFINITY = unknown */
};

/* Whether a fully associative cache would have kept a line. */
enum kept { KEPT_NOT, KEPT_PERHAPS, KEPT_SURELY };

/* What the stream's latest miss was in the eyes of a fully associative cache. */
struct seen_miss {
	bool again;			/* its line missed before within the cache's lines */
	enum kept kept;			/* if the distance was there to be seen */
	uint32_t bin;			/* of the distance */
	double between;			/* samples between the two misses */
	double in_set;			/* those of the set */
};

struct rcd_stream {
	struct rcd *rcd;
	struct rcd_stream *next;
	bool burst;
	struct strand *strands;		/* active */
	struct strand **map;		/* the same, hashed by context */
	uint32_t map_capacity;
	uint32_t active;
	double step;			/* lines brought in for a sample */
	double weight;			/* misses for a sample */
	double accesses_step;		/* accesses for a sample, INFINITY = unknown */
	double accesses;		/* accesses in this burst so far */
	double end_share;		/* bursts for a sample */
	double clock;			/* lines brought in so far */
	double origin;			/* clock at the burst's first sample */
	uint32_t covered;		/* bins that the burst's past covers */
	struct line_slot *lines;
	uint32_t line_capacity;
	uint32_t line_used;
	bool classed;			/* misses come with their class */
	enum rcd_class class;		/* of the latest miss */
	double stands_for;		/* what a miss of this burst counts in shares */
	enum rcd_kind kind;		/* ... and of one with a class, what it is */
	struct seen_miss seen;		/* by remiss_see() */
	bool near;			/* the latest miss, in its own context */
	uint32_t samples;		/* in bursts; these two may wrap */
	uint32_t *in_set;		/* by set modulo PRESSURE_SETS */
	uint64_t *rows;			/* by set: `ways` + 1 lines, last to miss first; or NULL */
	uint64_t *marks;		/* ring of samples, a bit each: its line's latest miss */
	uint32_t *mark_counts;		/* bits set in each block of the ring */
	uint32_t mark_mask;		/* samples in the ring - 1 */
	uint32_t mark_first, mark_last;	/* samples that were noted since recent_clear() */
	bool marked;			/* any was */
};

struct rcd_context {
	struct rcd *rcd;
	struct rcd_context *next;
	uint32_t id;
	uint64_t samples;		/* whose distances count, if any do */
	uint64_t short_samples;		/* others: RCD_SHORT */
	uint64_t samples_before;	/* at the last rcd_finish() */
	uint64_t burst_samples;
	struct exact_sum burst_misses;	/* that the burst samples stand for */
	struct exact_sum burst_ends;	/* of these: the last of each burst */
	bool cut;			/* a burst was, while the context had misses in it */
	bool classed;			/* misses came with their class */
	/* ... by kind: */
	double saved[RCD_KINDS];	/* hits saved between single samples: of no group */
	double alike[RCD_KINDS];	/* misses of bursts or pieces, squared, summed */
	bool refilled[RCD_KINDS];	/* as many in one burst as the cache has lines */
	/* RCD and its null */
	uint64_t near;			/* RCD <= threshold */
	struct exact_sum sum_chance;	/* chance of a set among the last ones, over samples */
	struct exact_sum sum_chance2;	/* of its square */
	struct exact_sum expected_near;	/* of closed strands */
	uint32_t *distances;		/* by RCD; RCD_LONGEST + 1 = longer */
	uint32_t *lengths;		/* closed strands by length */
	uint32_t capacity;		/* of both */
	uint64_t long_strands;		/* longer than RCD_LONGEST */
	uint64_t long_samples;
	uint32_t sets_used;
	uint64_t **pages;		/* bitmap of sets used, in pages */
	struct rcd_set *by_set;		/* NULL = not asked for */
	struct period_bin *periods;	/* as many as were reached: most contexts need few */
	uint32_t period_bins;
	/* concentration, over closed windows */
	uint64_t windows;
	uint64_t window_samples;
	struct exact_sum window_excess;
	struct exact_sum window_expected;
	struct rcd_counted counted;
	/* re-misses */
	uint32_t bursts;
	uint32_t reach[REMISS_BINS + 1];	/* bursts by bins covered at their end */
	double looks, squares;		/* what its samples stand for, summed; squared */
	struct remiss_group **groups;	/* REMISS_GROUPS at most: most contexts have few */
	uint32_t group_room;
	uint64_t between;		/* re-misses that the next two are sums over */
	double between_in_set;		/* samples in a line's set between its miss and re-miss */
	struct exact_sum between_by_chance;	/* as many as its set's share of all would be */
};

struct rcd {
	uint32_t sets;			/* of all slices */
	uint32_t slices;
	uint32_t slice_sets;
	double *shares;			/* of the lines, by slice */
	double *pressure_shares;		/* the same, by counter of sets */
	uint32_t ways;
	uint32_t threshold;		/* longest RCD that cf counts */
	bool by_set;			/* contexts count by set, too */
	bool classes_alone;		/* distances of misses with a class are not asked for */
	bool stores_apart;		/* misses of stores are in streams of their own */
	bool weights_are_misses;	/* rcd_weigh() says how many a sample stands for */
	bool counts_are_whole;		/* none were lost */
	double lines;			/* that the cache holds */
	uint32_t contexts;
	struct rcd_context *context_list;
	struct rcd_stream *stream_list;
	struct strand *spare;
	double near;			/* P(RCD <= threshold) under the null */
	double *ramp;			/* short distances expected in the first n misses */
	uint32_t bins;			/* of re-miss distance */
	uint32_t near_bins;		/* of them below the lines of the cache */
	uint64_t edges[REMISS_BINS];	/* last distance of each */
	uint8_t octave[65];		/* first bin that may hold a distance of so many bits */
	uint32_t piece;			/* own misses after which a burst counts as two */
	uint32_t window_least;		/* shortest window worth a look */
	uint32_t excess_length;		/* length that the next is known for */
	double excess;
};

/* The chance of a set under the null. */
static inline double rcd_chance(const struct rcd *rcd, uint32_t set)
{
	return rcd->shares[set / rcd->slice_sets] / rcd->slice_sets;
}

/* Room for distances and lengths up to @most; for so many bins. Return: 0, or -ENOMEM. */
int histogram_grow(struct rcd_context *context, uint32_t most);
int periods_grow(struct rcd_context *context, uint32_t bins);

/* strands.c */
void strands_free(struct strand *strand);

/* The context's strand of the stream, opened if need be; NULL when out of memory. */
struct strand *strand_of(struct rcd_stream *stream, struct rcd_context *context);

/* Counts a strand once its length is known; then it may begin again. */
void strand_count(struct rcd *rcd, struct strand *strand);
void strand_begin(const struct rcd *rcd, struct strand *strand);

/* Its misses go to the context's next group of bursts from here on. */
int strand_next_piece(const struct rcd_stream *stream, struct strand *strand);

/* The burst is over. */
void strands_close(struct rcd_stream *stream);

/* Their distances start again; the burst's group is kept. */
void strands_cut(struct rcd_stream *stream);

/* sets.c */
#define PAGE_BITS	4096u		/* sets of a page */
int set_table_init(struct set_table *table, uint32_t sets);
void set_table_forget(struct set_table *table);

/* The set's slot, stale or not; NULL when out of memory. @base: slots up to it are stale. */
struct set_slot *set_table_find(struct set_table *table, uint32_t set, uint32_t base);
int set_mark(struct rcd_context *context, uint32_t set);

/* Words of a page; NULL when out of memory. */
uint32_t set_page_words(const struct rcd_context *context);
uint64_t *set_page(struct rcd_context *context, uint32_t page);

/* periods.c: a miss of the set, @distance after the one before; 0 = the first. 0, or -ENOMEM. */
int period_count(struct rcd_context *context, struct set_slot *slot, uint32_t distance);

/* recent.c: which lines missed since a line did */
int recent_open(struct rcd_stream *stream);
size_t recent_size(const struct rcd *rcd);	/* of one stream */
void recent_close(struct rcd_stream *stream);

/* A burst begins. */
void recent_clear(struct rcd_stream *stream);

/* Distinct lines of its set that missed since @line did, at most `ways` + 1. It is the newest then.
 */
uint32_t recent_in_set(struct rcd_stream *stream, uint32_t set, uint64_t line);

/* Distinct lines that missed since sample number @since, whose line misses again. */
uint32_t recent_forget(struct rcd_stream *stream, uint32_t since);

/* A line missed at sample number @sample, the newest. */
void recent_note(struct rcd_stream *stream, uint32_t sample);

/* null.c */
double beta_regularized(double x, double a, double b);
double null_tail(double count, double mean, double variance);
double binomial_excess(uint32_t trials, double p);

/* remiss.c */
struct remiss {
	double share;
	double low;
	double high;
	double high_by_misses;	/* were no line evicted by others' hits */
	double low_with_hits;	/* were none of those that may be */
	bool whole;		/* bursts were long enough to see all distances */
};

int remiss_init(struct rcd *rcd);
size_t remiss_size(const struct rcd *rcd);	/* of one stream, without the lines it has seen */
struct remiss_group *remiss_group(struct rcd_context *context);

/* The group of that number, < REMISS_GROUPS; made if there was none. NULL when out of memory. */
struct remiss_group *remiss_group_at(struct rcd_context *context, uint32_t number);

/* The stream's next miss, whosever it is; then it is counted for each context. */
int remiss_see(struct rcd_stream *stream, uint32_t set, uint64_t line);
void remiss_count(const struct rcd_stream *stream, struct strand *strand, uint32_t set);

/* How many times its share of the misses a set took between a line's miss and re-miss; or NAN. */
double remiss_pressure(const struct rcd_context *context);

/* Lines that take turns in a set, the mean over re-misses; or NAN. */
double remiss_set_lines(const struct rcd_context *context);

/* remiss-share.c; @even: the context uses the sets evenly */
void remiss_estimate(const struct rcd_context *context, bool even, struct remiss *estimate);

/* classes.c: the same of misses given with their class */
void classes_count(struct strand *strand, const struct rcd_stream *stream);

/* Misses that were counted, if they decide; @all: if nothing else does. */
uint64_t classes_counted(const struct rcd_context *context, bool all);

/* A miss: those whose class is open, conflicts, hits saved. */
struct class_shares {
	double open, conflicts, saved;
};

struct class_shares classes_estimate(const struct rcd_context *context, struct remiss *estimate);

/* interval.c */
/* Half the width of that which leaving out each group in turn gives. @size: what each counts */
double jackknife_half(const double *share_without, const double *size, uint32_t groups);

/* concentration.c */
uint32_t window_length(const struct rcd *rcd, double step);
void window_close(struct rcd *rcd, struct strand *strand);

#endif /* CCSAMPLE_RCD_INTERNAL_H */
