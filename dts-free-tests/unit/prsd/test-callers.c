// SPDX-License-Identifier: GPL-2.0-only
/* Signatures of call stacks against the definition, on random calls, returns and jumps out of them. */
#include <stdlib.h>

#include "base/allocator.h"
#include "base/random.h"
#include "prsd/callers.h"
#include "tap.h"

#define DEPTH	200
#define STEPS	20000

static uint64_t state = 2009;
static uint64_t backs[DEPTH], places[DEPTH];	/* the plain stack */
static uint32_t depth;

static uint32_t below(uint32_t n)
{
	return random_next(&state) % n;
}

/* From the outermost caller on: one that is there already cuts the stack back to it. */
static uint64_t by_definition(void)
{
	uint64_t folded[DEPTH], signature = 0;
	uint32_t count = 0, i, k;

	for (i = 0; i < depth; i++) {
		for (k = 0; k < count && folded[k] != backs[i]; k++)
			;
		folded[k] = backs[i];
		count = k + 1;
	}
	for (i = 0; i < count; i++)
		signature ^= folded[i];
	return signature;
}

static void test_random(uint32_t sites)
{
	struct callers callers = { .count = 0 };
	uint32_t step, wrong = 0, deepest = 0;

	for (step = 0, depth = 0; step < STEPS; step++) {
		uint64_t top = depth ? places[depth - 1] : 1 << 20;

		if (depth && (depth == DEPTH || below(100) < 45)) {
			callers_return(&callers, places[--depth] + 8);
		} else {
			top -= 8 * (1 + below(9));
			/* Now and then from where a jump led to: those it left called from there. */
			while (depth && !below(40))
				top = places[--depth];
			backs[depth] = 0x1000 + below(sites) * 0x35;
			places[depth] = top;
			callers_call(&callers, places[depth], backs[depth], &libc_allocator);
			depth++;
		}
		deepest = depth > deepest ? depth : deepest;
		wrong += callers_signature(&callers) != by_definition();
	}
	ok(!wrong && deepest > 10, "%u places that call, at most %u deep", sites, deepest);
	free(callers.all);
}

static uint64_t signature_of(const uint64_t *calls, uint32_t count)
{
	struct callers callers = { .count = 0 };
	uint64_t signature;
	uint32_t i;

	for (i = 0; i < count; i++)
		callers_call(&callers, 1000 - i, calls[i], &libc_allocator);
	signature = callers_signature(&callers);
	free(callers.all);
	return signature;
}

int main(void)
{
	test_random(3);
	test_random(20);
	test_random(100000);
	ok(signature_of((uint64_t []){ 0x10, 0x21 }, 2) == 0x31, "the XOR of return addresses");
	ok(signature_of((uint64_t []){ 0x10, 0x21, 0x21, 0x21 }, 4) == 0x31, "recursion is folded");
	ok(signature_of((uint64_t []){ 0x10, 0x21, 0x42, 0x21, 0x42, 0x21 }, 6) == 0x31,
	   "mutual recursion is, too");
	return done();
}
