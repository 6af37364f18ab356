/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often each instruction missed at each level, and how often in conflict: of all misses, not of
 * those that are sampled alone.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_TALLIES_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_TALLIES_H

#include "pub_tool_basics.h"

#include "cachesim/hierarchy.h"
#include "format/format.h"

#define TALLIES_PIECE	512u		/* instructions in a record */

/* Of one level. */
struct tally_counts {
	ULong misses;
	ULong conflicts;	/* of them */
	ULong saved;		/* hits that a fully associative cache would miss */
};

/* Of an instruction; ip 0 = a free place. */
struct tally {
	Addr ip;
	struct tally_counts levels[CACHE_LEVELS];
};

/* An instruction lies where it is looked for first, or behind. */
extern struct tally *tallies;
extern UInt tallies_mask;

void tallies_init(void);

/* An instruction that lies behind, or has no counts so far. Return: them, or zeros. */
struct tally *tallies_add(Addr ip);

/* Forgets all counts. */
void tallies_clear(void);

/**
 * tallies_piece() - what is to be sent of one level.
 * @n: level - 1
 * @from: number in @tallies to go on with, 0 at first
 * @piece: TALLIES_PIECE at most
 *
 * Return: how many; 0 = all were given.
 */
UInt tallies_piece(UInt n, UInt *from, struct ccs_class_count *piece);

/* Are there counts of instructions in [start, start + size)? */
Bool tallies_hold(Addr start, SizeT size);

static inline UInt tallies_first(Addr ip)
{
	return (ip ^ ip >> 12) & tallies_mask;
}

/* An instruction's counts, valid until the next call. */
static inline struct tally *tallies_of(Addr ip)
{
	struct tally *tally = &tallies[tallies_first(ip)];

	return tally->ip == ip ? tally : tallies_add(ip);
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_TALLIES_H */
