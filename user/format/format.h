/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recording's layout, byte for byte: what a .ccs file holds, and what the
 * engine sends to `ccsample record`. docs/format.md describes it in prose.
 *
 * Freestanding (the Valgrind tool includes it): fixed-width fields, natural
 * alignment, little-endian, no implicit padding. Every size is asserted.
 *
 *	file   = file header, chunk...
 *	chunk  = chunk header, payload (compressed, padded with zeros to 8 bytes)
 *	payload, uncompressed = record...
 *	record = record header, body; size a multiple of 8
 *
 * A record never crosses a chunk. Chunks are in the order in which they were
 * closed; records of one process keep the order in which they happened, but for
 * overlapping samples of threads (docs/format.md).
 */
#ifndef CCSAMPLE_FORMAT_FORMAT_H
#define CCSAMPLE_FORMAT_FORMAT_H

#include <stdint.h>

#define CCS_FILE_MAGIC		"CCSAMPLE"
#define CCS_VERSION_MAJOR	1	/* another major: refuse to read */
#define CCS_VERSION_MINOR	1	/* a newer minor: unknown records are skipped */
#define CCS_CHUNK_MAGIC		0x4b484343u	/* "CCHK" */
#define CCS_CHUNK_MAX		(1u << 20)	/* most bytes of an uncompressed payload */
#define CCS_RECORD_MAX		(1u << 16)	/* most bytes of a record */

#define CCS_LAYOUT_MOST		1000u		/* of the engine's layouts: 0, 1, ... */

#define CCS_UNKNOWN		(~(uint64_t)0)	/* a 64-bit value that is unknown */

struct ccs_file_header {
	uint8_t magic[8];
	uint16_t major;
	uint16_t minor;
	uint32_t header_size;		/* chunks begin here */
	uint64_t reserved[2];
};
_Static_assert(sizeof(struct ccs_file_header) == 32, "file header");

enum ccs_compression {
	CCS_COMPRESSION_NONE = 0,
	CCS_COMPRESSION_ZSTD = 1,
};

struct ccs_chunk_header {
	uint32_t magic;
	uint32_t compression;		/* enum ccs_compression */
	uint32_t raw_size;		/* payload as records, <= CCS_CHUNK_MAX */
	uint32_t stored_size;		/* payload as stored, without the padding */
	uint64_t sequence;		/* 0, 1, 2, ... */
	uint64_t checksum;		/* XXH3-64 of this header with 0 here, then the payload */
};
_Static_assert(sizeof(struct ccs_chunk_header) == 32, "chunk header");

