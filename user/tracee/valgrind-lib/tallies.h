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

/* Of one level. */
struct tally_counts {
	ULong misses;
	ULong conflicts;	/* of them */
	ULong saved;		/* hits that a fully associative cache would miss */
};

struct counted_loop;

/* Of an instruction; ip 0 = a free place. */
struct tally {
	Addr ip;
	struct counted_loop *loop;	/* counting.c's, which keeps both */
	UInt found;
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
 * tallies_send() - sends all counts, and forgets them.
 * @events: of the records, by level - 1; 0 = not sent
 * @add: makes a record: type, thread, size, size of what follows it
 */
void tallies_send(const UInt events[CACHE_LEVELS],
		  void *(*add)(UInt type, UInt tid, UInt size, UInt tail));

/*
 * About a second has passed. Return: to send them, often at first, so that short runs that are
 * killed have some, and more and more seldom, so that long ones have not too many.
 */
Bool tallies_due(void);

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

static inline struct tally *tallies_miss(UInt n, Addr ip, Bool conflict)
{
	struct tally *tally = tallies_of(ip);

	tally->levels[n].misses++;
	tally->levels[n].conflicts += conflict;
	return tally;
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_TALLIES_H */
