/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines brought into L1, by the last bits of their number: what a line was evicted for. */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_EVICTORS_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_EVICTORS_H

#include "pub_tool_basics.h"

#include "cachesim/lines.h"
#include "format/format.h"

/* What a line was evicted for: another line, brought in by an instruction. */
struct evictor {
	Addr line, ip;		/* CCS_UNKNOWN = unknown */
};

struct evictors {
	struct evictor *latest;
	UInt mask;		/* as many are known, less 1 */
	UInt last;		/* number; they begin again at 1 after the last one there is */
};

/* Return: its number. */
static inline UInt evictors_add(struct evictors *evictors, Addr line, Addr ip)
{
	UInt number = evictors->last + 1 < LINES_END ? evictors->last + 1 : 1;

	evictors->last = number;
	evictors->latest[number & evictors->mask] = (struct evictor){ line, ip };
	return number;
}

/* @number: evictors_add()'s, 0 = none */
static inline struct evictor evictors_at(const struct evictors *evictors, UInt number)
{
	UInt age = evictors->last >= number ? evictors->last - number :
					      evictors->last + (LINES_END - 1 - number);

	if (!number || age > evictors->mask)
		return (struct evictor){ CCS_UNKNOWN, CCS_UNKNOWN };
	return evictors->latest[number & evictors->mask];
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_EVICTORS_H */