enum ccs_record_type {
	CCS_META = 1,			/* one key and its value */
	CCS_CACHE = 2,			/* one cache level of the machine recorded */
	CCS_EVENT = 3,			/* one sampled event and how it was sampled */
	CCS_PROCESS = 4,		/* a process image begins (start, fork, exec) */
	CCS_THREAD = 5,			/* a thread begins, with its stack */
	CCS_MAP = 6,			/* an address range is mapped */
	CCS_UNMAP = 7,
	CCS_STACK = 8,			/* a call stack, referred to by its id */
	CCS_ALLOC = 9,			/* a heap block begins */
	CCS_FREE = 10,
	CCS_SAMPLES = 11,		/* a batch of samples of one thread */
	CCS_COUNTS = 12,		/* exact totals of a process image */
	CCS_LOST = 13,			/* something was lost: what and how many */
	CCS_UNSUPPORTED = 14,		/* an instruction that the source cannot run */
	CCS_EXIT = 15,			/* a process image ends */
	CCS_END = 16,			/* the recording is whole */
	CCS_LEVEL_COUNTS = 17,		/* exact totals of a process image at L2 or L3 (from 1.1) */
	CCS_FRAMES = 18,		/* the stack frames of the samples that follow (from 1.1) */
	CCS_TIMES = 19,			/* how long the program took (from 1.1) */
	CCS_ACCESSES = 20,		/* cache accesses during the next samples (from 1.1) */
	CCS_BURST = 21,			/* a burst of a thread's references begins (from 1.1) */
	CCS_BURST_PIECE = 22,		/* ... some bytes of them (from 1.1) */
	CCS_FORGET = 23,		/* small heap blocks are not reported any more (from 1.1) */
	CCS_REFERENCES = 24,		/* a piece of a thread's compressed trace (from 1.1) */
	CCS_LONG_BURST = 25,		/* a burst for outer levels begins (from 1.1) */
	CCS_SAVED = 26,	/* hits that a fully associative cache would miss (from 1.1) */
	CCS_MEMBERS = 27,		/* what follows is of many (from 1.1) */
	CCS_ENTRY = 28,			/* a process image's own code begins (from 1.1) */
	CCS_CLASS_COUNTS = 29,		/* classes of all misses by instruction (from 1.1) */
	CCS_FORGET_MAPS = 30,		/* small mappings are not reported any more (from 1.1) */
	CCS_SIM_SITE = 32,		/* an instruction that refers to memory gets a number */
	CCS_SIM_OBJECT = 33,		/* what lies at an address gets a number */
	CCS_SIM_ASK = 34,		/* on the engine's socket only: what lies at an address; of
					 * CCS_UNKNOWN: samples taken so far, as `low`
					 */
	CCS_SIM_ANSWER = 35,		/* on the engine's socket only */
	CCS_SIM_RUN = 36,		/* results of a process image begin */
	CCS_SIM_LEVEL = 37,		/* ... one cache level of one thread, or shared */
	CCS_SIM_ROW = 38,		/* ... one site */
	CCS_SIM_SETS = 39,		/* ... some sets of a level */
	CCS_SIM_DATA = 40,		/* ... one site on one object */
	CCS_SIM_PAIR = 41,		/* ... which line evicts which */
	CCS_SIM_PHASE = 42,		/* ... what one phase counted */
	CCS_SIM_REUSE = 43,		/* ... one site on one object, by reuse distances */
	CCS_SIM_ALIAS = 45,		/* ... loads after stores to one place of other pages */
	CCS_SIM_SET_REUSE = 44,		/* ... some sets of a level, by reuse distances */
	CCS_SIM_DEPTHS = 48,		/* ... stack distances in one set */
	CCS_SIM_THREAD = 49,		/* ... what a thread ran, with the distances of each */
	CCS_SIM_PREFETCH = 50,		/* ... what a thread's prefetchers did */
	CCS_SIM_CORE = 51,		/* ... what coherence did to a thread's own levels */
	CCS_SIM_SHARING = 52,		/* ... and to lines, by who missed and who had written */
	CCS_SIM_EDGE = 53,		/* ... who uses whose lines again, by reuse distances */
};

/* Every record begins with this. */
struct ccs_record {
	uint32_t size;			/* whole record, header included; a multiple of 8 */
	uint16_t type;			/* enum ccs_record_type */
	uint16_t reserved;
	uint32_t process;		/* process image, 1, 2, ..; 0 = the whole recording */
	uint32_t tid;			/* thread, 0 = none in particular */
};
_Static_assert(sizeof(struct ccs_record) == 16, "record header");

/*
 * CCS_META: UTF-8 text, not terminated. Keys: "version" (of ccsample), "source"
 * (pebs, engine, perf.data), "cpu", "kernel", "command" (arguments, each ended
 * by a NUL byte), "clock" (unit of time: "instructions", "tsc", "ns"), "start"
 * (UTC, ISO 8601), "lab.*" (how the machine was set), "option.*" (what the user
 * asked for).
 */
struct ccs_meta {
	struct ccs_record record;
	uint32_t key_size;
	uint32_t value_size;
	/* key, value, zeros to a multiple of 8 */
};
_Static_assert(sizeof(struct ccs_meta) == 24, "meta");

