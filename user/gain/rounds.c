// SPDX-License-Identifier: GPL-2.0-only
#include "gain/rounds.h"

bool rounds_same(const struct rerun_reference *a, const struct rerun_reference *b)
{
	return a->site == b->site && a->kind == b->kind && a->bytes == b->bytes &&
	       a->from == b->from && a->to == b->to;
}

/* Parts groups by one more round. @at: its offsets. Return: false where they get too many. */
static bool part(struct rounds *rounds, const uint64_t *at)
{
	const uint64_t *last = at - rounds->period;
	uint8_t parent[ROUNDS_GROUPS] = { 0, 1, 2 };
	struct rounds finer = *rounds;

	for (size_t i = 0; i < rounds->period; i++) {
		uint8_t old = rounds->which[i], leader;
		size_t group = 0;

		for (; group < finer.groups; group++) {
			leader = finer.leader[group];
			if (parent[group] == old && at[leader] - last[leader] == at[i] - last[i])
				break;
		}
		if (group == ROUNDS_GROUPS)
			return false;
		if (group == finer.groups) {
			finer.leader[finer.groups++] = i;
			parent[group] = old;
		}
		finer.which[i] = group;
	}
	*rounds = finer;
	return true;
}

static void follow(const struct rerun_reference *references, const uint64_t *offsets, size_t count,
		   struct rounds *rounds)
{
	size_t period = rounds->period, at = period;

	for (; at + period <= count; at += period) {
		for (size_t i = at; i < at + period; i++)
			if (!rounds_same(&references[i], &references[i - period]))
				goto end;
		if (!part(rounds, offsets + at))
			goto end;
	}
end:
	rounds->rounds = at / period;
}

bool rounds_find(const struct rerun_reference *references, const uint64_t *offsets, size_t count,
		 struct rounds *rounds)
{
	rounds->period = rounds->rounds = 0;
	for (size_t period = 1; period <= ROUNDS_PERIOD; period++) {
		struct rounds some = { .period = period, .groups = 1 };

		follow(references, offsets, count, &some);
		if (some.rounds >= ROUNDS_LEAST &&
		    some.period * some.rounds > rounds->period * rounds->rounds)
			*rounds = some;
	}
	return rounds->rounds;
}
