/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference engine: a Valgrind tool that runs an unmodified program, feeds
 * every load and store to exact data caches, and sends samples of its
 * misses to `ccsample record` as the records of format/format.h.
 *
 * main.c options; instrument.c what is added to the program's code; caches.c
 * the caches; pages.c physical addresses; sampler.c which misses
 * are sent; tracing.c all references, compressed; records.c buffer and socket;
 * process.c images and threads; start.c how a program begins; maps.c address space; heap.c blocks,
 * reported by the wrappers of preload.c.
 *
 * No libc: Valgrind's own names for things are VG_(name). Valgrind runs one of
 * the program's threads at a time, so nothing here needs a lock.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_ENGINE_H
#define CCSAMPLE_TRACEE_VALGRIND_ENGINE_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_tooliface.h"

#include "cachesim/array.h"
#include "cachesim/hierarchy.h"
#include "cachesim/pages.h"
#include "format/format.h"
#include "tracee/valgrind-lib/evictors.h"
#include "tracee/valgrind-lib/schedule.h"

#define GUARD_DEPTH	8	/* nested wrappers: 5 of new, aligned_alloc .. mmap */

/* A cache beyond L1, indexed by physical address. */
struct engine_cache {
	struct cache_geometry geometry;	/* without ways: not simulated */
	const struct slice_hash *hash;	/* NULL = one slice */
};

/* Misses of one level, of loads and stores, sampled. */
struct engine_event {
	UInt id;			/* of the records, 0 = not sampled */
	ULong period;			/* 0 = it adapts to what has been sampled: schedule.h */
	ULong spread;
	ULong burst;
};

struct engine_options {
	struct cache_geometry l1;
	struct engine_cache outer[CACHE_LEVELS - 1];	/* L2, L3 */
	struct engine_event events[CACHE_LEVELS];	/* by level - 1 */
	struct page_plan pages;
	const HChar *socket;	/* path, NULL = nothing is sent */
	const HChar *totals;	/* file, "yes" = standard error, NULL = none */
	Long seed;
	Bool trace;		/* send all references, simulate and sample nothing */
	Bool stacks;		/* ... and tell blocks apart by their callers (prsd/callers.h) */
	Bool simulate;		/* all levels with their classes, results at the end; no samples */
	struct hierarchy_plan plan;	/* of the simulation, the caches above included */
	UInt turn;		/* blocks that a thread runs in one go, with coherence; 0 = none */
	UInt blocks;		/* of a place that are objects of their own; 0 = none */
	Int alias;		/* stores that a load is held against for 4K aliasing, 0 = none */
	ULong phases[3];	/* instructions to skip, to warm up, to evaluate; 0, 0, 0 = all */
	Bool refill;		/* warming up is over once caches are full of new lines */
	Bool marked;		/* count what the program marks alone */
	const HChar *function;	/* simulate this one's references alone, NULL = all */
	Bool repeatable;	/* begin alike in all environments: start.c */
	Int layout;		/* then: which places the stack and the heap have */
	Bool exec;		/* this image was started by another one's exec */
	const HChar *birth;	/* what that one handed on, NULL = nothing */
};

extern struct engine_options engine_options;

/* What came of references at one level. */
struct engine_misses {
	ULong loads;
	ULong stores;
	ULong fills;
	ULong unresolved;	/* lines absent further in whose place here is not known */
};

/* What a thread did since its image began. */
struct engine_counts {
	ULong instructions;
	ULong loads;
	ULong stores;
	struct engine_misses misses[CACHE_LEVELS];
};

/* The sampler's state of one thread and one event. */
struct sampler {
	ULong skip;		/* misses to let pass before the next sample */
	const struct engine_event *event;
	const struct engine_misses *misses;	/* the thread's at the event's level */
	struct schedule schedule;
	ULong gap;		/* misses let pass before the current batch */
	ULong events_covered;	/* misses up to the last batch's end */
	ULong fills_covered;	/* fills up to the last batch's end */
	ULong left;		/* of the burst */
	ULong period;		/* mean, when the gap was drawn */
	Bool started;		/* a batch was sent */
	UInt count;		/* samples in the current batch */
	ULong accesses_covered;	/* cache accesses up to where the batch begins */
	ULong accesses_last;
	ULong events_last;	/* misses at its last sample */
	ULong fills_last;
	struct ccs_sample_evicted *samples;	/* NULL = not sampled */
	UInt saved_count;	/* instructions with hits saved since the last batch */
	struct ccs_saved_hits *saved;	/* NULL = there never were any */
	UInt frame_count;	/* of its samples that lie on the stack */
	struct ccs_frame *frames;	/* NULL = none ever did */
};

