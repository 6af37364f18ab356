/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one pass over a recording finds: everything that `report` and `plot`
 * show, and nothing about how it is shown.
 */
#ifndef CCSAMPLE_FINDINGS_FINDINGS_H
#define CCSAMPLE_FINDINGS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bursts/burst-weights.h"
#include "rcd/spread.h"
#include "cachesim/geometry.h"
#include "cachesim/slices.h"
#include "format/format.h"
#include "loops/region.h"
#include "space/space.h"
#include "rcd/rcd.h"
#include "rcd/set-map.h"

struct cache_level {
	struct cache_geometry geometry;	/* of one slice */
	uint32_t level;			/* 1, 2, 3 */
	uint32_t slices;
	const struct slice_hash *hash;	/* NULL = one slice, or the hash is unknown */
	bool physical;			/* indexed by physical address */
	bool simulated;
};

/* One sampled event: what it counted and what became of its samples. */
struct event_totals {
	uint32_t id;
	uint32_t level;			/* cache level, 0 = none */
	char name[33];
	uint64_t period;		/* mean events a sample */
	uint64_t spread;
	uint32_t burst;			/* most samples of a burst, 1 = single samples */
	uint64_t samples;
	uint64_t events;		/* true events, sampled or not, as many as are known */
	uint64_t covered;		/* of them, those in batches and the gaps before them */
	uint64_t bursts;
	uint64_t cuts;			/* of them, by interrupts and task switches */
	double stands_for;		/* events that its samples stand for, by their periods */
	uint64_t burst_samples, burst_events;	/* of bursts: sampled, and that there were */
	double batch_squares;		/* of bursts: samples of each batch, squared */
	uint64_t lost;
	uint64_t foreign;
	uint64_t no_address;
	uint64_t unresolved;		/* samples without a known set: no physical address,
					 * slice or geometry
					 */
	uint64_t unnamed;		/* samples whose code has no name */
	bool uncounted;			/* what its bursts missed is unknown: no counter was left */
	bool no_accesses;		/* its cache's accesses were not counted either */
	bool sees_stores;		/* misses of stores are samples, too, not of loads alone */
	bool no_loads;			/* ... and of loads none */
	bool made;			/* from bursts of references: period, events and covered
					 * mean nothing
					 */
	bool classes;			/* each miss has its class */
	uint64_t stores;		/* samples of instructions that only write */
	uint64_t both;			/* that read and write */
	uint64_t by_class[4];		/* by enum ccs_class, where a source gives it */
};

/*
 * A ratio and its interval, 95%. How often loads and stores miss, but for those whose outcome is
 * unknown: by the spread between bursts, with the unknown as hits at the lower end, as misses at
 * the upper, and code that no burst met as none or many.
 */
struct miss_ratio {
	double low, ratio, high;	/* all NAN = unknown */
};

#define FINDINGS_PARTS 4		/* most parts shown for an object */

/* A member or sub-array. */
struct part_share {
	const char *name;		/* "[].x", "[2]": written behind the object's name */
	double share;			/* of the context's samples on the object */
	uint32_t number;		/* in the object's layout */
};

/* Samples of a context on an object. */
struct object_share {
	const struct object *object;
	double share;			/* of the context's samples */
	uint64_t stride;		/* bytes between an instruction's misses, 0 = irregular */
	uint64_t steps;			/* distances that this was seen in */
	struct part_share parts[FINDINGS_PARTS];	/* largest first */
	size_t part_count;
};

/* Two objects in the same sets; the same one twice: it conflicts with itself. */
struct pair_share {
	const struct object *a, *b;
	double share;			/* of the context's re-misses whose evictors were seen */
	bool blocks;			/* the same object, but two of its blocks */
};

#define FINDINGS_PAIRS 8		/* most pairs shown for a context */
#define FINDINGS_OBJECTS 32		/* most objects shown for a context */

struct model_entry;

