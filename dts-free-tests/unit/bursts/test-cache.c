// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code cache finds the blocks that it was given and no other (tracee/bursts/cache.c), by address
 * and by place in the code, while its hash grows from the first block to the last, and again after it
 * was emptied. Random addresses, many of them in the same lines of code; seed 5.
 */
#include "base/random.h"
#include "tap.h"
#include "tracee/bursts/cache.h"

#define SEED	5
#define FULL	65536u
#define LINE	64u

struct given {
	uint64_t address;
	bool timed;
	const struct block *block;
};

static struct given given[FULL];

/* A block that no other has: every second one in the line of the one before. */
static struct given next_of(uint64_t *random, uint32_t i)
{
	struct given next;

	do {
		next.address = random_next(random) >> 17;
		if (i % 2)
			next.address = given[i - 1].address / LINE * LINE + next.address % LINE;
		next.timed = random_below(random, 2);
	} while (cache_find(next.address, next.timed));
	return next;
}

static bool add(struct given *one)
{
	struct block *block = cache_new();

	if (!block)
		return false;
	block->address = one->address;
	block->timed = one->timed;
	block->bytes = 4;
	block->insns = 2;
	block->code_end = block->code + 8;
	cache_keep(block, cache_code + block->code_end);
	one->block = block;
	return true;
}

static bool found(const struct given *one)
{
	return cache_find(one->address, one->timed) == one->block &&
	       cache_find_code(cache_code + one->block->code + 7) == one->block;
}

static uint32_t fill(uint64_t *random, bool *right)
{
	uint32_t count = 0;

	while (count < FULL) {
		given[count] = next_of(random, count);
		if (!add(&given[count]))
			break;
		/* Where it grows, all; else some. */
		for (uint32_t i = 0, step = count & (count + 1) ? 997 : 1; i <= count; i += step)
			*right &= found(&given[i]);
		count++;
	}
	return count;
}

int main(void)
{
	uint64_t random = SEED;
	bool right = true, none = true;
	uint32_t count, i;

	if (!cache_init()) {
		skip("no memory that may be run", "the code cache");
		return done();
	}
	count = fill(&random, &right);
	ok(right && count == FULL && cache_blocks() == FULL,
	   "%u blocks are found, each when it was made and later", count);
	for (i = 0; i < FULL; i++)
		none &= cache_find(given[i].address, !given[i].timed) != given[i].block;
	ok(none, "... a timed one is no logged one");
	cache_flush();
	none = !cache_blocks();
	for (i = 0; i < FULL; i++)
		none &= !cache_find(given[i].address, given[i].timed);
	ok(none, "an empty cache has none of them");
	right = true;
	count = fill(&random, &right);
	ok(right && count == FULL, "it is filled again");
	return done();
}