#define CCS_CACHE_PHYSICAL	(1u << 0)	/* indexed by physical address */
#define CCS_CACHE_SIMULATED	(1u << 1)	/* this level was simulated with this geometry */

struct ccs_cache {
	struct ccs_record record;
	uint32_t level;			/* 1, 2, 3: data or unified */
	uint32_t ways;
	uint32_t sets;			/* of one slice; any number >= 1 */
	uint32_t line;			/* bytes, a power of two */
	uint32_t slices;		/* 1 where the cache is not sliced */
	uint32_t flags;
};
_Static_assert(sizeof(struct ccs_cache) == 40, "cache");

#define CCS_EVENT_STORES	(1u << 0)	/* misses of stores, too, not of loads alone */
#define CCS_EVENT_CLASSES	(1u << 1)	/* samples have classes, conflicts evictors */
#define CCS_EVENT_NO_LOADS	(1u << 2)	/* with STORES: misses of stores alone */

struct ccs_event {
	struct ccs_record record;
	uint32_t id;			/* samples refer to it */
	uint32_t level;			/* cache level whose misses it counts, 0 = other */
	uint64_t period;		/* mean number of events for one sample, 0 = ACCESSES say */
	uint64_t spread;		/* periods are uniform in [period -, + spread] */
	uint32_t burst;			/* most consecutive events in a burst, 1 = single samples */
	uint32_t flags;
	uint64_t raw;			/* hardware event code, 0 where simulated */
	uint8_t name[32];		/* "l1-miss", zero-padded */
};
_Static_assert(sizeof(struct ccs_event) == 88, "event");

enum ccs_process_cause {
	CCS_PROCESS_START = 0,		/* what `record` started, or found running */
	CCS_PROCESS_FORK = 1,
	CCS_PROCESS_EXEC = 2,
};

/* CCS_PROCESS: a fork's child begins with its parent's maps, blocks and stacks. */
struct ccs_process {
	struct ccs_record record;
	uint64_t time;
	uint32_t pid;
	uint32_t ppid;
	uint32_t parent;		/* process image it came from, 0 = unknown */
	uint32_t cause;			/* enum ccs_process_cause */
	uint32_t path_size;		/* executable */
	uint32_t reserved;
	/* path, zeros to a multiple of 8 */
};
_Static_assert(sizeof(struct ccs_process) == 48, "process");

struct ccs_thread {
	struct ccs_record record;	/* tid = the new thread */
	uint64_t time;
	uint64_t stack_low;		/* CCS_UNKNOWN where unknown */
	uint64_t stack_high;		/* first byte past it */
};
_Static_assert(sizeof(struct ccs_thread) == 40, "thread");

#define CCS_MAP_READ		(1u << 0)
#define CCS_MAP_WRITE		(1u << 1)
#define CCS_MAP_EXEC		(1u << 2)
#define CCS_BUILD_ID_MAX	20

/* CCS_MAP: replaces whatever was mapped in [start, end) before. */
struct ccs_map {
	struct ccs_record record;
	uint64_t time;
	uint64_t start;
	uint64_t end;			/* first byte past it */
	uint64_t offset;		/* in the file */
	uint32_t protection;
	uint32_t build_id_size;		/* 0 where there is none */
	uint8_t build_id[CCS_BUILD_ID_MAX];
	uint32_t path_size;		/* 0 = anonymous; "[heap]", "[vdso]": as /proc/PID/maps */
	/* path, zeros to a multiple of 8 */
};
_Static_assert(sizeof(struct ccs_map) == 80, "map");

struct ccs_unmap {
	struct ccs_record record;
	uint64_t time;
	uint64_t start;
	uint64_t end;
};
_Static_assert(sizeof(struct ccs_unmap) == 40, "unmap");