/* What a context shows at one cache level. */
struct level_findings {
	uint32_t level;
	uint64_t samples;
	struct spread_findings spread;	/* of the share, over recordings */
	struct spread_findings cf_spread;	/* of cf, over those in which it has misses */
	uint64_t re_misses;		/* of them, in bursts; conflicts where classes are known */
	double writes, both;		/* shares by instructions that write, that read and write */
	double share;			/* of the level's samples */
	struct interval share_interval;	/* ... by the spread between bursts; high 0 = not known */
	struct rcd_summary summary;
	const struct model_entry *model;	/* of the paper's classifier; NULL = none fits */
	double model_chance;		/* of a conflict, by the model */
	struct rcd_point *cdf;
	size_t cdf_points;
	struct rcd_period *periods;	/* conflict periods by length */
	size_t period_count;
	const struct rcd_set *by_set;	/* by set, where asked for; or NULL */
	struct object_share *objects;	/* of this level's samples, largest first */
	size_t object_count;
	struct pair_share *pairs;	/* largest first */
	size_t pair_count;
	double between;			/* share of all pairs, shown or not, of two of them */
};

/* What a context and the loops in it show together at one cache level. */
struct nest_findings {
	uint32_t level;
	uint64_t samples;
	double share;			/* of the level's samples */
	struct rcd_summary summary;	/* of all of them as one stream of misses */
	struct object_share *objects;	/* of these samples, largest first */
	size_t object_count;
	bool combined;			/* in conflict, and no loop in it is by itself */
};

/* A line that a context misses on. */
struct line_share {
	const char *file;		/* NULL = unknown */
	uint32_t line;
	double share;			/* of the context's samples */
};

#define FINDINGS_LINES 8		/* most lines shown for a context */

/* What is known of a region; its own samples are those of no loop in it. */
struct context {
	struct code_region region;	/* ids in order of samples; stable within a recording */
	size_t number;			/* in the pass */
	uint64_t samples;		/* of all levels */
	double share;
	struct nest_findings *nests;	/* of the levels that it or a loop in it has samples of */
	size_t nest_count;
	struct level_findings *levels;
	size_t level_count;
	struct object_share *objects;	/* of all samples, largest first */
	size_t object_count;
	struct line_share *lines;	/* the same */
	size_t line_count;
};

#define FINDINGS_LEVELS 3

/* What is known of an object at one cache level. */
struct object_level {
	uint64_t samples;
	double share;			/* of the level's samples */
	uint32_t sets_used;		/* 0 = unknown, as in rcd_summary */
};

struct object_findings {
	const struct object *object;
	uint64_t samples;		/* of all levels */
	double share;
	struct object_level levels[FINDINGS_LEVELS];	/* by level - 1 */
};

/* Exact totals of a level beyond L1, of all processes. */
struct level_totals {
	bool known;
	uint64_t load_misses;
	uint64_t store_misses;
	uint64_t unresolved;		/* accesses there whose set was not known */
};

/* How long a program took. */
struct run_times {
	bool known;
	uint32_t runs;			/* without ccsample; these are medians; 0 = as recorded */
	uint64_t wall_ns, user_ns, system_ns;
};

/* How the machine was set while it was recorded: a knob of `ccsample lab` and its state. */
struct lab_fact {
	char *name, *value;
	bool varies;			/* in another recording it was set otherwise */
};

/* Something that the reader must know before trusting the numbers. */
struct remark {
	char *text;
	bool unread;			/* of a file that names cannot be read from */
};

