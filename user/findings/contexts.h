/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which piece of code an instruction belongs to: its innermost loop, its
 * function where it is in none, or a source line where the code cannot be read.
 */
#ifndef CCSAMPLE_FINDINGS_CONTEXTS_H
#define CCSAMPLE_FINDINGS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"
#include "rcd/spread.h"
#include "loops/nests.h"
#include "space/space.h"
#include "rcd/rcd.h"

#define TALLY_LEVELS 4			/* indexed by level, 0 = an event of no cache level */

/* Over recordings. */
struct tally_spread {
	struct spread share;		/* of the level's samples */
	struct spread cf;
	struct spread_files cf_files;	/* those in which it has misses */
	uint64_t misses, near;		/* at the end of the last recording */
};

/* A context while samples are counted. */
struct tally {
	struct code_region region;	/* id: its number + 1; the function is never NULL */
	bool named;			/* the function has a name of its own */
	bool leaf;			/* no loop in it */
	uint64_t samples[TALLY_LEVELS];
	double weight[TALLY_LEVELS];	/* of them: what they stand for */
	uint64_t writes[TALLY_LEVELS];	/* of them, of instructions that write */
	uint64_t both[TALLY_LEVELS];	/* ... and read */
	struct rcd_context *rcd[TALLY_LEVELS];	/* NULL until the level has a sample */
	struct rcd_context *around[TALLY_LEVELS];	/* with the loops in it; of a leaf NULL */
	struct rcd_counted counted[TALLY_LEVELS];	/* whether sampled or not */
	struct rcd_counted counted_around[TALLY_LEVELS];	/* with the loops in it */
	struct tally_spread *spread[TALLY_LEVELS];	/* NULL = there is but one recording */
};

struct contexts;

struct contexts *contexts_new(void);
void contexts_free(struct contexts *contexts);

/* A recording ends: process images may have the same numbers in the next. */
void contexts_end(struct contexts *contexts);

/* Number of contexts; they are numbered from 0. */
size_t contexts_count(const struct contexts *contexts);
struct tally *contexts_tally(struct contexts *contexts, size_t index);

/* An array of what is counted of pieces of code, which begin with a struct code_region. */
struct code_pieces {
	void *all;			/* room for as many as there are contexts */
	size_t step;			/* bytes from one to the next */
	size_t count;
	size_t *numbers;		/* by context: the number of its piece + 1, 0 = none yet */
};

/* A context's piece, made with all that are around it. Return: its number + 1, its region's id. */
size_t contexts_piece(struct contexts *contexts, struct code_pieces *pieces, size_t context);

/* An instruction that was sampled. */
struct code_site {
	struct module *module;		/* NULL = in no file */
	uint64_t address;		/* link-time, or the plain address */
	bool anonymous;			/* mapped, but of no file */
	size_t context;
	const char *file;		/* NULL = unknown */
	uint32_t line;			/* 0 = unknown */
};

/* Number of sites; they are numbered from 0. */
size_t contexts_sites(const struct contexts *contexts);
const struct code_site *contexts_site(const struct contexts *contexts, size_t number);

/* The context around one, NULL = none. */
struct tally *contexts_parent(struct contexts *contexts, const struct tally *tally);

/* The number of the site of an instruction: known from another process image, or new. */
size_t contexts_site_of(struct contexts *contexts, const struct code *code);

/**
 * contexts_find() - the number of an instruction's site, which has its context.
 * @process: process image the instruction ran in
 * @space: its address space, as it is now
 * @ip: address of the instruction
 *
 * A few nanoseconds where the instruction was seen before.
 */
size_t contexts_find(struct contexts *contexts, uint32_t process, struct space *space, uint64_t ip);

#endif /* CCSAMPLE_FINDINGS_CONTEXTS_H */