struct ccs_stack {
	struct ccs_record record;
	uint32_t id;			/* within the process image (a fork's child inherits) */
	uint32_t depth;
	/* depth x uint64_t: innermost first; return addresses less one: each lies in its call */
};
_Static_assert(sizeof(struct ccs_stack) == 24, "stack");

enum ccs_alloc_kind {
	CCS_ALLOC_HEAP = 0,		/* malloc, calloc, realloc, memalign, operator new */
	CCS_ALLOC_MAPPING = 1,		/* mmap called by the program */
};

/* CCS_ALLOC: a realloc is a FREE of the old block, then an ALLOC of the new one. */
struct ccs_alloc {
	struct ccs_record record;
	uint64_t time;
	uint64_t address;
	uint64_t size;
	uint32_t stack;			/* id of a CCS_STACK that came before, 0 = unknown */
	uint32_t kind;			/* enum ccs_alloc_kind */
};
_Static_assert(sizeof(struct ccs_alloc) == 48, "alloc");

struct ccs_free {
	struct ccs_record record;
	uint64_t time;
	uint64_t address;
};
_Static_assert(sizeof(struct ccs_free) == 32, "free");

/*
 * CCS_FORGET: from here on heap blocks that hold fewer bytes have neither ALLOC nor FREE, nor have
 * those that live an end. CCS_FORGET_MAPS: so with mappings, but of code; those that live have one.
 */
struct ccs_forget {
	struct ccs_record record;
	uint64_t time;
	uint64_t below;			/* bytes */
};
_Static_assert(sizeof(struct ccs_forget) == 32, "forget");

#define CCS_SAMPLE_STORE	(1u << 0)	/* with LOAD: read and written by one instruction */
#define CCS_SAMPLE_KERNEL	(1u << 1)
#define CCS_SAMPLE_LOAD		(1u << 2)	/* neither = a load: the source samples no stores */
#define CCS_SAMPLE_CLASS_SHIFT	8		/* two bits: enum ccs_class */

/* Of a miss, by the fully associative cache with LRU replacement of the same capacity. */
enum ccs_class {
	CCS_CLASS_UNKNOWN = 0,
	CCS_CLASS_COLD = 1,		/* it misses, too: the line was never there */
	CCS_CLASS_CAPACITY = 2,		/* it misses, too */
	CCS_CLASS_CONFLICT = 3,		/* it hits */
};

static inline enum ccs_class ccs_sample_class(uint32_t flags)
{
	return (enum ccs_class)(flags >> CCS_SAMPLE_CLASS_SHIFT & 3);
}

struct ccs_sample {
	uint64_t time;			/* in the unit of meta "clock" */
	uint64_t ip;			/* instruction that missed */
	uint64_t address;		/* virtual data address */
	uint64_t physical;		/* CCS_UNKNOWN where unknown */
	uint32_t weight;		/* latency in cycles, 0 = unknown */
	uint32_t flags;
};
_Static_assert(sizeof(struct ccs_sample) == 40, "sample");

/* A sample of an event whose misses have classes. */
struct ccs_sample_evicted {
	struct ccs_sample sample;
	uint64_t evictor;		/* line that its line was evicted for, CCS_UNKNOWN */
	uint64_t evictor_ip;		/* instruction that brought that in, CCS_UNKNOWN */
};
_Static_assert(sizeof(struct ccs_sample_evicted) == 56, "sample with its evictor");

#define CCS_BATCH_BURST	(1u << 0)	/* consecutive events, not spread ones */
#define CCS_BATCH_CONTINUES	(1u << 1)	/* continues this thread's last batch: no edge */
#define CCS_BATCH_CUT		(1u << 2)	/* ... but others ran between, or an interrupt */
#define CCS_BATCH_COUNTED	(1u << 3)	/* CLASS_COUNTS have these misses, too (1.1) */

/* Is the batch's first sample the burst's very next, of those that the thread itself caused? */
static inline int ccs_batch_joins(uint32_t flags)
{
	return (flags & CCS_BATCH_CONTINUES) && !(flags & CCS_BATCH_CUT);
}

