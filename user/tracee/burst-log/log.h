/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The area in shared memory between observed programs (writers: the library,
 * tracee/bursts) and the recorder (its one reader): bursts of memory references.
 *
 *	area = struct bursts_area, padded to BURSTS_PAGE; slots of BURSTS_SLOT bytes
 *	slot = struct burst, padded to BURSTS_PAGE; the log: BURSTS_LOG_WORDS words;
 *	       a page that writers cannot access; definitions of blocks
 *
 * A writer takes a free slot by compare-and-exchange, fills it in and stores
 * BURST_READY (release); the reader frees it when it has read it. A slot whose writer
 * died is freed by the reader: who writes it is said at once, by the exchange that takes it.
 * Whose slots are is said in the area's own page: a process that looks for a free one, as each
 * does when it begins, touches no other.
 *
 * The log is a sequence of executed basic blocks: the block's number, then as
 * many words as its definition says. The definition turns them into references.
 * A block's definition is in the slot of the first burst that ran it, or an
 * earlier one of the same image. The last block may have stopped early. Where the
 * reader is about to forget definitions, for want of memory, it says so by @forgotten:
 * writers empty their code caches at their next bursts, so that all is defined again.
 *
 * A long burst goes on in another slot where the log of one is full: its parts
 * come in their order, and the last has no @more.
 *
 * The reader believes nothing of what it finds.
 */
#ifndef CCSAMPLE_TRACEE_BURST_LOG_LOG_H
#define CCSAMPLE_TRACEE_BURST_LOG_LOG_H

#include <stddef.h>
#include <stdint.h>

#define BURSTS_MAGIC		0x6174737275626363ull	/* "ccbursta" */
#define BURSTS_MEMORY		"ccsample-bursts"	/* its name, of memfd_create() */
#define BURSTS_ENVIRONMENT	"CCSAMPLE_BURSTS"	/* path of the area */

#define BURSTS_PAGE		4096u
#define BURSTS_SLOTS		16u
#define BURSTS_LOG_WORDS	(256u << 10)
#define BURSTS_LOG		(BURSTS_LOG_WORDS * 8)
#define BURSTS_DEFINITIONS	(512u << 10)
#define BURSTS_INTERVAL_MOST	(UINT32_MAX / 2)
#define BURSTS_SPARE		4u		/* slots that long bursts leave to others */
#define BURSTS_SLOT		(BURSTS_PAGE + BURSTS_LOG + BURSTS_PAGE + BURSTS_DEFINITIONS)
#define BURSTS_FILE		(BURSTS_PAGE + BURSTS_SLOTS * BURSTS_SLOT)

/* Why a burst ended, or did not begin. Order is part of the layout. */
enum burst_reason {
	/* ends */
	BURST_FULL,			/* the log is full: the normal end */
	BURST_SYSTEM_CALL,
	BURST_UNTRUSTED_CODE,		/* writable, anonymous or shared code */
	BURST_OWN_CODE,			/* this library's functions */
	BURST_INSTRUCTION,		/* one that is not traced, see the list in refuse.c */
	BURST_RSEQ,			/* a restartable sequence begins */
	BURST_FAULT,			/* the program faulted */
	BURST_DEFINITIONS_FULL,		/* too many new blocks for one burst */
	BURST_SIGNAL,			/* a signal that looks like a fault was sent */
	/* no burst */
	BURST_BUSY,			/* another thread is in a burst */
	BURST_NO_SLOT,			/* the reader is behind */
	BURST_ALT_STACK,		/* a handler of the program runs on its alternate stack */
	BURST_SINGLE_STEP,		/* the trap flag is set */
	BURST_ALIGNMENT,		/* the flag of alignment checks is */
	BURST_SHADOW_STACK,		/* user shadow stacks are on */
	BURST_SECCOMP,			/* system calls are, or may become, restricted */
	BURST_TIMER,			/* the kernel gave no timer */
	BURST_MEMORY,			/* the kernel gave no memory */
	BURST_SIGNAL_TAKEN,		/* the program uses the timer's signal itself */
	BURST_SMALL_STACK,		/* the program's alternate stack is too small */
	BURST_BLOCKED,			/* the timer's signal is, by raw system calls */
	BURST_NO_PROC,			/* /proc cannot be read */
	BURST_IGNORED,			/* the program ignores SIGSEGV or SIGBUS, and has threads */
	BURST_SANITIZED,		/* ThreadSanitizer is in the program itself */
	BURST_REASONS
};

