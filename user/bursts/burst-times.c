// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "bursts/burst-times.h"

#define WORD_NS		20u	/* to log a word and what belongs to it, at most */
#define STRINGS		16u	/* references a word, of string instructions */
#define BEGIN_NS	200000u	/* a burst's beginning and end, at most */
#define TIMED_LONGEST	1e12	/* instructions, of a writer who may say anything */
#define LOGGED_LEAST	1000u	/* ... of a log that says how many are counted */

double burst_times_ticks(uint64_t tsc, uint64_t ns, double so_far)
{
	uint64_t passed = now_ns() - ns;

	return passed > SECOND_NS / 1000 ? (double)(__rdtsc() - tsc) / passed : so_far;
}

uint64_t burst_times_instructions(const struct burst *burst, uint64_t instructions,
				  uint64_t counted)
{
	double timed = burst->timed_instructions;

	if (burst->by_counter || counted < LOGGED_LEAST)
		return timed;
	return fmin(timed * instructions / counted, TIMED_LONGEST);
}

/* Time is good for nothing where most of it went to code that was new. */
void burst_times_take(const struct burst *from, double ticks_ns, struct ccs_burst *to)
{
	double timed_missing = from->timed_missing / ticks_ns;

	to->missing_ns = from->missing / ticks_ns;
	to->timed_ns = fmax(from->timed_ns - timed_missing, 0);
	if (timed_missing <= from->timed_ns / 2.0)
		to->timed_instructions = from->timed_instructions;
}

void burst_times_strings(const struct burst *from, uint64_t references, struct ccs_burst *to)
{
	uint64_t words = from->log_end - from->log_begin;

	if (from->by_counter || references < STRINGS * words ||
	    from->logged_ns <= 2 * to->missing_ns)
		return;
	to->instructions = to->references;
	to->timed_instructions = references;
	to->timed_ns = from->logged_ns - to->missing_ns;
}

void burst_times_hold(struct ccs_burst *burst, uint64_t now)
{
	if (burst->end > now)
		burst->end = now;
	if (burst->time > burst->end)
		burst->time = burst->end;
}

uint64_t burst_times_traced(const struct burst *from, const struct ccs_burst *burst)
{
	uint64_t all = from->cpu_spent - from->settle_ns - (from->by_counter ? 0 : burst->timed_ns);
	uint64_t most = burst->missing_ns + BEGIN_NS +
			(uint64_t)WORD_NS * (from->log_end - from->log_begin);

	return all < most ? all : most;
}

/* With a timed part most blocks are translated twice. */
bool burst_times_first(const struct burst *burst)
{
	bool timed = burst->timed_instructions && !burst->by_counter;

	return burst->translated < (timed ? 2 : 1) * BURST_FEW_NEW;
}