struct findings {
	char *path;
	const char *version;			/* of the ccsample that recorded */
	const char *source;			/* "engine", "pebs", "bursts", "perf.data" */
	const char *cpu;
	const char *kernel;
	const char *start;			/* UTC */
	const char *clock;			/* unit of time */
	char **command;			/* NULL-terminated */
	uint64_t recordings;		/* that these are findings of */
	uint64_t incomplete;		/* of them cut short or damaged */
	uint64_t other_programs;	/* of them of another program, machine or model of pages
					 * than the first, which is described here
					 */
	uint64_t other_machines, other_pages;
	struct spread_findings spread[FINDINGS_LEVELS];	/* of samples; by level - 1 */
	bool whole;			/* all recordings were finished and undamaged */
	uint64_t duration_ns;		/* of the longest, 0 = unknown */
	struct run_times baseline;	/* the program without ccsample */
	struct run_times recorded;	/* the run recorded, the source's work in it */
	uint64_t samples;
	uint64_t processes;
	uint64_t instructions;		/* totals of all processes, 0 = unknown */
	uint64_t loads;
	uint64_t stores;
	uint64_t load_misses;
	uint64_t store_misses;
	struct level_totals outer[FINDINGS_LEVELS - 1];	/* L2, L3 */
	const char *overhead;		/* as record was told, "20%"; NULL = not */
	struct burst_totals bursts;
	struct burst_totals long_bursts;	/* those that are run through L2; all their
						 * references as loads
						 */
	/* of all code as one, but of bursts, whose totals have it; by level - 1 */
	struct rcd_summary program[FINDINGS_LEVELS];
	/* of the misses of L1, L2 that code without conflicts has; .high 0 = not known */
	struct interval clean[2];
	const struct cache_level *recorded_l1;	/* where another L1 was asked for; NULL */
	struct lab_fact *lab;		/* as recorded */
	size_t lab_count;
	const char *pages;		/* where pages lie: "real", a model; NULL = unknown */
	struct cache_level *caches;
	size_t cache_count;
	struct event_totals *events;
	size_t event_count;
	struct context *contexts;	/* most samples first */
	size_t context_count;
	struct object_findings *objects;	/* most samples first */
	size_t object_count;
	struct remark *remarks;		/* losses, cuts, missing names: one line each */
	size_t remark_count;
	struct set_map map;		/* of the level asked for */
	uint32_t threshold;		/* of cf, that was asked for; 0 = each level's ways */
	void *owner;			/* what the pointers above lead into */
};

struct miss_row;			/* findings/misses.h */
struct whole_burst;			/* findings/bursts.h */
struct hierarchy_plan;			/* cachesim/hierarchy.h */
struct page_plan;			/* cachesim/pages.h */

/* How a recording is shown while it is written. */
struct following {
	double seconds;			/* at least, from one time to the next */
	/*
	 * Shows what was found so far, in a process of its own, which ends with it. Return: 0, or
	 * -1 after one line
	 */
	int (*show)(void *context, struct findings *findings);
	void *context;
};

struct analysis_options {
	bool map;			/* fill in findings->map */
	uint32_t map_level;		/* its level, 0 = the first sampled */
	uint32_t map_context;		/* only this context's misses, 0 = all */
	/*
	 * The L1 and L2 to ask recorded references for, in place of the machine's (an L3 is
	 * not looked at); NULL = the machine's. Recordings of samples have an answer for one only.
	 */
	const struct hierarchy_plan *caches;
	const struct page_plan *pages;	/* of recorded references, beyond L1; NULL = random:1 */
	uint64_t read_most;		/* references: bursts/burst-choice.h; 0 = the usual */
	uint32_t threshold;		/* longest RCD that cf counts, 0 = each level's ways */
	bool by_set;			/* contexts' misses by set, too */
	bool from_entry;		/* without what loaders do, where that is known */
	bool quick;	/* verdicts alone: no names of data, no evidence, no separate debug files */
	const struct following *following;	/* of one recording; NULL = as it is now */
	/* Called for each sample, in the order of the recording; may be NULL. */
	void (*each)(void *context, const struct miss_row *miss);
	bool references_alone;	/* but for @burst bursts are passed over: no misses are found */
	/* Called for each burst of references, after the misses in it; may be NULL. */
	void (*burst)(void *context, const struct whole_burst *burst);
	const char *wrappers;		/* functions that only allocate for their callers */
	void *context;
};

/**
 * analyze_recordings() - one pass over recordings (two for the set map of one context).
 * @names: files, "-" for standard input, or quoted patterns of files ("run.*.ccs")
 * @options: NULL = defaults
 *
 * Several are taken for the ranks of one parallel run: they must have the same caches, events and
 * source. Memory is bounded by contexts (1 to 75 KiB each), instructions, objects, pairs of these
 * that met, and of one recording live blocks, and of each thread about 100 bytes; not by samples or
 * recordings.
 *
 * Return: the findings, or NULL after one line on standard error.
 */