struct engine_thread {
	ULong *rows;		/* of its L1: ways with their nodes */
	struct engine_counts counts;
	struct sampler samplers[CACHE_LEVELS];	/* by level - 1 */
	struct hierarchy *caches;	/* whose misses are sampled; NULL = none are, or L1's */
	struct sampled_l1 *l1;		/* L1's alone; NULL = none */
	struct tracing *tracing;	/* with --trace */
	struct sim_thread *sim;	/* with it nothing of the above but counts is used */
	Bool runs;		/* its shadow is what generated code made of it */
	ULong clock;		/* see lookup.h */
	ThreadId id;		/* Valgrind's */
	UInt kernel_tid;	/* the records' */
	Addr guard[GUARD_DEPTH];	/* stack pointers of the heap wrappers under way */
	UInt guard_depth;
};

/* The thread that runs, or ran last. */
extern struct engine_thread *engine_now;

/* instrument.c */

/* Fields that generated code keeps in the first shadow of the guest's state. */
struct engine_shadow {
	ULong rows;
	ULong sites;		/* an address that the simulator's sites are near to */
	ULong instructions;	/* the thread's clock; with --trace their number */
	ULong references;	/* loads, and stores << 32: a time slice cannot overflow either */
	ULong trace;		/* where the next references go, with --trace */
	ULong skip_until;	/* the clock when code has to be simulated; 0 = it is */
	ULong simulate_until;	/* and not any more; 0 = it is not */
};

/**
 * instrument_init() - derive from the geometry what generated code tests.
 */
void instrument_init(void);

/**
 * instrument() - Valgrind's hook: add counting and cache accesses to a superblock.
 */
IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		 IRType host_word);

/**
 * shadow_load() - prepare a thread's state before generated code runs.
 * @t: thread
 */
void shadow_load(struct engine_thread *t);

/**
 * shadow_drain() - add to a thread's counts what generated code counted since.
 * @t: thread
 */
void shadow_drain(struct engine_thread *t);

/* sampler.c */

/**
 * sampler_begin() - an image begins, whose connection is open.
 */
void sampler_begin(void);

/**
 * sampler_ramp() - how many bursts there were at each level, to be handed on.
 * @set: they are taken over, not asked for
 */
void sampler_ramp(ULong bursts[CACHE_LEVELS], Bool set);

/**
 * sampler_open() - start sampling a thread.
 * @t: thread
 * @ordinal: its number in order of creation; with --seed it decides all chance
 */
void sampler_open(struct engine_thread *t, UInt ordinal);

/**
 * sampler_close() - send what is left and stop.
 * @t: thread
 */
void sampler_close(struct engine_thread *t);

/**
 * sampler_free() - stop without sending.
 * @t: thread
 */
void sampler_free(struct engine_thread *t);

/* A miss whose turn has come (sampler.skip was 0). */
struct sampled {
	Addr who;		/* who_refers() */
	Addr address;		/* first byte of the reference that missed */
	ULong physical;		/* or CCS_UNKNOWN */
	UInt fills;		/* lines that this very reference brought in */
	enum miss_class class;
	struct evictor evictor;	/* of a conflict */
};

/**
 * sampler_take() - take such a miss.
 * @t: thread
 * @s: its sampler of the level
 */
void sampler_take(struct engine_thread *t, struct sampler *s, const struct sampled *miss);

/**
 * sampler_saved() - count a hit that a fully associative cache would miss.
 * @t: thread
 * @s: its sampler of the level
 * @ip: instruction
 */
void sampler_saved(struct engine_thread *t, struct sampler *s, Addr ip);

/**
 * sampler_cut() - send the samples held back; a burst goes on in another batch.
 * @t: thread
 */
void sampler_cut(struct engine_thread *t);

/**
 * sampler_renew() - begin again as a new image does.
 * @t: thread, the first one
 */
void sampler_renew(struct engine_thread *t);

/**
 * sampler_fork() - in a fork's child: drop what the parent sends.
 * @t: thread, its counts already zeroed
 */
void sampler_fork(struct engine_thread *t);

/* frames.c */

/**
 * frames_find() - the call whose stack frame holds an address.
 * @t: the thread that runs
 * @ip: its instruction
 * @address: looked for
 * @frame: receives the call, its sample left alone
 *
 * Return: False if the address is not on the thread's stack, or its frame is unknown.
 */
