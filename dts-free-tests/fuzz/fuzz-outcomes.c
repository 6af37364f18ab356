// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of a burst's outcomes from anywhere: within bounds; what was packed comes back. */
#include <stdlib.h>

#include "bursts/outcomes-pack.h"
#include "same-outcomes.h"

#define REFERENCES	1000u

static void check(const struct burst_outcomes *all)
{
	if (all->miss_count > REFERENCES || burst_sum(all->tally.misses) != all->miss_count)
		abort();
	for (size_t i = 0; i < all->miss_count; i++)
		if (!all->misses[i].number || all->misses[i].number > REFERENCES ||
		    !all->misses[i].kind || all->misses[i].kind > 3 ||
		    all->misses[i].outcome > OUTCOME_CONFLICT)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct burst_outcomes all[BURST_OUTCOME_LEVELS] = { 0 }, back[BURST_OUTCOME_LEVELS] = { 0 };
	struct packed_outcomes packed = { .bytes = NULL };
	uint32_t levels, again;
	const char *wrong = burst_outcomes_unpack(data, size, REFERENCES, all, &levels);

	for (uint32_t level = 1; level <= BURST_OUTCOME_LEVELS; level++) {
		check(&all[level - 1]);
		if (!wrong && levels >> level & 1)
			burst_outcomes_pack(&packed, level, &all[level - 1]);
	}
	if (!wrong && packed.size) {
		if (burst_outcomes_unpack(packed.bytes, packed.size, REFERENCES, back, &again) ||
		    again != levels)
			abort();
		for (uint32_t i = 0; i < BURST_OUTCOME_LEVELS; i++)
			if (!same_outcomes(&all[i], &back[i]))
				abort();
	}
	for (uint32_t i = 0; i < BURST_OUTCOME_LEVELS; i++) {
		burst_outcomes_free(&all[i]);
		burst_outcomes_free(&back[i]);
	}
	free(packed.bytes);
	return 0;
}
