/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of what a simulation counted: a part of format/format.h, which includes it at its end. */
#ifndef CCSAMPLE_FORMAT_RESULTS_H
#define CCSAMPLE_FORMAT_RESULTS_H

#include "format/format.h"

/*
 * Results of a simulation (`ccsample sim`), of record.process; several of one kind add up. What
 * counts classes has four numbers: hits, cold, capacity and conflict misses. All from 1.1.
 */
#define CCS_SIM_LEVELS	3
#define CCS_SIM_FIFO_DEPTHS	4	/* of the Collins-Tullsen detector: 1, 2, 4, 8 x ways */
#define CCS_SIM_CLASSES	4

/* A number means the latest SITE of its image; a fork's child inherits its parent's. */
struct ccs_sim_site {
	struct ccs_record record;
	uint64_t time;
	uint64_t ip;
	uint32_t number;		/* 1, 2, .. within the image */
	uint32_t reserved;
};
_Static_assert(sizeof(struct ccs_sim_site) == 40, "sim site");

struct ccs_sim_object {
	struct ccs_record record;
	uint64_t time;
	uint64_t address;		/* the object is what lies here now */
	uint32_t number;		/* 1, 2, .. within the image */
	uint32_t block;			/* of that object the nth block, 0 = all of it */
};
_Static_assert(sizeof(struct ccs_sim_object) == 40, "sim object");

#define CCS_SIM_BLOCKS_MOST	65536		/* of a place, told apart */
#define CCS_SIM_OBJECT_REST	(1u << 31)	/* in @block: and all later ones */

struct ccs_sim_ask {
	struct ccs_record record;
	uint64_t time;
	uint64_t address;
};
_Static_assert(sizeof(struct ccs_sim_ask) == 32, "sim ask");

struct ccs_sim_answer {
	struct ccs_record record;
	uint64_t low;			/* all of [low, high) is this object */
	uint64_t high;
	uint32_t object;		/* the same number for the same object, from 1 */
	uint32_t reserved;
};
_Static_assert(sizeof(struct ccs_sim_answer) == 40, "sim answer");

/* CCS_SIM_RUN: this and all that follow are what came since the last one: they add up. */
struct ccs_sim_run {
	struct ccs_record record;
	uint64_t time;
	uint64_t instructions;		/* run in total */
	uint64_t simulated;		/* of them counted below */
	uint64_t reserved0;
	uint64_t loads[CCS_SIM_CLASSES];	/* references by their class at L1 */
	uint64_t stores[CCS_SIM_CLASSES];
	uint64_t beyond;		/* look-ups of addresses whose slice is not known */
	uint64_t unresolved;		/* look-ups of addresses whose frame is not known */
	uint32_t flags;
	uint32_t reserved;
};
_Static_assert(sizeof(struct ccs_sim_run) == 136, "sim run");

#define CCS_SIM_RUN_MEMORY	(1u << 0)	/* ran out of memory: the counts are wrong */

struct ccs_sim_level {
	struct ccs_record record;	/* tid = thread, 0 = shared by all */
	uint32_t level;			/* 1, 2, 3 */
	uint32_t detector;		/* enum detector of the columns below */
	uint64_t outcomes[CCS_SIM_CLASSES];
	uint64_t anticonflicts;
	uint64_t writebacks;
	uint64_t inclusion_victims;
	uint64_t collins_tullsen_conflicts[CCS_SIM_FIFO_DEPTHS];
	uint64_t windows, peaks, lines, pressured;	/* of the pressure */
	uint64_t reuse[2][CCS_SIM_CLASSES];
};
_Static_assert(sizeof(struct ccs_sim_level) == 208, "sim level");

struct ccs_sim_row {
	struct ccs_record record;
	uint32_t site;
	uint32_t reserved;
	uint64_t references;
	uint64_t low, high;		/* first and last byte */
	uint64_t outcomes[CCS_SIM_LEVELS][CCS_SIM_CLASSES];
	/* from 1.1: u64 hits that a fully associative cache misses, by level */
};
_Static_assert(sizeof(struct ccs_sim_row) == 144, "sim row");

/* CCS_SIM_SETS: sets without a miss may be left out. */
struct ccs_sim_sets {
	struct ccs_record record;	/* tid = thread, 0 = shared by all */
	uint32_t level;
	uint32_t count;
	/* count x ccs_sim_set */
};
_Static_assert(sizeof(struct ccs_sim_sets) == 24, "sim sets");

struct ccs_sim_set {
	uint64_t set;
	uint64_t misses;
	uint64_t conflicts;
};
_Static_assert(sizeof(struct ccs_sim_set) == 24, "sim set");