Bool frames_find(const struct engine_thread *t, Addr ip, Addr address, struct ccs_frame *frame);

/* tracing.c: with --trace only */

/**
 * tracing_open() - begin a thread's trace.
 */
void tracing_open(struct engine_thread *t);

/**
 * tracing_close() - drop it, sent or not.
 */
void tracing_close(struct engine_thread *t);

/**
 * tracing_cut() - send what was noted so far, so that what follows comes after it.
 */
void tracing_cut(struct engine_thread *t);

/* Where the thread's next references go; for shadow_load() and shadow_drain(). */
ULong tracing_cursor(const struct engine_thread *t);
void tracing_moved(struct engine_thread *t, ULong cursor);

/* records.c */

/**
 * records_connect() - open this image's connection.
 *
 * Without --socket nothing happens. A failure is reported in one line; the program
 * runs on unrecorded.
 */
void records_connect(void);

/**
 * records_disconnect() - in a fork's child: forget the parent's connection.
 */
void records_disconnect(void);

/**
 * records_on() - does anybody listen?
 */
Bool records_on(void);

/**
 * record_add() - append a record to the buffer.
 * @type: enum ccs_record_type
 * @tid: thread, 0 = none in particular
 * @size: of the record's fixed part
 * @tail: of what follows it
 *
 * Return: the record, zeroed apart from its header and valid until the next
 * call; never to be called unless records_on().
 */
void *record_add(UInt type, UInt tid, UInt size, UInt tail);

/**
 * records_flush() - send the buffer.
 */
void records_flush(void);

/* The same unless it was done just now. */
void records_pace(void);

/**
 * records_answer() - wait for what was asked for in the records just flushed.
 * @answer: @size bytes, written on success only
 *
 * Return: False if the recorder has gone.
 */
Bool records_answer(void *answer, UInt size);

/**
 * records_stale() - was the last flush more than a second ago?
 */
Bool records_stale(void);

/* process.c */

/**
 * process_init() - register for threads, fork, exec and exit.
 */
void process_init(void);

/**
 * process_begin() - connect and send what the image is.
 */
void process_begin(void);

/**
 * process_end() - the tool's last call.
 * @unused: Valgrind passes 0
 */
void process_end(Int unused);

/**
 * process_chance() - a number that every image has another one of, the same in every run.
 */
ULong process_chance(void);

/**
 * process_time() - instructions that this image has run.
 */
ULong process_time(void);

/* The same while nothing has run since @t, which runs now, was drained. */
ULong process_time_drained(const struct engine_thread *t);

/**
 * process_cut() - send held-back samples of all threads, so that what follows comes after them.
 */
void process_cut(void);

/**
 * process_counts() - append the totals so far.
 */
void process_counts(void);

/* Sends what all misses were (tallies.h) if any are of code in [start, start + size). */
void process_tallies(Addr start, SizeT size);

/**
 * process_entry() - append the totals of what came before the program's own code.
 */
void process_entry(void);

/**
 * process_thread() - the thread of a Valgrind thread id, NULL if unknown.
 */
struct engine_thread *process_thread(ThreadId id);

/* maps.c */

/**
 * maps_init() - register for mappings.
 */
void maps_init(void);

/**
 * maps_begin() - send all that is mapped now.
 */
void maps_begin(void);

/**
 * maps_is_preload() - does an address lie in the wrappers' code?
 */
Bool maps_is_preload(Addr address);

/**
 * maps_is_code() - does an address lie in executable memory of the program?
 */
Bool maps_is_code(Addr address);

/**
 * maps_program() - the executable's path, at a start.
 * @path: what was executed; a script perhaps
 *
 * Return: @path if it is mapped, else what is: its interpreter.
 */
const HChar *maps_program(const HChar *path);

/* start.c */

/**
 * start_begin() - before the program's first instruction.
 * @id: its first thread
 */
void start_begin(ThreadId id);

/**
 * start_reaches() - code is translated that was not before.
 * @address: about to be run
 */
void start_reaches(Addr address);

/* heap.c */

/**
 * heap_init() - register for the wrappers' requests.
 */
void heap_init(void);

/* Called from generated code at a wrapper's first and last instruction. */
VG_REGPARM(1) void heap_enter(Addr sp);
VG_REGPARM(1) void heap_leave(Addr sp);

#endif /* CCSAMPLE_TRACEE_VALGRIND_ENGINE_H */
