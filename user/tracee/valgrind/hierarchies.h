/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches of the image: a hierarchy for each thread, a last level of three that all share, and
 * where pages lie for the outer ones. The sampler and the simulator both run on them.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_HIERARCHIES_H
#define CCSAMPLE_TRACEE_VALGRIND_HIERARCHIES_H

#include "tracee/valgrind/engine.h"

extern struct outer_level *hierarchies_shared;	/* the last of three levels, NULL = fewer */

/* Makes what all threads share, by the plan of the options. */
void hierarchies_init(void);

/* Empties that, and gives pages other frames. */
void hierarchies_renew(void);

/* Gives a thread empty caches: @hierarchy, which @t points into for generated code. */
void hierarchies_open(struct engine_thread *t, struct hierarchy *hierarchy);

/* Takes them away. */
void hierarchies_close(struct engine_thread *t, struct hierarchy *hierarchy);

#endif /* CCSAMPLE_TRACEE_VALGRIND_HIERARCHIES_H */
