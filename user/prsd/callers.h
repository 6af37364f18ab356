/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signature of a call stack as ScalaMemTrace has it in each RSD: the XOR of the return
 * addresses, with recursion folded. Folded: a call from where the stack has been before leads back
 * there, so that neither the depth of a recursion nor that of mutual recursion changes the
 * signature. XOR does not see the order of callers.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_PRSD_CALLERS_H
#define CCSAMPLE_PRSD_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

struct caller {
	uint64_t place;			/* where its return address lies */
	uint64_t back;			/* the return address */
	uint64_t signature;		/* of the folded stack that ends with it */
	uint32_t folded;		/* number + 1 of the caller that stands for it */
	uint32_t outer;			/* ... and of the one before it; 0 = none */
};

/* A thread's; zeroed to begin with. The stack grows downwards. */
struct callers {
	struct caller *all;
	uint32_t count, room;
};

/*
 * A call whose return address @back was put to @place: what lies there or below has been left, by a
 * jump perhaps. Return: false without memory; the stack then stays as it was.
 */
bool callers_call(struct callers *callers, uint64_t place, uint64_t back,
		  const struct allocator *memory);

/* A return, after which the stack pointer is @top. */
void callers_return(struct callers *callers, uint64_t top);

static inline uint64_t callers_signature(const struct callers *callers)
{
	return callers->count ? callers->all[callers->count - 1].signature : 0;
}

#endif /* CCSAMPLE_PRSD_CALLERS_H */
