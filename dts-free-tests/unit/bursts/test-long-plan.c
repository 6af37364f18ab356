// SPDX-License-Identifier: GPL-2.0-only
/*
 * Long bursts: their parts put together, their length, and when one may begin. An L2 of 4,096 lines;
 * no page model, no chance.
 */
#include <stdlib.h>

#include "bursts/long-plan.h"
#include "bursts/pack.h"
#include "tap.h"

#define LINES	4096u			/* of the L2 */

static struct long_plan *plan;
static struct basic_block *block;
static uint64_t at;

static uint64_t next_address(uint64_t stride, uint64_t bytes)
{
	uint64_t address = 0x10000 + at % bytes;

	at += stride;
	return address;
}

/* Blocks of a reference, those of @packer the same as what is asked for. */
static void run(struct burst_packer *packer, bool asked, uint64_t references, uint64_t stride,
		uint64_t bytes)
{
	for (uint64_t i = 0; i < references; i++) {
		uint64_t address = next_address(stride, bytes);
		const struct burst_reference reference = { 1, address, 8, BURST_LOAD };

		if (packer)
			burst_packer_add_block(packer, block, &address, 1);
		if (asked)
			long_plan_add_all(plan, &reference, 1);
	}
}

/* A part that goes over @bytes by @stride. Return: its bytes, if it was the last. */
static const uint8_t *part(uint32_t part, bool more, uint64_t references, uint64_t stride,
			   uint64_t bytes, struct ccs_long_burst *done, size_t *size)
{
	const struct burst burst = {
		.image = 5, .number = 1, .part = part, .more = more, .tid = 9,
		.start = 100 * part, .end = 100 * part + 50, .cpu_spent = 1000,
		.timed_ns = part ? 7 : 300, .timed_missing = part ? 2 : 100, .timed_instructions = 500,
	};
	struct part_read read = {
		.references = references, .both = references / 4, .instructions = 2 * references,
	};
	struct burst_packer *packer = long_plan_begin_part(plan, &burst);

	if (!part)
		at = 0;
	run(packer, part && long_plan_asks(plan), references, stride, bytes);
	read.packed = packer;
	return long_plan_part(plan, &burst, &read, 2, done, size);
}

/* A burst of a first part of 100 references, and so many others. Return: is it one? */
static bool whole(uint32_t parts, uint64_t references, uint64_t stride, uint64_t bytes)
{
	struct ccs_long_burst done;
	const uint8_t *got = NULL;
	size_t size;

	part(0, true, 100, stride, bytes, &done, &size);
	for (uint32_t i = 1; i <= parts; i++)
		got = part(i, i < parts, references, stride, bytes, &done, &size);
	return got;
}

/* References that the next burst is granted room for, at a reference a word. */
static uint64_t granted_of(double budget_ns, uint64_t bytes)
{
	struct bursts_area area = { .parts = 0 };

	long_plan_grant(plan, &area, budget_ns, 1, bytes);
	return (uint64_t)area.parts * area.part_words;
}

static uint64_t granted(double budget_ns)
{
	return granted_of(budget_ns, UINT64_MAX);
}

static void test_parts(void)
{
	struct burst_references got = { .all = NULL };
	struct ccs_long_burst done = { .made = 0 };
	const uint8_t *bytes;
	size_t size = 0;

	ok(!part(1, false, 100, 64, 1 << 24, &done, &size), "a part without a beginning is left out");
	part(0, true, 1000, 64, 1 << 24, &done, &size);
	ok(!part(1, true, 4000, 64, 1 << 24, &done, &size), "a burst that goes on is not over");
	bytes = part(2, false, 2000, 64, 1 << 24, &done, &size);
	ok(bytes && !burst_unpack(bytes, size, 6000, false, &got) && got.count == 6000 &&
	   got.all[0].address == 0x10000 + 1000 * 64 && got.all[5999].address == 0x10000 + 6999 * 64,
	   "it holds the references of all parts behind the first");
	ok(done.made == 6000 && done.both == 1500 && done.burst.references == 6000 &&
	   done.burst.instructions == 12000 && done.burst.spent_ns == 2000 &&
	   done.burst.time == 200 && done.burst.end == 250 && done.burst.record.tid == 9,
	   "... and says so, to the last part's time");
	ok(done.burst.timed_ns == 250 && done.burst.timed_instructions == 500,
	   "... as fast as its first part was timed, without what was new");
	part(0, true, 1000, 64, 1 << 24, &done, &size);
	ok(!part(2, false, 1000, 64, 1 << 24, &done, &size),
	   "a part that is missing: no long burst");
	free(got.all);
}

