/* SPDX-License-Identifier: GPL-2.0-only */
/* Which piece of code an instruction belongs to: a function's source line. */
#ifndef CCSAMPLE_ANALYSIS_CONTEXTS_H
#define CCSAMPLE_ANALYSIS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/space.h"
#include "rcd/rcd.h"

#define TALLY_LEVELS 4			/* indexed by level, 0 = an event of no cache level */

/* A context while samples are counted. */
struct tally {
	struct module *module;		/* NULL = in no file */
	const char *function;		/* never NULL */
	const char *file;		/* NULL = unknown */
	uint32_t line;			/* 0 = unknown */
	const char *dso;
	uint64_t address;		/* lowest sampled, link-time */
	bool named;			/* the function has a name of its own */
	uint64_t samples[TALLY_LEVELS];
	struct rcd_context *rcd[TALLY_LEVELS];	/* NULL until the level has a sample */
};

struct contexts;

struct contexts *contexts_new(void);
void contexts_free(struct contexts *contexts);

/* Number of contexts; they are numbered from 0. */
size_t contexts_count(const struct contexts *contexts);
struct tally *contexts_tally(struct contexts *contexts, size_t index);

/**
 * contexts_find() - the number of an instruction's context.
 * @process: process image the instruction ran in
 * @space: its address space, as it is now
 * @ip: address of the instruction
 *
 * A few nanoseconds where the instruction was seen before.
 */
size_t contexts_find(struct contexts *contexts, uint32_t process, struct space *space, uint64_t ip);

#endif /* CCSAMPLE_ANALYSIS_CONTEXTS_H */
