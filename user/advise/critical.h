/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long references take at least, because results wait for results: the longest chain of a
 * burst's instructions over registers and memory, if every load hits and the processor has all of
 * 512 instructions in flight; or what the divider or the vector units are busy for, where that is
 * more. A sum over an array waits for its additions, however fast its loads are.
 */
#ifndef CCSAMPLE_ADVISE_CRITICAL_H
#define CCSAMPLE_ADVISE_CRITICAL_H

#include "advise/keep.h"
#include "gain/latencies.h"

struct critical;

/* Both outlive it. @latencies: of the processor */
struct critical *critical_new(const struct keep *keep, const struct latencies *latencies);
void critical_free(struct critical *critical);

/* Of a reference, in cycles, if all loads hit. */
struct critical_time {
	uint32_t address;		/* when the registers of its address are there */
	uint32_t loaded;		/* when memory gave what it loads */
	uint32_t from;	/* the load that those registers come from last: + 1; 0 = none */
};

/**
 * critical_cycles() - the longest chain of some references.
 * @times: receives one of each; of the first, and where code cannot be read, zeros
 *
 * What runs between two of them is the code from one to the next, a loop's backward branch taken
 * where there is no other way; calls without references, and code that cannot be read, count as
 * nothing.
 *
 * Return: cycles of a reference.
 */
double critical_cycles(struct critical *critical, const struct keep_burst *burst, size_t from,
		       size_t count, struct critical_time *times);

#endif /* CCSAMPLE_ADVISE_CRITICAL_H */
