// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow to an index at random against one that is large enough, seed 1. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "tap.h"

#define MOST 5000

int main(void)
{
	static uint32_t model[MOST];
	uint32_t *array = NULL;
	uint64_t seed = 1;
	size_t count = 0;
	bool good = true;

	for (int round = 1; round <= 300 && good; round++) {
		size_t index = random_below(&seed, 1 + (size_t)round * round * (MOST - 1) / 90000);

		array = grow_to(array, index, &count, sizeof(*array));
		good = index < count;
		if (!good)
			break;
		array[index] = model[index] = round;
		for (size_t i = 0; i < count && good; i++)
			good = array[i] == (i < MOST ? model[i] : 0);
	}
	ok(good, "what was there is kept, what is new is zero");
	free(array);
	return done();
}
