/* SPDX-License-Identifier: GPL-2.0-only */
/* Recent walks up the stack, and what they depended on. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_RECENT_H
#define CCSAMPLE_TRACEE_PRELOAD_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tracee/preload/native.h"

/* Return addresses, and words that frame addresses were computed from: one a frame, as a rule. */
#define TRAIL_WORDS	(3 * STACK_DEPTH)

struct trail {
	uintptr_t sp;			/* where the walk began */
	uint32_t count;
	bool whole;			/* all of them are here */
	bool bp_matters;		/* rbp where it began is one of them */
	uint32_t offsets[TRAIL_WORDS];	/* from sp */
	uintptr_t words[TRAIL_WORDS];
};

struct recent {
	uintptr_t ip, bp;		/* where the walk began; ip = 0: none */
	uint32_t id;			/* of the stack */
	uint32_t generation;		/* of the rules */
	struct trail trail;
};

bool recent_init(void);

/* The running thread begins: sets self.recent, to NULL if there are too many threads. */
void recent_thread(void);

/* In a fork's child: what the parent's threads had is free. */
void recent_child(void);

/* A walk was none of those: a thread with many keeps more. */
void recent_missed(void);

/* Where a walk from here is kept. */
struct recent *recent_of(const struct caller *caller);

/* The walk from @caller would be the one that is kept. */
static inline bool recent_holds(const struct recent *recent, const struct caller *caller)
{
	const struct trail *trail = &recent->trail;
	uint32_t i;

	if (recent->ip != caller->ip || recent->generation != unwind_generation ||
	    trail->sp != caller->sp ||
	    (trail->bp_matters && recent->bp != caller->bp))
		return false;
	for (i = 0; i < trail->count; i++)
		if (*(const uintptr_t *)(caller->sp + trail->offsets[i]) != trail->words[i])
			return false;
	return true;
}

#endif /* CCSAMPLE_TRACEE_PRELOAD_RECENT_H */