struct findings *analyze_recordings(const char *const *names, size_t count,
				    const struct analysis_options *options);

/* The same of one name. */
struct findings *analyze_recording(const char *name, const struct analysis_options *options);
void findings_free(struct findings *findings);

/*
 * Notes remarks on standard error, where what is shown has no room for them: all, or only those of
 * files that names cannot be read from.
 */
void findings_say_remarks(const struct findings *findings, bool all);

/* Frees what a context holds. */
void context_drop(struct context *context);

/* Samples of a level, of all its events. */
uint64_t level_samples(const struct event_totals *events, size_t count, uint32_t level);

/* Sets of all slices. */
static inline uint32_t cache_level_sets(const struct cache_level *cache)
{
	return cache->geometry.sets * cache->slices;
}

/**
 * cache_level_shares() - what part of all lines lies in each slice.
 * @shares: room for SLICES_MAX
 *
 * Return: the number of slices.
 */
uint32_t cache_level_shares(const struct cache_level *cache, double *shares);

/**
 * findings_counted() - a level's misses that its event counts, sampled or not, if all were.
 * @misses: set if so
 */
bool findings_counted(const struct findings *findings, uint32_t level, uint64_t *misses);

/* The share of a level's misses that its event does not see: those of stores. NAN = unknown. */
double findings_unseen(const struct findings *findings, uint32_t level);

/* Why what bursts tell of a level may be anything, but that L2 misses no more often than L1. */
enum ratio_doubt {
	RATIO_SURE,			/* it may not */
	RATIO_NO_BURST,			/* none is long enough */
	RATIO_UNFILLED,			/* they are too short: what misses is hardly known */
	RATIO_ONE_BURST,
	RATIO_DIFFER,			/* they differ, one from another */
};

enum ratio_doubt findings_ratio_doubt(const struct findings *findings, uint32_t level);

/*
 * Of bursts of references: of L1, of L2. All NAN = unknown: nothing was counted (there are no long
 * ones), or its interval is 0 to 1, and excludes nothing. All views have it from here.
 */
struct miss_ratio findings_miss_ratio(const struct findings *findings, uint32_t level);

/*
 * How many of all misses of a level are conflicts, net of hits saved; 95%, with code that no burst
 * met as none or all. All NAN = unknown: no such misses, or an interval of 0 to 1.
 */
struct miss_ratio findings_conflicts(const struct findings *findings, uint32_t level);

/*
 * How many of all references would hit in a level, and miss today, if there were no conflicts: what
 * layouts of data could gain. From the ends of both intervals; all NAN = one is unknown.
 */
struct miss_ratio findings_worth(const struct findings *findings, uint32_t level);

/* The bursts that answer for a level. */
const struct burst_totals *findings_bursts(const struct findings *findings, uint32_t level);

/* Might a fifth more miss, or more, of what the cache may have held before each burst? */
bool findings_unknown_matters(const struct burst_totals *bursts);

/* What tells more than these findings' bursts, as the subject of a sentence. */
const char *findings_more_bursts(const struct findings *findings);

/**
 * findings_burst_levels() - the levels that this recording's bursts answer for.
 *
 * Return: how many, from L1 outwards: 0, 1 or 2. L2 needs at least one long burst whose references
 * could be run through it; its unknown part is in findings->long_bursts.
 */
uint32_t findings_burst_levels(const struct findings *findings);

/* The first event that samples a level's misses, or NULL. */
const struct event_totals *findings_event(const struct findings *findings, uint32_t level);

/* The state of a knob, NULL = unknown. */
const char *findings_lab(const struct findings *findings, const char *name);

/* The cache of a level, or NULL. */
const struct cache_level *findings_cache(const struct findings *findings, uint32_t level);

/* What a context and the loops in it show at a level, or NULL. */
const struct nest_findings *context_nest(const struct context *context, uint32_t level);

/* A context's findings at a level, or NULL. */
const struct level_findings *context_level(const struct context *context, uint32_t level);

#endif /* CCSAMPLE_FINDINGS_FINDINGS_H */