struct ccs_sim_data {
	struct ccs_record record;	/* tid = thread */
	uint32_t site;
	uint32_t object;		/* 0 = unknown */
	uint64_t misses[CCS_SIM_LEVELS][CCS_SIM_CLASSES];	/* first: on sets under pressure */
	/* with `sim --blocks`: u64 accesses */
};
_Static_assert(sizeof(struct ccs_sim_data) == 120, "sim data");

/*
 * What a site on an object met because of another one. @counts, @total by type:
 *
 * CCS_SIM_PAIR: conflict misses by level, of all levels.
 * CCS_SIM_ALIAS: total: loads (victims) behind stores (evictors): 4K aliasing, if asked for.
 * CCS_SIM_EDGE: total: lines used again by a user (victim), after a former one (evictor), with the
 *	detector by reuse distances; a line's first use has none. Of them those with more other
 *	lines of the set since than ways; sums of other lines since: of the set, of all.
 * CCS_SIM_SHARING: coherence misses of a site, of them true sharing, by the site that had written
 *	(evictor). With victim 0 what that one's stores did: upgrades, copies that other threads
 *	lost.
 */
struct ccs_sim_pair {
	struct ccs_record record;	/* tid = the victim's thread */
	uint32_t victim, victim_object;	/* sites and objects */
	uint32_t evictor, evictor_object;
	uint64_t counts[CCS_SIM_LEVELS];
	uint64_t total;
};
_Static_assert(sizeof(struct ccs_sim_pair) == 64, "sim pair");

struct ccs_sim_phase {
	struct ccs_record record;
	uint64_t time;			/* instructions before it */
	uint64_t instructions;		/* of it */
	uint64_t references;
	uint64_t outcomes[CCS_SIM_LEVELS][CCS_SIM_CLASSES];
};
_Static_assert(sizeof(struct ccs_sim_phase) == 136, "sim phase");

/* By MACPO's rules, in the set and over all; only with that detector. */
struct ccs_sim_reuse {
	struct ccs_record record;
	uint32_t site;
	uint32_t object;		/* 0 = unknown */
	uint64_t outcomes[CCS_SIM_LEVELS][2][CCS_SIM_CLASSES];
};
_Static_assert(sizeof(struct ccs_sim_reuse) == 216, "sim reuse");

/* CCS_SIM_SET_REUSE: as ccs_sim_sets, but followed by count x ccs_sim_set_reuse. */
struct ccs_sim_set_reuse {
	uint64_t set;
	uint64_t outcomes[2][CCS_SIM_CLASSES];
};
_Static_assert(sizeof(struct ccs_sim_set_reuse) == 72, "sim set reuse");

/*
 * CCS_SIM_DEPTHS: sets without an access may be left out. A thread's at a level that all share are
 * those of its own accesses alone; all threads' together follow with tid 0.
 */
struct ccs_sim_depths {
	struct ccs_record record;	/* tid = thread, 0 = shared by all */
	uint32_t level;
	uint32_t set;
	uint32_t ways;
	uint32_t reserved;
	/* (ways + 1) x u64: accesses at depth 1 .. ways of the set's LRU stack, and all others */
};
_Static_assert(sizeof(struct ccs_sim_depths) == 32, "sim depths");

struct ccs_sim_thread {
	struct ccs_record record;	/* tid = thread */
	uint64_t instructions;
};
_Static_assert(sizeof(struct ccs_sim_thread) == 24, "sim thread");

/* Of one prefetcher. */
struct ccs_sim_prefetches {
	uint64_t issued, useful, memory;	/* lines (cachesim/prefetch.h) */
};

/* From 1.1: next-line, then stride; where they were asked for. */
struct ccs_sim_prefetch {
	struct ccs_record record;	/* tid = thread */
	struct ccs_sim_prefetches counts[2];
	/* those of L2, if there is room: adjacent, stream */
};
_Static_assert(sizeof(struct ccs_sim_prefetch) == 64, "sim prefetch");

/* From 1.1: coherence (cachesim/coherence.h), where it was asked for. Classes call it capacity. */
struct ccs_sim_core {
	struct ccs_record record;	/* tid = thread */
	uint64_t misses;		/* at each level that is the thread's own */
	uint64_t true_sharing;		/* of them */
	uint64_t loads, stores;		/* references whose first miss was one of them */
	uint64_t upgrades;		/* stores to lines held shared */
	uint64_t invalidations;		/* lines lost to other threads' stores */
};
_Static_assert(sizeof(struct ccs_sim_core) == 64, "sim core");

#endif /* CCSAMPLE_FORMAT_RESULTS_H */
