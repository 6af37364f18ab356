// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "advise/own.h"
#include "base/median.h"
#include "base/memory.h"

/* The loop that most of its references are of: its number + 1, 0 = none that misses. */
static uint32_t loop_of(const struct keep *keep, const struct keep_burst *burst)
{
	uint64_t *counts = xcalloc(keep_contexts(keep), sizeof(*counts));
	uint32_t most = 0;

	for (size_t i = 0; i < burst->count; i++) {
		uint32_t loop = keep->site[burst->accesses[i].site].context;

		if (++counts[loop] > counts[most])
			most = loop;
	}
	free(counts);
	return most;
}

/* What a quarter of a loop's bursts are faster than. @room: one a burst */
static double quarter(const struct keep *keep, const uint32_t *loops, uint32_t loop, double *room)
{
	size_t count = 0;

	for (size_t i = 0; i < keep->burst_count; i++)
		if (keep->bursts[i].own > 0 && loops[i] == loop)
			room[count++] = keep->bursts[i].own;
	qsort(room, count, sizeof(*room), compare_doubles);
	return count ? room[count / 4] : 0;
}

double *own_times(const struct keep *keep)
{
	size_t count = keep->burst_count;
	double *own = xcalloc(count + 1, sizeof(*own)), *room = xcalloc(count + 1, sizeof(*room));
	uint32_t *loops = xcalloc(count + 1, sizeof(*loops));

	for (size_t i = 0; i < count; i++)
		loops[i] = loop_of(keep, &keep->bursts[i]);
	for (size_t i = 0; i < count; i++) {
		own[i] = quarter(keep, loops, loops[i], room);
		if (keep->bursts[i].own > 0)
			own[i] = fmin(keep->bursts[i].own, own[i]);
	}
	free(loops);
	free(room);
	return own;
}
