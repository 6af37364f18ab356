// SPDX-License-Identifier: GPL-2.0-only
#include "gain/affine.h"
#include "gain/rounds.h"

#define STEP_MOST	(1 << 24)	/* bytes: fits an instruction, a few rounds of it, too */

/* Which of the loop's steps it is. Return: false where that is one too many. */
static bool enter_step(struct affine *affine, size_t reference, int64_t step)
{
	size_t i = 0;

	while (i < affine->steps && affine->step[i] != step)
		i++;
	if (i == AFFINE_STEPS || step > STEP_MOST || step < -STEP_MOST)
		return false;
	if (i == affine->steps)
		affine->step[affine->steps++] = step;
	affine->which[reference] = i;
	return true;
}

/* References from @at on that are as those of the round before. */
static size_t follow(const struct affine *affine, const struct rerun_reference *references,
		     const uint64_t *offsets, size_t count)
{
	size_t period = affine->period, at = period;

	while (at < count && rounds_same(&references[at], &references[at - period]) &&
	       (int64_t)(offsets[at] - offsets[at - period]) ==
	       affine->step[affine->which[at % period]])
		at++;
	return at / period;
}

static bool try_period(const struct rerun_reference *references, const uint64_t *offsets,
		       size_t count, struct affine *affine)
{
	size_t period = affine->period;

	if (count / period < AFFINE_ROUNDS)
		return false;
	affine->steps = 0;
	for (size_t i = 0; i < period; i++)
		if (!rounds_same(&references[i], &references[i + period]) ||
		    !enter_step(affine, i, offsets[i + period] - offsets[i]))
			return false;
	affine->rounds = follow(affine, references, offsets, count);
	return affine->rounds >= AFFINE_ROUNDS;
}

bool affine_find(const struct rerun_reference *references, const uint64_t *offsets, size_t count,
		 struct affine *affine)
{
	struct affine some;

	affine->period = affine->rounds = 0;
	for (some.period = 1; some.period <= AFFINE_PERIOD; some.period++)
		if (try_period(references, offsets, count, &some) &&
		    some.period * some.rounds > affine->period * affine->rounds)
			*affine = some;
	return affine->rounds;
}