/* One whose log does not hold together, of a thread of its own. */
static void test_wrong(void)
{
	const struct burst first = { .image = 6, .number = 1, .more = 1 };
	const struct burst second = { .image = 6, .number = 2, .part = 1 };
	const struct part_read wrong = { .references = 10, .packed = true, .wrong = true };
	const struct part_read right = { .references = 10 };
	const struct bursts_area area = { .parts = 0 };
	struct ccs_long_burst done;
	size_t size;

	long_plan_begin_part(plan, &first);
	long_plan_part(plan, &first, &right, 2, &done, &size);
	ok(long_plan_wait_ms(plan, &area, 50) == 1, "the next part is awaited");
	long_plan_begin_part(plan, &second);
	ok(!long_plan_part(plan, &second, &wrong, 2, &done, &size) &&
	   long_plan_wait_ms(plan, &area, 50) == 50,
	   "a part that does not hold together: none, either");
}

static void test_length(void)
{
	uint64_t first, grown;

	plan = long_plan_new(LINES);
	ok(!granted(0), "without a budget none is granted");
	first = granted(1e9);
	ok(first >= 400000, "within it one is (%llu references)", (unsigned long long)first);
	ok(whole(1, 300000, 64, 1 << 24), "a burst that fills the L2 at once");
	ok(granted(1e9) >= 200000 && granted(1e9) < 400000,
	   "... is followed by ones as short as they may be (%llu)",
	   (unsigned long long)granted(1e9));
	whole(2, 300000, 1, 1 << 24);
	grown = granted(1e9);
	ok(grown >= 700000, "one that is filled late: longer ones (%llu)", (unsigned long long)grown);
	whole(2, 400000, 8, 1 << 14);
	ok(granted(1e9) == grown, "one that holds all: as long as they are");
	for (unsigned int i = 0; i < 8; i++)
		whole(2, 100000, 64, 1 << 24);
	ok(granted(1e9) < grown, "later ones are looked at now and then");
	long_plan_free(plan);
}

static void test_cost(void)
{
	plan = long_plan_new(LINES);
	whole(1, 1000, 64, 1 << 24);
	whole(2, 1000, 64, 1 << 24);
	ok(long_plan_in_program(plan) == 3000 && long_plan_cost(plan) == 3000,
	   "parts beyond the first cost, first ones do not: they are bursts as well");
	long_plan_took(plan, 500);
	ok(long_plan_cost(plan) == 3500, "... and what the recorder took");
	long_plan_free(plan);
}

static void test_bytes(void)
{
	struct ccs_long_burst done;
	size_t size;

	plan = long_plan_new(LINES);
	ok(!granted_of(1e9, 0), "where the recording has no room none is granted");
	ok(granted_of(1e9, 1), "where it has little one is");
	part(0, true, 100, 64, 1 << 24, &done, &size);
	part(1, true, 1000, 64, 1 << 24, &done, &size);
	ok(part(2, false, 2000, 64, 1 << 24, &done, &size) && done.made == 1000,
	   "... of no more parts than have it: %llu references", (unsigned long long)done.made);
	long_plan_free(plan);
}

/* One was granted: the recorder looks often, but not for ever. */
static void test_looks(void)
{
	const struct bursts_area area = { .parts = 4 };
	unsigned int often = 0;

	plan = long_plan_new(LINES);
	for (unsigned int i = 0; i < 1000; i++)
		often += long_plan_wait_ms(plan, &area, 50) < 50;
	ok(often > 50 && often < 200, "a burst that was granted is awaited, for %u looks", often);
	long_plan_free(plan);
}

int main(void)
{
	const struct burst_block of = { .address = 1, .words = 1, .refs = 1 };
	const struct burst_ref ref = { .size = 8, .kind = BURST_LOAD };

	block = basic_block_new(&of, &ref);
	plan = long_plan_new(LINES);
	test_parts();
	test_wrong();
	long_plan_free(plan);
	test_length();
	test_cost();
	test_bytes();
	test_looks();
	free(block);
	return done();
}
