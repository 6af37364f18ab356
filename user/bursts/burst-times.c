// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "bursts/burst-times.h"

#define WORD_NS		20u	/* to log a word and what belongs to it, at most */
#define WORD_LEAST_NS	0.5	/* ... at least */
#define STRINGS		16u	/* references a word, of string instructions */
#define BEGIN_NS	200000u	/* a burst's beginning and end, at most */
#define TIMED_LONGEST	1e12	/* instructions, of a writer who may say anything */
#define LOGGED_LEAST	1000u	/* ... of a log that says how many are counted */

static uint32_t words(const struct burst *burst)
{
	return burst->log_end - burst->log_begin;
}

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
	if (from->by_counter || references < (uint64_t)STRINGS * words(from) ||
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

/* As fast as the timed part was; but logging took its time, and so did new code. */
uint64_t burst_times_native(const struct burst *from, const struct ccs_burst *timed,
			    uint64_t instructions, double ticks_ns)
{
	double missing = fmax((double)from->missing - from->timed_missing, 0) / ticks_ns;
	double logged = fmin(from->logged_ns, from->cpu_spent);
	double most = logged - missing - WORD_LEAST_NS * words(from);

	if (!timed->timed_instructions || most <= 0)
		return 0;
	return fmin((double)timed->timed_ns / timed->timed_instructions * instructions, most);
}

uint64_t burst_times_traced(const struct burst *from, const struct ccs_burst *burst,
			    uint64_t instructions, double ticks_ns)
{
	uint64_t own = from->settle_ns + (from->by_counter ? 0 : burst->timed_ns) +
		       burst_times_native(from, burst, instructions, ticks_ns);
	uint64_t all = from->cpu_spent > own ? from->cpu_spent - own : 0;
	uint64_t most = burst->missing_ns + BEGIN_NS + (uint64_t)WORD_NS * words(from);

	return all < most ? all : most;
}

/* With a timed part most blocks are translated twice. */
bool burst_times_first(const struct burst *burst)
{
	bool timed = burst->timed_instructions && !burst->by_counter;

	return burst->translated < (timed ? 2 : 1) * BURST_FEW_NEW;
}
