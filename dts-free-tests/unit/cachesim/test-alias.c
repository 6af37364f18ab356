// SPDX-License-Identifier: GPL-2.0-only
/* 4K aliasing against the definition, looked up store by store. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cachesim/alias.h"
#include "draw.h"
#include "tap.h"

#define STEPS	200000
#define SEED	4096u

static uint64_t state = SEED;

struct store {
	uint64_t address;
	uint32_t size, who;
};

/* The youngest of the last stores that meets the load's bytes modulo 4096: its answer. */
static uint32_t by_definition(const struct store *stores, uint64_t count, uint64_t window,
			      uint64_t address, uint32_t size)
{
	for (uint64_t i = count; i-- && count - i <= window;) {
		bool met = false, own = false;

		for (uint32_t s = 0; s < stores[i].size; s++) {
			for (uint32_t l = 0; l < size; l++) {
				uint64_t a = stores[i].address + s, b = address + l;

				met |= a % 4096 == b % 4096;
				own |= a == b;
			}
		}
		if (met)
			return own ? 0 : stores[i].who;
	}
	return 0;
}

static void check(uint64_t window)
{
	struct store *stores = calloc(STEPS, sizeof(*stores));
	struct alias *alias = calloc(1, sizeof(*alias));
	uint64_t count = 0, wrong = 0, found = 0;

	alias->window = window;
	for (int i = 0; i < STEPS; i++) {
		static const uint32_t sizes[] = { 1, 2, 4, 8, 16, 32 };
		uint32_t size = sizes[draw(6)], got;
		/* Aligned to the size, in few places of few pages, so that much meets. */
		uint64_t address = 0x10000 + 4096 * draw(3) + draw(16) * 32 +
			size * draw(32 / size);

		if (draw(2)) {
			stores[count] = (struct store){ address, size, count + 1 };
			alias_store(alias, address, size, ++count);
			continue;
		}
		got = alias_load(alias, address, size);
		wrong += got != by_definition(stores, count, window, address, size);
		found += got != 0;
	}
	ok(!wrong && found > 1000, "the last %llu stores: %llu loads alias, %llu wrong",
	   (unsigned long long)window, (unsigned long long)found, (unsigned long long)wrong);
	free(alias);
	free(stores);
}

/* b[i] = a[i], the arrays a multiple of 4096 and some elements apart. */
static void copies(void)
{
	struct alias *alias = calloc(1, sizeof(*alias));
	uint64_t i, found = 0;

	alias->window = 56;
	for (i = 0; i < 1000; i++) {
		found += alias_load(alias, 0x100000 + 8 * i, 8) != 0;
		alias_store(alias, 0x200000 + 8 * (i + 1), 8, 1);
	}
	ok(found == 999, "a copy to one element further on: each load but the first (%llu)",
	   (unsigned long long)found);
	free(alias);
}

int main(void)
{
	printf("# seed %u\n", SEED);
	check(1);
	check(56);
	check(400);
	copies();
	return done();
}
