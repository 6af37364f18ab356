/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder's side of bursts (tracee/burst-log/log.h): the shared area made (log-area.c), its
 * slots taken, logs turned into references (log.c). Takes memory that other processes
 * write and believes nothing of it; gives references in the order in which they
 * were made.
 */
#ifndef CCSAMPLE_BURSTS_LOG_H
#define CCSAMPLE_BURSTS_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "bursts/basic-block.h"
#include "bursts/reference.h"
#include "tracee/burst-log/log.h"

struct burst_packer;

#define BURST_LOG_RECENT	4096u
#define BURST_LOG_MOST		(16u << 20)	/* references read of a burst, or a part */

struct log_recent {
	uint64_t number;		/* 0 = none */
	struct basic_block *block;
	/*
	 * What came after it last: a processor that foretells the comparison with the number in
	 * the log goes on there before it knows that, and need not wait for each block's words.
	 */
	struct log_recent *next;
};

#define BURST_LOG_RUN	32u	/* blocks numbered one after another: they mostly run so, too */

struct burst_run {
	struct burst_run *before;	/* of the same definitions, the one made before */
	struct basic_block *block[BURST_LOG_RUN];	/* NULL = not defined */
};

/* Definitions of all images: by image and number. */
struct burst_definitions {
	struct map runs;		/* key: image and number / BURST_LOG_RUN; value: address */
	struct burst_run *last;
	size_t count;			/* of blocks */
	uint64_t kept;			/* bytes of them, about */
};

struct burst_log {
	struct bursts_area *area;
	int fd;
	int counter;			/* an event of ours, disabled; -1 = none: see log-area.c */
	char path[64];			/* for BURSTS_ENVIRONMENT */
	struct burst_definitions known;
	struct burst_definitions before;	/* for bursts that have begun by then */
	/* of the image that is read: by their numbers' low bits */
	struct log_recent recent[BURST_LOG_RECENT];
	uint64_t recent_image;
	uint64_t most;			/* references read of a burst */
	uint64_t freed, freed_before;	/* how often blocks were, when a long burst began */
	struct burst *next;		/* the slot that burst_log_next() found */
	/* what was read */
	uint64_t bursts, references, instructions;
	uint64_t counted;		/* instructions, as a timed part does (timed.h) */
	uint64_t both;			/* references that read and write */
	uint64_t cut;			/* references beyond those that were read */
	uint64_t bad;			/* bursts that did not hold together */
	const char *why;		/* ... the last of them */
};

struct burst_log_options {
	uint32_t words;			/* log words in a burst, 1 .. BURSTS_LOG_WORDS */
	uint32_t interval_us;		/* mean CPU time of a thread between bursts, >= 1 */
	uint32_t first_us;		/* ... before its first, which are closer */
	uint32_t references;		/* read of a burst that is no long one's part; 0 = 16 Mi */
	uint32_t timed;			/* instructions of the timed part, 0 = there is none */
	bool counter;			/* the processor's says how fast, where it may be had */
};

/* Makes the area. Return: 0, or -1 after a line through fail(). */
int burst_log_open(struct burst_log *log, const struct burst_log_options *options);
/* The same, in an empty file of memory, which is closed in any case. */
int burst_log_open_at(struct burst_log *log, const struct burst_log_options *options, int fd);
void burst_log_close(struct burst_log *log);

/* Forgets all definitions of blocks. */
void burst_log_forget(struct burst_log *log);

/**
 * burst_log_next() - the burst that is ready and began first; of its image the first by number.
 * @burst: set to what its writer says of it
 *
 * Bursts of one image come in their order, and those of one thread. burst_log_read() must follow.
 *
 * Return: false if none is ready.
 */
bool burst_log_next(struct burst_log *log, struct burst *burst);

/**
 * burst_log_read() - read it, and free its slot.
 * @burst: as burst_log_next() set it
 * @packer: begins with it and takes its blocks, as far as they have ->most references; a long
 *	burst's parts behind the first, one after the other, are packed as one burst, which begins
 *	with part 1; NULL = not
 * @take: called with the references until it has enough; NULL = they are counted
 *
 * A burst that does not hold together is counted as bad, and ->why says so; what it gave before is
 * true.
 */
void burst_log_read(struct burst_log *log, const struct burst *burst, struct burst_packer *packer,
		    burst_references_fn *take, void *context);

/* Slots whose writers are gone are free again. */
void burst_log_reclaim(struct burst_log *log);

/* A reason in words: "full", "system call", ... */
const char *burst_reason_name(unsigned int reason);

#endif /* CCSAMPLE_BURSTS_LOG_H */
