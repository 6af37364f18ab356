// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "share-model/emulation.h"

int emulation_open(struct emulation *emulation, const double *distances, uint32_t ways,
		   uint64_t seed)
{
	double sum = 0;
	uint32_t i;

	if (!ways || ways > SHARE_WAYS_MAX)
		return -EINVAL;
	*emulation = (struct emulation){ .ways = ways, .random = seed };
	for (i = 0; i <= ways; i++) {
		if (!(distances[i] >= 0))
			return -EINVAL;
		sum += distances[i];
	}
	if (!(sum > 0) || isinf(sum))
		return -EINVAL;
	for (i = 0; i <= ways; i++) {
		emulation->share[i] = distances[i] / sum;
		emulation->order[i] = i;
	}
	return 0;
}

/* What is due adds up to 1 after each share was added: something always is. */
static uint32_t draw_distance(struct emulation *emulation)
{
	uint32_t i, last = 0;
	double sum = 0, at;

	for (i = 0; i <= emulation->ways; i++) {
		emulation->due[i] += emulation->share[i];
		sum += fmax(emulation->due[i], 0);
	}
	at = random_unit(&emulation->random) * sum;
	for (i = 0; i <= emulation->ways && at >= 0; i++) {
		if (emulation->due[i] <= 0)
			continue;
		at -= emulation->due[i];
		last = i;
	}
	return last;
}

static uint32_t use(struct emulation *emulation, uint32_t depth)
{
	uint8_t line = emulation->order[depth];

	emulation->due[depth] -= 1;
	memmove(emulation->order + 1, emulation->order, depth);
	emulation->order[0] = line;
	return line;
}

uint32_t emulation_next(struct emulation *emulation)
{
	return use(emulation, draw_distance(emulation));
}

uint32_t emulation_next_of(struct emulation *emulation, const uint8_t *left)
{
	uint32_t drawn = draw_distance(emulation), depth = drawn;

	while (depth < emulation->ways && !left[emulation->order[depth]])
		depth++;
	if (!left[emulation->order[depth]])
		depth = drawn;
	while (depth && !left[emulation->order[depth]])
		depth--;
	return use(emulation, depth);
}
