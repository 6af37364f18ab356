// SPDX-License-Identifier: GPL-2.0-only
/*
 * near TURNS OTHERS [LATE [HITS]]: a loop of one miss a turn: OTHERS of them on lines of a large array, one after the
 * other, then one on a line of five of the same set of four ways, in turn: a conflict.
 *
 * With LATE two threads run it, and then another loop of as many turns, one in ten of them a conflict.
 * With HITS one does alone, and each of those turns has so many hits.
 */
#include <pthread.h>
#include <stdlib.h>

#define LINE	64
#define SETS	64	/* of a cache of 16 KiB and four ways */
#define LARGE	(1 << 24)

static _Alignas(SETS * LINE) volatile char column[5 * SETS * LINE], large[LARGE];
static int turns, others, late_turns, late_hits;

static inline __attribute__((always_inline)) void run(int times, int apart, int hits)
{
	unsigned int at = 0;

	for (int i = 0; i < times; i++) {
		if (i % (apart + 1))
			large[at = (at + LINE) % LARGE];
		else
			column[i / (apart + 1) % 5 * SETS * LINE];
		for (int hit = 0; hit < hits; hit++)
			large[at];
	}
}

static __attribute__((noinline)) void first(void)
{
	run(turns, others, 0);
}

static __attribute__((noinline)) void late(void)
{
	run(late_turns, 9, late_hits);
}

static void *both(void *met)
{
	first();
	pthread_barrier_wait(met);
	late();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_barrier_t met;
	pthread_t other;

	turns = argc > 2 ? atoi(argv[1]) : 0;
	others = argc > 2 ? atoi(argv[2]) : 0;
	late_turns = argc > 3 ? atoi(argv[3]) : 0;
	late_hits = argc > 4 ? atoi(argv[4]) : 0;
	if (!late_turns) {
		first();
		return 0;
	}
	pthread_barrier_init(&met, NULL, late_hits ? 1 : 2);
	if (late_hits)
		return !!both(&met);
	if (pthread_create(&other, NULL, both, &met))
		return 1;
	both(&met);
	return pthread_join(other, NULL);
}
