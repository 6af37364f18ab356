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

struct tally {
	Addr ip;		/* 0 = none yet */
	struct tally_counts levels[CACHE_LEVELS];
};

/* Instructions that have counts, in no order; the first @tallies_count are valid. */
extern struct tally *tallies;
extern UInt tallies_count;

/* Where an instruction is looked for first: its number in @tallies + 1, 0 = none. */
extern UInt *tallies_index;
extern UInt tallies_mask;

void tallies_init(void);

/* An instruction that has no counts so far. Return: its zeros; others may have moved. */
struct tally *tallies_add(Addr ip);

/* Forgets all counts. */
void tallies_clear(void);

/**
 * tallies_piece() - what is to be sent of one level.
 * @n: level - 1
 * @from: number in @tallies to go on with
 * @piece: TALLIES_PIECE at most
 *
 * Return: how many; 0 = all were given.
 */
UInt tallies_piece(UInt n, UInt *from, struct ccs_class_count *piece);

/* Are there counts of instructions in [start, start + size)? */
Bool tallies_hold(Addr start, SizeT size);

static inline UInt tallies_first(Addr ip)
{
	return (ip * 0x9e3779b97f4a7c15ull >> 32) & tallies_mask;
}

/* An instruction's counts, valid until the next call. */
static inline struct tally *tallies_of(Addr ip)
{
	UInt at = tallies_first(ip);

	for (; tallies_index[at]; at = (at + 1) & tallies_mask)
		if (tallies[tallies_index[at] - 1].ip == ip)
			return &tallies[tallies_index[at] - 1];
	return tallies_add(ip);
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_TALLIES_H */
