/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference engine: a Valgrind tool that runs an unmodified program, feeds
 * every load and store to an exact L1 data cache, and sends samples of its load
 * misses to `ccsample record` as the records of data/format.h.
 *
 * main.c options; instrument.c what is added to the program's code; l1.c the
 * cache; pages.c physical addresses; sampler.c which misses are sent; records.c
 * buffer and socket; process.c images and threads; maps.c address space; heap.c blocks, told by the
 * wrappers of preload.c.
 *
 * No libc: Valgrind's own names for things are VG_(name). Valgrind runs one of
 * the program's threads at a time, so nothing here needs a lock.
 */
#ifndef CCSAMPLE_ENGINE_ENGINE_H
#define CCSAMPLE_ENGINE_ENGINE_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_tooliface.h"

#include "cache/geometry.h"
#include "cache/pages.h"
#include "data/format.h"

#define GUARD_DEPTH	8	/* nested wrappers: new, aligned_alloc, memalign, malloc, mmap is 5 */

struct engine_options {
	struct cache_geometry l1;
	const HChar *l1_text;
	struct page_plan pages;	/* of caches that are indexed by physical address */
	const HChar *pages_text;
	const HChar *socket;	/* abstract name, NULL = nothing is sent */
	const HChar *totals;	/* file, "yes" = standard error, NULL = none */
	Long period;
	Long spread;
	Long burst;
	Long seed;
	Bool exec;		/* this image was started by another one's exec */
};

extern struct engine_options engine_options;

/* What a thread did since its image began. */
struct engine_counts {
	ULong instructions;
	ULong loads;
	ULong stores;
	ULong load_misses;
	ULong store_misses;
	ULong fills;
};

/* The sampler's state of one thread. */
struct sampler {
	ULong random;
	ULong skip;		/* load misses to let pass before the next sample */
	ULong gap;		/* ... let pass before the stretch at hand */
	ULong events_covered;	/* load misses up to the last stretch's end */
	ULong fills_covered;	/* fills up to the last stretch's end */
	ULong left;		/* of the burst */
	ULong length;		/* of the burst, on the ladder */
	UInt bursts;		/* of this length so far */
	Bool started;		/* a stretch was sent */
	UInt count;		/* samples in the stretch at hand */
	ULong events_last;	/* load misses at its last sample */
	ULong fills_last;
	struct ccs_sample *samples;
};

struct engine_thread {
	ULong *rows;		/* of its L1: row_words tags a set, 64-byte aligned */
	void *rows_block;	/* what to free */
	struct engine_counts counts;
	struct sampler sampler;
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
	ULong instructions;
	ULong references;	/* loads, and stores << 32: a time slice cannot overflow either */
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

/* l1.c */

/*
 * What generated code calls where its test fails, for the number of ways at
 * hand: first and last byte, and a load's instruction.
 */
struct l1_plan {
	VG_REGPARM(3) void (*load)(Addr first, Addr last, Addr ip);
	VG_REGPARM(2) void (*store)(Addr first, Addr last);
	UInt row_shift;		/* log2 of the bytes of a set's row of tags */
};

extern struct l1_plan l1_plan;

/**
 * l1_init() - choose helpers and layout for the geometry of the options.
 */
void l1_init(void);

/**
 * l1_open() - give a thread an empty cache.
 * @t: thread without one
 */
void l1_open(struct engine_thread *t);

/**
 * l1_close() - take it away.
 * @t: thread
 */
void l1_close(struct engine_thread *t);

/* sampler.c */

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
 * sampler_take() - a load miss whose turn has come (sampler.skip was 0).
 * @t: thread
 * @ip: instruction
 * @address: first byte of the reference that missed
 * @fills: lines that this very reference brought in
 */
void sampler_take(struct engine_thread *t, Addr ip, Addr address, UInt fills);

/**
 * sampler_cut() - send the samples held back; a burst goes on in another stretch.
 * @t: thread
 */
void sampler_cut(struct engine_thread *t);

/**
 * sampler_fork() - in a fork's child: drop what the parent sends.
 * @t: thread, its counts already zeroed
 */
void sampler_fork(struct engine_thread *t);

/* records.c */

/**
 * records_connect() - open this image's connection.
 *
 * Without --socket nothing happens. A failure is told in one line; the program
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
 * process_time() - instructions that this image has run.
 */
ULong process_time(void);

/**
 * process_cut() - send held-back samples of all threads, so that what follows comes after them.
 */
void process_cut(void);

/**
 * process_counts() - append the totals so far.
 */
void process_counts(void);

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

/* heap.c */

/**
 * heap_init() - register for the wrappers' requests.
 */
void heap_init(void);

/* Called from generated code at a wrapper's first and last instruction. */
VG_REGPARM(1) void heap_enter(Addr sp);
VG_REGPARM(1) void heap_leave(Addr sp);

#endif /* CCSAMPLE_ENGINE_ENGINE_H */
