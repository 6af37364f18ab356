/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine as a simulator: every reference of every thread goes through
 * cachesim/hierarchy.h, and the results are sent when the image ends.
 *
 * A thread's clock orders its references: CLOCK_SLOTS a
 * instruction, of which a reference takes one for each line that it may touch.
 * Generated code tests whether a reference's line is the newest of its L1 set;
 * if so nothing changes but the time of the line's use, which it writes itself
 * (see hierarchy_has_nodes()). All else is a call: of sim_use() where the set is
 * known, else of sim_refer().
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_SIMULATE_H
#define CCSAMPLE_TRACEE_VALGRIND_SIMULATE_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#include "cachesim/alias.h"
#include "cachesim/hierarchy.h"
#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/lookup.h"

#define SIM_BLOCKS	1024u

struct builder;

#define SITE_NOWHERE	((Addr)1 << 63)	/* far from every address that there can be */

/* An instruction that refers to memory. What every miss needs comes first. */
struct sim_site {
	struct sim_site *chain;		/* Valgrind's hash: next, key */
	UWord ip;
	Addr low;			/* all lines that it touches lie in [low, low + reach] */
	ULong reach;			/* 0 = unused since the last results: @low SITE_NOWHERE */
	struct sim_who *last_who;	/* of the latest miss, for all of its page */
	Addr last_page;
	UInt last_version;		/* places_version then; 0 = unknown */
	UInt number;			/* from 1 */
	ULong references;
	ULong more_lines;		/* touched by references after their first one */
	ULong saved[CACHE_LEVELS];	/* hits that a fully associative cache misses */
	struct sim_who *whos;
	struct sim_site *next_touched;
};

/* A site on one data object: the victims and evictors of conflicts. */
struct sim_who {
	struct sim_who *next;		/* of the same site, the latest first */
	const struct sim_site *site;
	UInt number;			/* from 1 */
	UInt object;			/* 0 = unknown */
	ULong outcomes[CACHE_LEVELS][MISS_CLASSES];	/* accesses by class; of L1's hits none */
	ULong pressured[CACHE_LEVELS];	/* misses on sets under pressure (cachesim/pressure.h) */
	struct sim_reuse *reuse;	/* NULL = none counted */
	ULong accesses;			/* of lines, L1's hits with them; with --blocks, else 0 */
	ULong upgrades;			/* what its stores did to other threads' copies */
	ULong invalidations;
};

/* With DETECTOR_REUSE: all accesses, as this detector classes them. */
struct sim_reuse {
	ULong outcomes[CACHE_LEVELS][REUSE_READINGS][MISS_CLASSES];
};

/* One reference in translated code. */
struct sim_reference {
	struct sim_reference *next;	/* of the same block */
	struct sim_site *site;
	UShort size;
	Bool store;
	Bool guarded;			/* happens or not: the helper counts it */
};

/* Code that always runs as a whole. */
struct sim_block {
	ULong count;			/* times it ran */
	struct sim_reference *references;
};

/* Side by side, for all are looked at whenever results are due. */
struct sim_blocks {
	struct sim_blocks *next;
	UInt used;
	struct sim_block block[SIM_BLOCKS];
};

struct sim_thread {
	struct hierarchy hierarchy;
	struct alias *alias;		/* NULL = not asked for */
	struct pairs aliases;		/* then: loads and stores, by who; at "L1" */
	ULong loads, stores;		/* that missed by coherence, since the last results */
	ULong references;		/* since the last results */
	ULong more_lines;
	ULong sent;			/* instructions before them */
};

/* What the image did since its last results. */
struct sim_totals {
	ULong loads[MISS_CLASSES];	/* but for the hits */
	ULong stores[MISS_CLASSES];
	ULong guarded_loads, guarded_stores;
	ULong unresolved;
};

extern struct sim_totals sim_totals;
extern struct sim_blocks *sim_blocks;
extern struct sim_site *sim_touched;	/* sites used since the last results */
extern Addr sim_sites;		/* most sites lie near to it: code gets there by a step */

/* simulate.c */

/* Return: NULL, or what is wrong with the caches of the options. */
const char *sim_error(void);
void sim_init(void);
void sim_open(struct engine_thread *t);
void sim_close(struct engine_thread *t);

/* In a fork's child: caches are kept as they are, what was counted is the parent's. */
void sim_fork(void);

/* Takes over what generated code counted. */
void sim_drain(struct engine_thread *t, const struct engine_shadow *shadow);

/**
 * sim_site() - the site of an instruction, made and sent if it is new.
 */
struct sim_site *sim_site(Addr ip);

/* By number - 1. */
struct sim_who *sim_who_at(UInt place);

/**
 * sim_refer() - a reference that is more than another use of its set's newest line.
 * @first: its first byte
 * @time: on the thread's clock
 */
void sim_refer(Addr first, struct sim_reference *reference, ULong time);

/**
 * sim_use() - the same for a reference whose time is written by the caller.
 * @row: of its first line in L1, which is LRU and has nodes
 */
void sim_use(Addr first, struct sim_reference *reference, ULong time, struct way *row);

/* The same where L1 has 8 ways. */
void sim_use_8(Addr first, struct sim_reference *reference, ULong time, struct way *row);

/* sim-reuse.c */

/* Counts what the latest access was taken for, at all levels that it came to; and its edge. */
void sim_reuse_count(struct hierarchy *h, struct sim_who *who);

/* phases.c */

/*
 * Is only a part of the run simulated, or counted? Is it one phase after the other, not what the
 * program marks? Are results counted now?
 */
Bool phases_on(void);
Bool phases_sampled(void);
Bool phases_count(void);
void phases_init(void);

/* Where the current phase ends on a thread's clock. @t: about to run, and drained */
void phases_limits(const struct engine_thread *t, struct engine_shadow *shadow);

/*
 * Called by simulated code when it reaches that end. @state: of the thread
 * Return: 1 = on at the program's own address, else 0.
 */
ULong phases_due(VexGuestAMD64State *state);

/* A thread's turn begins. */
void phases_turn(const struct engine_thread *t);

/* In a fork's child: its time begins again, the phase goes on. @time: of its parent */
void phases_forked(ULong time);

/* The program says that what is to be counted begins here, or ends. */
void phases_mark(Bool begins);

/* sim-code.c */

void sim_code_init(void);
void sim_code_refer(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard);

/* Before every way out of the superblock. */
void sim_code_flush(struct builder *b);

/* results.c */

/**
 * results_send() - send all that was counted since the last time, and begin again.
 */
void results_send(void);

/* The same at the end of the image: what only warmed caches is not sent. */
void results_end(void);

/**
 * results_thread() - the same for one thread's own levels, before it goes.
 */
void results_thread(struct engine_thread *t);

/* For results_text(): the thread is about to go, and no recorder listens. */
void results_keep(const struct engine_thread *t);

/**
 * results_text() - the levels of the first thread on one line: hits, cold, capacity and conflict
 * misses, anticonflicts, writebacks, inclusion victims.
 *
 * Return: bytes written.
 */
UInt results_text(HChar *text, UInt room);

/* What the image did so far is not its own: it was forked. */
void results_begin(void);

/* Forgets what was counted. */
void results_drop(void);

#endif /* CCSAMPLE_TRACEE_VALGRIND_SIMULATE_H */
