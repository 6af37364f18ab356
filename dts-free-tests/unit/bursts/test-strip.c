// SPDX-License-Identifier: GPL-2.0-only
/* What is left of references has the misses of all of them, in any L1 of 64 sets or a multiple. */
#include <string.h>

#include "bursts/strip.h"
#include "lru-lines.h"
#include "draw.h"
#include "tap.h"

#define SETS_MOST	256u
#define WAYS_MOST	12u
#define REFERENCES	200000u

/* Near the last one, or anywhere in 128 KiB; some lie in two lines. */
static struct burst_reference next(uint64_t *last)
{
	*last = draw(4) ? *last + draw(24) : draw(128 << 10);
	return (struct burst_reference){ .ip = 1, .address = 0x7f0000000000 + *last,
					 .size = draw(16) ? 8 : 64, .kind = 1 };
}

static uint64_t cache[SETS_MOST][WAYS_MOST];

/* Return: whether the first, the second line misses, as bits. */
static unsigned int use(uint32_t sets, uint32_t ways, const struct burst_reference *reference)
{
	uint64_t line = reference->address / 64;
	uint64_t last = (reference->address + reference->size - 1) / 64;
	unsigned int missed = 0;

	for (; line <= last; line++)
		missed = missed << 1 | !lru_use(cache[line % sets], ways, line);
	return missed;
}

static void test(uint32_t sets, uint32_t ways)
{
	uint64_t lost = 0, stripped = 0, misses = 0, other = 0, last = 0;
	struct burst_strip strip;
	static uint64_t with[REFERENCES];
	uint32_t i;

	state = 7;
	memset(cache, 0xff, sizeof(cache));
	for (i = 0; i < REFERENCES; i++) {
		struct burst_reference reference = next(&last);

		with[i] = use(sets, ways, &reference);
		misses += !!with[i];
	}
	state = 7;
	last = 0;
	memset(cache, 0xff, sizeof(cache));
	burst_strip_begin(&strip);
	for (i = 0; i < REFERENCES; i++) {
		struct burst_reference reference = next(&last);

		if (burst_strip_hits(&strip, &reference)) {
			stripped++;
			lost += !!with[i];
			continue;
		}
		other += use(sets, ways, &reference) != with[i];
	}
	ok(misses > 1000 && stripped > REFERENCES / 4, "%u sets of %u ways: %llu of %u stripped, "
	   "%llu miss, seed 7", sets, ways, (unsigned long long)stripped, REFERENCES,
	   (unsigned long long)misses);
	ok(!lost && !other, "... no miss among the former, and the same among the rest");
}

int main(void)
{
	test(64, 1);
	test(64, 8);
	test(64, 12);
	test(128, 4);
	test(256, 2);
	return done();
}