/* CCS_SAMPLES: samples of one thread (record.tid) and one event. */
struct ccs_samples {
	struct ccs_record record;
	uint32_t pid;
	uint32_t cpu;			/* ~0 = unknown */
	uint32_t event;			/* id of a CCS_EVENT */
	uint32_t flags;
	uint64_t gap;			/* events unsampled since the last batch, CCS_UNKNOWN */
	uint64_t events;		/* true number of events over the batch, >= count */
	uint64_t fills;			/* lines brought in by loads and stores, CCS_UNKNOWN */
	uint32_t count;			/* samples that follow */
	uint32_t sample_size;		/* bytes of each, >= sizeof(struct ccs_sample) */
	/* count x sample */
};
_Static_assert(sizeof(struct ccs_samples) == 64, "samples");

/*
 * A call under way when a sample was taken: the one whose frame holds the sample's address, or
 * the innermost one where callers are not known.
 */
struct ccs_frame {
	uint32_t sample;		/* number in the SAMPLES that follow, from 0 */
	uint32_t reserved;
	uint64_t ip;			/* in it: of the sample, or a return address less one */
	uint64_t sp;			/* its stack pointer there */
	uint64_t bp;			/* the same, register rbp */
};
_Static_assert(sizeof(struct ccs_frame) == 32, "frame");

/* CCS_FRAMES: of the next SAMPLES of this thread; samples off the stack have none. */
struct ccs_frames {
	struct ccs_record record;
	uint32_t count;
	uint32_t reserved;
	/* count x frame, samples ascending */
};
_Static_assert(sizeof(struct ccs_frames) == 24, "frames");

/*
 * CCS_ACCESSES: of the next SAMPLES of this thread. Cache accesses at the event's level: of L1
 * loads and stores, of an outer level lines brought into the one inside. From the end of the batch
 * before, or, of a burst that begins or was cut, from the first sample, to the last sample.
 */
struct ccs_accesses {
	struct ccs_record record;
	uint64_t lines;
};
_Static_assert(sizeof(struct ccs_accesses) == 24, "accesses");

/*
 * The same where the event has no period of its own (0): the one that these samples were taken at.
 */
struct ccs_accesses_period {
	struct ccs_accesses accesses;
	uint64_t period;
};
_Static_assert(sizeof(struct ccs_accesses_period) == 32, "accesses and period");

/* Hits of an instruction. */
struct ccs_saved_hits {
	uint64_t ip;
	uint64_t hits;
};

/*
 * CCS_SAVED: hits at the event's level that a fully associative cache would miss, in the burst that
 * this thread's last SAMPLES of the event belong to.
 */
struct ccs_saved {
	struct ccs_record record;
	uint32_t event;
	uint32_t count;
	/* count x saved hits */
};
_Static_assert(sizeof(struct ccs_saved) == 24, "saved");

/* Misses of an instruction, of them conflicts, and hits as in SAVED. */
struct ccs_class_count {
	uint64_t ip;
	uint64_t misses;
	uint64_t conflicts;
	uint64_t saved;
};

/*
 * CCS_CLASS_COUNTS: of all misses of an event in all threads of the process image, sampled or not,
 * since the last one; but for those that went by while batches were not CCS_BATCH_COUNTED. An
 * instruction is in one record at most until the next come.
 */
struct ccs_class_counts {
	struct ccs_record record;
	uint32_t event;
	uint32_t count;
	/* count x class count */
};
_Static_assert(sizeof(struct ccs_class_counts) == 24, "class counts");