enum burst_state { BURST_FREE, BURST_WRITING, BURST_READY };

union burst_taken {
	struct {
		uint32_t state;		/* enum burst_state */
		uint32_t pid;		/* of its writer, as the reader numbers it */
	};
	uint64_t both;			/* 0 = free */
};

struct bursts_area {
	uint64_t magic;
	/* set by the reader: before the program starts, and what bursts are to be at any time */
	uint32_t log_words;		/* length of a burst, at most BURSTS_LOG_WORDS - 4096 */
	uint32_t interval_us;		/* mean CPU time of a thread between bursts */
	uint32_t first_us;		/* ... before a thread's first ones; grows to interval_us */
	uint32_t timed;	/* instructions that a burst counts before it logs; 0 = none */
	uint32_t timed_first;		/* an image's first burst does, too */
	uint32_t repeat;		/* bursts in a row, for tests; 0 = 1 */
	uint32_t filters;		/* the reader's seccomp filters + 1, 0 = unknown */
	uint32_t part_words;		/* length of a long burst's parts but the first */
	uint32_t parts;			/* of these, of the next burst alone: who takes them
					 * leaves 0
					 */
	uint32_t forgotten;		/* how often all is to be defined again */
	uint32_t process;		/* the only one, by the reader's number; 0 = each says */
	uint32_t limited;		/* intervals are by the size of the recording */
	uint32_t counter;		/* the processor's may be asked for: counter.h */
	uint32_t interrupting;		/* timers end system calls (Linux before 5.10): calls.c */
	uint32_t reader;		/* its process; 0 = it reads no more */
	/* set by writers */
	uint32_t filter_result;		/* do these filters allow bursts? see filter.c */
	uint32_t cpu;			/* what the processor has (x86/cpu.h); 0 = unknown yet */
	/* counted by writers */
	uint64_t images;		/* process images that armed */
	uint64_t begin_ns;		/* CPU time of their beginnings that is due to us */
	uint64_t threads;
	uint64_t bursts;
	uint64_t flushes;		/* the code cache was emptied */
	uint64_t restarted;		/* system calls restarted that the timer had interrupted */
	uint64_t idle_ns;		/* CPU time of timers' handlers that began no burst */
	uint64_t seen_ns;		/* CPU time of threads up to their last timers or ends */
	uint64_t reasons[BURST_REASONS];
	uint32_t first[BURST_REASONS];	/* the process that counted it first, 0 = unknown */
	union burst_taken taken[BURSTS_SLOTS];
};
_Static_assert(sizeof(struct bursts_area) <= BURSTS_PAGE, "area");

#define BURST_MET	192u
#define BURST_FEW_NEW	256u		/* blocks in a burst: the next one has a timed part */

struct burst {
	uint32_t pid;			/* as the reader numbers it */
	uint32_t tid;			/* as the process does, but for area->process: as well */
	uint32_t reason;		/* enum burst_reason */
	uint64_t image;			/* distinguishes the images of a process */
	uint64_t number;		/* the burst's, from 1 by image; BURST_READY slots only;
					 * 0 = none: where the timer met a thread that ends
					 */
	/*
	 * TSC, from the entry of the timer's handler to the end of the last one: all that the
	 * burst took, but for the kernel's delivery of that signal and the return from it.
	 */
	uint64_t start, end;
	uint64_t cpu_time;		/* of the thread, ns, at the start */
	uint64_t cpu_spent;		/* ns, from @start to @end, other threads' time left out */
	/*
	 * CPU time of the timed part before the log begins, and what its blocks counted (timed.h);
	 * TSC of what was spent on blocks that were missing, then and in the whole burst. No
	 * timed part: 0. @by_counter: what the program took before @start, and its instructions.
	 */
	uint64_t timed_ns, timed_instructions, timed_missing, missing;
	uint64_t settle_ns;	/* CPU time before a timed part, in which the caches settle */
	uint64_t logged_ns;	/* CPU time of the logged part, that of faults left out */
	uint64_t fs_base, gs_base;
	uint64_t rip, end_rip;		/* where the burst began, and where the program went on */
	uint32_t log_begin;		/* index of the first word */
	uint32_t log_end;		/* after the last valid word */
	uint32_t last_refs;		/* valid references of the last block */
	uint32_t definitions;		/* bytes */
	uint32_t translated;		/* blocks, in this burst */
	uint32_t blocks;		/* in the code cache at the end */
	uint32_t part;			/* 0 = a burst, or a long one's first part */
	uint32_t more;			/* 1 = another part follows */
	uint32_t by_counter;		/* 1 = @timed_ns ... are the processor's counter's */
	/*
	 * Where the timer met the thread since its burst before, each for as long a time, 0 = in a
	 * system call: at most BURST_MET, more are thinned out at random. Where it did for this.
	 */
	uint32_t met;
	uint32_t first_us;	/* of a thread's first burst: the mean that it was drawn from */
	uint64_t met_rip[BURST_MET];
	uint64_t met_first;
};
_Static_assert(sizeof(struct burst) <= BURSTS_PAGE, "burst");

