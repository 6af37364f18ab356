/* SPDX-License-Identifier: GPL-2.0-only */
/* One pass over a recording's records: what is known while they are read. */
#ifndef CCSAMPLE_FINDINGS_PASS_H
#define CCSAMPLE_FINDINGS_PASS_H

#include "bursts/burst-choice.h"
#include "findings/bursts.h"
#include "space/call-frames.h"
#include "findings/contexts.h"
#include "findings/evidence.h"
#include "findings/findings.h"
#include "findings/parts.h"
#include "findings/places.h"
#include "rcd/spread.h"
#include "findings/streams.h"
#include "base/map.h"

#define PASS_EVENTS	16		/* most events of a recording */
#define PASS_LOST_KINDS	8

/* One cache level that an event counts the misses of. */
struct pass_level {
	const struct cache_level *cache;	/* NULL = no event, or no geometry */
	struct rcd *rcd;
	struct rcd_context *all;		/* of @rcd: all code as one context; of bursts
						 * NULL: their weights come at the end
						 */
	struct rcd_counted counted;		/* the same */
};

struct object_tally {
	uint64_t samples[TALLY_LEVELS];
	double weight[TALLY_LEVELS];
	uint8_t *sets[TALLY_LEVELS];		/* one bit a set */
};

/* Of all processes that have ended. */
struct exact_totals {
	uint64_t instructions, loads, stores, load_misses, store_misses;
	struct level_totals outer[FINDINGS_LEVELS - 1];
};

struct pass {
	struct symbols *symbols;
	struct spaces *spaces;
	struct contexts *contexts;
	struct evidence *evidence;
	struct parts *parts;
	struct call_frames frames;
	struct bursts *bursts;
	struct burst_choices choices;		/* of them, those that are read */
	double burst_weight;			/* of the burst whose misses come */
	enum rcd_kind burst_kind;		/* ... and what they are */
	double sample_weight;			/* of the batch that comes: misses that a sample is
						 * for, where that differs between batches; 1 = it
						 * does not
						 */
	double weight[TALLY_LEVELS];		/* of all samples */
	double weight_before[TALLY_LEVELS];	/* of those in recordings that have ended */

	char *version, *source, *cpu, *kernel, *start, *clock, *pages, *overhead;
	char *hashes[TALLY_LEVELS];		/* names of slice hashes, by level */
	char **command;
	struct lab_fact *lab;
	size_t lab_count, lab_room;
	struct cache_level caches[TALLY_LEVELS];
	size_t cache_count;
	struct cache_level recorded_l1;		/* where another one was asked for; 0 = unknown */
	struct event_totals events[PASS_EVENTS];
	struct streams streams[PASS_EVENTS];
	size_t event_count;
	struct pass_level levels[TALLY_LEVELS];

	struct object_tally *objects;		/* by id */
	size_t object_count;
	struct places places[TALLY_LEVELS];

	struct map pids;			/* by process */
	struct map accesses;			/* process, thread -> next batch's lines + 1 */
	struct map periods;			/* the same -> its period, 0 = its event's */
	struct map counts;			/* process -> struct ccs_counts * */
	struct map entries;			/* process -> struct ccs_entry *, NULL = not yet */
	bool has_entries;			/* the recording says where images begin */
	struct map outer_counts[TALLY_LEVELS];	/* the same, struct ccs_level_counts * */
	struct exact_totals totals;		/* of recordings that have ended */
	uint64_t processes;
	uint64_t samples;
	uint64_t strays;			/* samples of an event that was not declared */
	uint64_t lost[PASS_LOST_KINDS];
	uint64_t unsupported;
	uint64_t unsupported_ip;
	uint64_t duration_ns;
	struct run_times baseline, recorded;

	const struct analysis_options *options;	/* never NULL */
	struct set_map map;
	size_t map_context;			/* context number, SIZE_MAX = all */

	const char *path;			/* of the recording that is read */
	uint64_t records;			/* read so far */

	/* Recordings that are read one after the other: recordings.c. */
	bool several;				/* there are to be more than one */
	uint32_t files;				/* begun */
	char **labels;				/* what they are called */
	size_t label_capacity;
	char *refused;				/* why the current one cannot be added; NULL */
	bool failed;				/* after one line */
	bool cache_here[TALLY_LEVELS];		/* declared by the current one */
	bool event_here[PASS_EVENTS];
	uint32_t hashes_here;
	uint64_t map_shift;			/* added to its times; valid where: */
	bool map_started;
	struct spread_files spread_files[TALLY_LEVELS];
	struct spread spread[TALLY_LEVELS];	/* of samples, by level */
	uint64_t incomplete, skipped;
	uint64_t other_programs, other_machines, other_pages;	/* than in the first */
};

/* @options: not NULL, valid as long as records are taken */
struct pass *pass_new(const struct analysis_options *options);

/* What a recording is of: its caches, its events, what it says of itself; none of its samples. */
int pass_head(struct pass *pass, const char *path);

/* Reads one recording. Return: 0, or -1 after one line, or where pass->refused says why. */
int pass_read(struct pass *pass, const char *path);
void pass_free(struct pass *pass);

/* places.c: what is counted of an object; valid until the next call. */
struct object_tally *pass_object_tally(struct pass *pass, uint32_t id);

/* pass-meta.c, pass-head.c: parts of pass_read(). */
void pass_meta(struct pass *pass, const struct ccs_meta *meta);
void pass_uncounted(struct pass *pass, const struct ccs_meta *meta);
void pass_cache(struct pass *pass, const struct ccs_cache *cache);
void pass_event(struct pass *pass, const struct ccs_event *event);

/* What pass_meta() took. */
void pass_meta_free(struct pass *pass);

/* Bursts come: L1 is simulated, the recording's or the one that was asked for. */
void pass_burst_caches(struct pass *pass);

/* The L2 that long bursts go through; NULL = none is known. */
const struct cache_level *pass_burst_l2(struct pass *pass);

/* An event of the current recording; NULL = it was not declared. */
struct event_totals *pass_find_event(struct pass *pass, uint32_t id);

/* Samples of an event: a batch whose samples are all there. */
void pass_batch(struct pass *pass, struct event_totals *event, const struct ccs_samples *batch);

/*
 * A thread's references that are no certain misses, in the burst of its last batch. Return: the
 * number of their context
 */
size_t pass_hits(struct pass *pass, struct event_totals *event, const struct ccs_record *thread,
		 uint64_t ip, const struct rcd_hits *hits);

/* counted.c: a consumer of CCS_CLASS_COUNTS. @pass: a struct pass */
void counted_take(void *pass, const struct ccs_record *record);

#endif /* CCSAMPLE_FINDINGS_PASS_H */
