// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "bursts/warm-up.h"

#define SPARSE		4u		/* bits for a line that is looked for, or twice that */
#define LEAST		64u

void warm_up_open(struct warm_up *warm_up, uint32_t lines, uint64_t patience)
{
	double bits;

	*warm_up = (struct warm_up){ .bits = LEAST, .patience = patience };
	while (warm_up->bits < SPARSE * lines)
		warm_up->bits *= 2;
	bits = warm_up->bits;
	warm_up->most = lround(bits * (1 - exp(-(lines / bits))));
	warm_up->bit = xcalloc(warm_up->bits / 64, sizeof(*warm_up->bit));
}

void warm_up_close(struct warm_up *warm_up)
{
	free(warm_up->bit);
	warm_up->bit = NULL;
}

void warm_up_begin(struct warm_up *warm_up)
{
	memset(warm_up->bit, 0, warm_up->bits / 8);
	warm_up->set = 0;
	warm_up->references = 0;
	burst_strip_begin(&warm_up->recent);
}

void warm_up_line(struct warm_up *warm_up, uint64_t line)
{
	uint64_t at = random_of(line) % warm_up->bits;
	uint64_t *word = &warm_up->bit[at / 64], bit = 1ull << at % 64;

	warm_up->set += !(*word & bit);
	*word |= bit;
}

uint32_t warm_up_lines(const struct warm_up *warm_up)
{
	double bits = warm_up->bits;

	return lround(-bits * log1p(-(warm_up->set / bits)));
}