/* CCS_COUNTS: totals since the process image began; the last one holds. */
struct ccs_counts {
	struct ccs_record record;
	uint64_t time;
	uint64_t instructions;
	uint64_t loads;			/* references; a read-modify-write is a load and a store */
	uint64_t stores;
	uint64_t load_misses;		/* at L1; a reference over two lines misses at most once */
	uint64_t store_misses;
	uint64_t fills;			/* lines brought into L1 */
};
_Static_assert(sizeof(struct ccs_counts) == 72, "counts");

/* CCS_LEVEL_COUNTS: a level beyond L1; the last one of an image and level holds. */
struct ccs_level_counts {
	struct ccs_record record;
	uint64_t time;
	uint32_t level;			/* 2, 3 */
	uint32_t reserved;
	uint64_t load_misses;
	uint64_t store_misses;
	uint64_t fills;			/* lines brought in */
	uint64_t unresolved;		/* accesses here whose set was not known */
};
_Static_assert(sizeof(struct ccs_level_counts) == 64, "level counts");

/*
 * CCS_ENTRY: the loader is done, and the image's own code begins. Totals up to here. What follows
 * is as if nothing had been before: caches are empty, sampling begins again. Where META `entries`
 * is "yes", every image has one but for a fork's child, whose parent's it is.
 */
struct ccs_entry {
	struct ccs_record record;
	uint64_t time;
	uint64_t instructions;
	uint64_t loads;
	uint64_t stores;
	uint64_t load_misses[3];	/* by level - 1 */
	uint64_t store_misses[3];
};
_Static_assert(sizeof(struct ccs_entry) == 96, "entry");

/* CCS_REFERENCES: all of a thread's (record.tid), one after the other, are its trace. */
struct ccs_references {
	struct ccs_record record;
	uint64_t references;		/* that the piece stands for */
	uint32_t bytes_size;
	uint32_t reserved;
	/* operations as prsd/encode.h has them, zeros to a multiple of 8 */
};
_Static_assert(sizeof(struct ccs_references) == 32, "references");

/*
 * CCS_MEMBERS: of a merged trace. The records up to the next one are those of a set of ranks, each
 * as if it were in a trace of its rank: image p of rank r of R is image (p - 1) R + r + 1. Threads
 * are numbered 1, 2, .. by image, in `tid` too. REFERENCES, which all have one row of operations
 * in common, are of all threads of the set: of a node, the loop over ranks, if there are several,
 * is the outermost; then comes that over threads.
 */
#define CCS_MEMBERS_MAX	(1u << 16)	/* ranks; threads of an image */

struct ccs_run {
	uint32_t first, step, count;	/* first, first + step, .. */
};

struct ccs_members {
	struct ccs_record record;
	uint32_t ranks;			/* in total: R */
	uint32_t rank_runs;
	uint32_t thread_runs;		/* 0 where no REFERENCES follow */
	uint32_t reserved;
	/* struct ccs_run: those of ranks, from 0, then those of threads, from 1; zeros */
};
_Static_assert(sizeof(struct ccs_members) == 32, "members");

/*
 * CCS_BURST: all loads and stores of a thread (record.tid), one after the other, for a short time.
 * Its BURST_PIECEs follow at once; a burst some of whose bytes are missing is not to be used.
 */
#define CCS_BURST_MAX	(16u << 20)

struct ccs_burst {
	struct ccs_record record;
	uint64_t time;			/* of its start */
	uint64_t end;			/* the same clock; the program ran slower in between */
	uint64_t cpu_ns;		/* CPU time of the thread at the start */
	uint64_t interval_ns;		/* ... since its burst before; of its first the mean time
					 * that this was drawn from: threads without any are many
					 */
	uint64_t spent_ns;		/* ... in the burst */
	uint64_t instructions;		/* where nearly all are string ones: @references */
	uint64_t references;
	uint32_t bytes;			/* of all pieces together, at most CCS_BURST_MAX */
	uint32_t reason;		/* why it ended: tracee/burst-log/log.h */
	uint64_t timed_ns;		/* timed, not traced: of @spent_ns, or before @time */
	uint64_t timed_instructions;	/* ... right before the references; 0 = it tells no speed */
	uint64_t missing_ns;		/* of @spent_ns, and not of @timed_ns: for new code */
	/*
	 * u64 addresses, as many as the record has room for: where a timer of its CPU time met the
	 * thread since its burst before, each for as long a time, and last where it did for this
	 * one; 0 = in a system call
	 */
};
_Static_assert(sizeof(struct ccs_burst) == 104, "burst");