static inline struct burst *bursts_slot(const struct bursts_area *area, unsigned int i)
{
	return (struct burst *)((uint8_t *)area + BURSTS_PAGE + (size_t)i * BURSTS_SLOT);
}

static inline unsigned int bursts_slot_number(const struct bursts_area *area,
					      const struct burst *slot)
{
	return ((const uint8_t *)slot - (const uint8_t *)area) / BURSTS_SLOT;
}

static inline uint64_t *bursts_slot_log(const struct burst *slot)
{
	return (uint64_t *)((uint8_t *)slot + BURSTS_PAGE);
}

/* The page that writers cannot access. */
static inline uint8_t *bursts_slot_guard(const struct burst *slot)
{
	return (uint8_t *)slot + BURSTS_PAGE + BURSTS_LOG;
}

static inline uint8_t *bursts_slot_definitions(const struct burst *slot)
{
	return bursts_slot_guard(slot) + BURSTS_PAGE;
}

static inline union burst_taken *bursts_taken(struct bursts_area *area, const struct burst *slot)
{
	return &area->taken[bursts_slot_number(area, slot)];
}

enum burst_kind { BURST_LOAD = 1, BURST_STORE = 2, BURST_LOAD_STORE = 3 };

enum burst_form {
	BURST_PLAIN,		/* address = word[slot] + offset */
	BURST_STATIC,		/* address = offset */
	BURST_STRING,		/* words: register before, after; @size is an element's */
	BURST_BIT,		/* words: address, bit number; @size 2, 4 or 8 */
	BURST_MASK,		/* words: address, mask of @count elements of @size */
	BURST_MASK_ANY,		/* the same, one access of @size if any bit is set */
	BURST_MASK_PACKED,	/* the same, as many elements as bits are set */
	BURST_MASK_VECTOR,	/* words: address, 4 of a vector: top bits of elements */
	BURST_GATHER,		/* words: address, mask (k), 8 of indices */
	BURST_GATHER_VECTOR,	/* words: address, 4 of a mask vector, 4 of indices */
};

#define BURST_FS	(1u << 0)	/* relative to the fs base */
#define BURST_GS	(1u << 1)
#define BURST_ADDRESS_32 (1u << 2)	/* truncated to 32 bits before the segment's base */
#define BURST_INDEX_64	(1u << 3)	/* of gathers: 64-bit indices, else 32 */

/* One reference of a block. */
struct burst_ref {
	uint16_t at;			/* its instruction, bytes from the block's start */
	uint16_t size;			/* bytes */
	uint8_t kind;			/* enum burst_kind */
	uint8_t form;			/* enum burst_form */
	uint8_t slot;			/* first word of the block's that it uses */
	uint8_t flags;			/* BURST_FS ... */
	uint8_t count;			/* elements */
	uint8_t scale;			/* of gathers */
	uint8_t reserved[6];
	int64_t offset;
};
_Static_assert(sizeof(struct burst_ref) == 24, "reference");

/* A block's definition; its references follow. */
struct burst_block {
	uint32_t size;			/* bytes, references included */
	uint32_t number;		/* in the log; never used again in this image */
	uint64_t address;
	uint16_t bytes;			/* of code */
	uint8_t instructions;
	uint8_t counted;		/* by a timed part: those of blocks before it, too */
	uint16_t words;			/* logged after the number */
	uint16_t refs;
};
_Static_assert(sizeof(struct burst_block) == 24, "block");

#endif /* CCSAMPLE_TRACEE_BURST_LOG_LOG_H */