/* No burst: only those addresses, as a thread ends. */
static inline int ccs_burst_is_none(const struct ccs_burst *burst)
{
	return !burst->references && !burst->instructions && !burst->spent_ns;
}

/*
 * CCS_LONG_BURST: a burst that is long enough for outer levels. It goes on where the thread's last
 * BURST ends. Old recordings hold but the references that any L1 may miss (bursts/strip.h).
 */
struct ccs_long_burst {
	struct ccs_burst burst;		/* .interval_ns: CPU time of all threads since the last
					 * long one; .references: those that the pieces hold
					 */
	uint64_t made, both;		/* references that it made; of these, that read and write */
};
_Static_assert(sizeof(struct ccs_long_burst) == 120, "long burst");

/* CCS_BURST_PIECE: as bursts/pack.h has them, zeros to a multiple of 8. */
struct ccs_burst_piece {
	struct ccs_record record;
	uint32_t bytes;
	uint32_t packing;		/* BURST_PACKING; 0: not read any more */
};
_Static_assert(sizeof(struct ccs_burst_piece) == 24, "burst piece");

enum ccs_lost_kind {
	CCS_LOST_SAMPLES = 1,		/* dropped by the source */
	CCS_LOST_FOREIGN = 2,		/* not of the recorded task */
	CCS_LOST_NO_ADDRESS = 3,	/* no usable data address */
	CCS_LOST_KILLED = 4,		/* an image died before it sent the rest: count = 1 */
	CCS_LOST_UNRECORDED = 5,	/* a process image that could not be recorded */
	CCS_LOST_EVENTS = 6,		/* side-band records (maps, blocks) dropped */
	CCS_LOST_THROTTLED = 7,		/* times an event was held; samples lost are unknown */
};

struct ccs_lost {
	struct ccs_record record;
	uint32_t kind;			/* enum ccs_lost_kind */
	uint32_t reserved;
	uint64_t count;
};
_Static_assert(sizeof(struct ccs_lost) == 32, "lost");

struct ccs_unsupported {
	struct ccs_record record;
	uint64_t time;
	uint64_t ip;
	uint8_t bytes[16];		/* at ip, zeros where unreadable */
};
_Static_assert(sizeof(struct ccs_unsupported) == 48, "unsupported");

struct ccs_exit {
	struct ccs_record record;
	uint64_t time;
	uint32_t status;		/* as of waitpid, ~0 = unknown (exec, or died unseen) */
	uint32_t reserved;
};
_Static_assert(sizeof(struct ccs_exit) == 32, "exit");

/*
 * CCS_TIMES: of the whole recording. Of runs of the program by itself, their medians; else of the
 * run recorded, its source's work included.
 */
struct ccs_times {
	struct ccs_record record;
	uint64_t wall_ns;
	uint64_t user_ns, system_ns;	/* of all its processes that were waited for */
	uint32_t runs;			/* by itself; 0 = the run recorded */
	uint32_t reserved;
};
_Static_assert(sizeof(struct ccs_times) == 48, "times");

/* CCS_END: the last record of a recording that was finished. */
struct ccs_end {
	struct ccs_record record;
	uint64_t samples;		/* in total */
	uint64_t records;		/* this one not counted */
	uint64_t duration_ns;		/* wall clock */
};
_Static_assert(sizeof(struct ccs_end) == 40, "end");

#include "format/results.h"

#endif /* CCSAMPLE_FORMAT_FORMAT_H */
