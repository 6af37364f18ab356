// SPDX-License-Identifier: GPL-2.0-only
/* Strides from distances, and who drives out whom, against brute force. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wire-numbers.h"
#include "findings/evidence.h"
#include "findings/meetings.h"
#include "rcd/steps.h"
#include "draw.h"
#include "tap.h"

#define SEED	64u
#define MISSES	3000u

static uint64_t state = SEED;

/* --- strides --- */

static void regular_steps(void)
{
	struct steps column = { 0 }, back = { 0 }, holes = { 0 }, few = { 0 };
	uint64_t i, at;

	for (i = 0; i < 1000; i++) {
		/* A column of 256 rows, again and again. */
		steps_add(&column, 0x1000 + i % 256 * 2080, 0x1000 + (i + 1) % 256 * 2080);
		steps_add(&back, 900000 - i * 48, 900000 - (i + 1) * 48);
	}
	for (i = at = 0; i < 1000; i++) {
		uint64_t next = at + (1 + draw(4)) * 1056;

		steps_add(&holes, at, next);
		at = next;
	}
	for (i = 0; i < 15; i++)
		steps_add(&few, i * 64, i * 64 + 64);
	ok(steps_stride(&column, 64) == 2080, "a column steps by its row");
	ok(steps_stride(&back, 64) == 48, "backwards is as far as forwards");
	ok(steps_stride(&holes, 64) == 1056,
	   "rows of which some hit: what all steps are multiples of");
	ok(steps_stride(&few, 64) == 0, "15 steps are too few to tell");
	steps_add(&few, 960, 960);
	ok(few.total == 15, "the same address again is no step");
}

/*
 * Rows of 8,196 bytes in tiles of 16, each gone through from its first integer: of two tiles in three
 * the first line is there, and they miss where the next one begins.
 */
static void rounded_steps(void)
{
	struct steps tiles = { 0 }, rows = { 0 };
	uint64_t tile, i, last = 0, even = 0;

	for (tile = 0; tile < 90; tile++) {
		for (i = 0; i < 16; i++) {
			uint64_t next = 4 + tile * 64 + i * 8196;

			if (tile % 3)
				next = (next + 63) / 64 * 64;
			steps_add(&tiles, last, next);
			last = next;
			/* A line a row of 8,192, and hardly ever another part of it. */
			next = i * 8192 + (tile == 7 && i == 5 ? 4 : 0);
			steps_add(&rows, even, next);
			even = next;
		}
	}
	ok(steps_stride(&tiles, 64) == 8196, "misses where a line begins: a row is not rounded to lines");
	ok(steps_stride(&rows, 64) == 8192, "rows that are a whole number of lines");
}

static void irregular_steps(void)
{
	struct steps look_ups = { 0 }, chase = { 0 }, mixed = { 0 };
	uint64_t i, last = 0;

	for (i = 0; i < 100000; i++) {
		uint64_t next = draw(1 << 14) * 8, near = last + 8 * (1 + draw(60));

		steps_add(&look_ups, last, next);
		steps_add(&chase, last, near);
		/* Two of five keep to a row: not enough to speak of one. */
		steps_add(&mixed, last, i % 5 < 2 ? last + 4096 : next);
		last = next;
	}
	ok(!steps_stride(&look_ups, 64), "random look-ups have no stride");
	ok(!steps_stride(&chase, 64), "nor what is only a multiple of 8");
	ok(!steps_stride(&mixed, 64), "nor what is regular in two of five");
}

/*
 * Instructions that each step by @stride, @count of them, @apart from one another, and meet so in each
 * step in an order of @order.
 */
static bool fills(uint64_t stride, uint64_t count, uint64_t apart, uint64_t order)
{
	struct steps all = { 0 }, one = { 0 };
	uint64_t last = 0;

	for (uint64_t i = 0; i < 500; i++)
		for (uint64_t n = 0; n < count; n++) {
			uint64_t next = i * stride + order * n % count * apart;

			steps_add(&all, last, next);
			last = next;
			if (!n && i)
				steps_add(&one, (i - 1) * stride, i * stride);
		}
	return steps_fill(&all, &one, stride, 64);
}

static void filled_steps(void)
{
	ok(fills(200, 25, 8, 1) && fills(200, 25, 8, 7) && fills(200, 25, 8, 9),
	   "5 x 5 doubles, each in its instruction, in any order: all lines between are used");
	ok(fills(256, 4, 64, 1) && fills(4096, 64, 64, 1), "... as by an unrolled loop");
	ok(!fills(4096, 1, 0, 1) && !fills(4096, 8, 8, 1) && !fills(512, 8, 8, 3),
	   "not of rows of which up to eight elements in a line are used");
	ok(!fills(128, 1, 0, 1) && !fills(200, 1, 0, 1), "nor by a member of structs");
	ok(!fills(256, 12, 65536, 1) && !fills(256, 3, 256, 1),
	   "nor in other arrays, or rows, that are as far off as a step or more");
}

/* The kept counts are at most a 13th of all below the true ones, and never above. */
static void counts(void)
{
	uint64_t truth[64] = { 0 }, worst = 0, i;
	struct steps steps = { 0 };
	bool above = false;

	for (i = 0; i < 50000; i++) {
		uint64_t distance = 1 + (draw(2) ? draw(4) : draw(63));

		truth[distance]++;
		steps_add(&steps, 1000, 1000 + distance);
	}
	for (i = 1; i < 64; i++) {
		uint64_t kept = 0;

		for (int k = 0; k < STEPS_KEPT; k++)
			if (steps.count[k] && steps.distance[k] == i)
				kept += steps.count[k];
		above |= kept > truth[i];
		if (truth[i] - kept > worst)
			worst = truth[i] - kept;
	}
	ok(!above && worst <= 50000 / 13, "counts are at most a 13th too low (%lu of %u)",
	   (unsigned long)worst, 50000 / 13);
}

/* --- meetings --- */

struct event {
	uint32_t set;
	uint64_t line;
	struct met in;
};

/* The objects of the first @ways misses on the set since the line's last one. */
static int naive(const struct event *events, uint32_t at, uint32_t ways, double lines,
		 struct met *evictors)
{
	uint32_t last = at, i;
	int count = 0;

	while (last && events[last - 1].line != events[at].line)
		last--;
	if (!last || at - (last - 1) >= lines)
		return -1;
	for (i = last; i < at && count < ways; i++)
		if (events[i].set == events[at].set)
			evictors[count++] = events[i].in;
	return count;
}

static void random_misses(uint32_t sets, uint32_t ways, double lines, uint32_t distinct)
{
	struct meetings meetings = { .ways = ways, .lines = lines };
	static struct event events[MISSES];
	struct met got[MEETINGS_MOST], expected[MEETINGS_MOST];
	uint32_t wrong = 0, again = 0;

	for (int burst = 0; burst < 4; burst++) {
		meetings_burst(&meetings);
		for (uint32_t i = 0; i < MISSES; i++) {
			uint64_t line = draw(distinct);
			int count, truth;

			memset(&events[i], 0, sizeof(events[i]));
			events[i].set = line % sets;
			events[i].line = line;
			events[i].in.object = 1 + line * 7 / distinct;
			events[i].in.block = line * 29 / distinct;
			count = meetings_add(&meetings, line % sets, line, events[i].in, got);
			truth = naive(events, i, ways, lines, expected);
			again += truth > 0;
			wrong += count != truth ||
				 (truth > 0 && memcmp(got, expected, truth * sizeof(*got)));
		}
	}
	meetings_drop(&meetings);
	ok(!wrong && again > 100, "%u sets, %u ways: the evictors of %u re-misses, as counted by "
	   "hand (%u wrong)", sets, ways, again, wrong);
}

static void examples(void)
{
	struct meetings meetings = { .ways = 2, .lines = 512 };
	struct met got[MEETINGS_MOST];

	ok(meetings_add(&meetings, 3, 100, (struct met) { .object = 1 }, got) == -1, "a first miss has no evictors");
	meetings_add(&meetings, 3, 200, (struct met) { .object = 2 }, got);
	meetings_add(&meetings, 4, 300, (struct met) { .object = 9 }, got);
	meetings_add(&meetings, 3, 400, (struct met) { .object = 2 }, got);
	meetings_add(&meetings, 3, 500, (struct met) { .object = 8 }, got);
	ok(meetings_add(&meetings, 3, 100, (struct met) { .object = 1 }, got) == 2 && got[0].object == 2 && got[1].object == 2,
	   "of two ways, the first two that came into its set drove it out");
	ok(meetings_add(&meetings, 4, 300, (struct met) { .object = 9 }, got) == 0, "nobody seen: a store may have done it");
	meetings_burst(&meetings);
	ok(meetings_add(&meetings, 3, 100, (struct met) { .object = 1 }, got) == -1, "a burst knows nothing of the last one");
	meetings_drop(&meetings);
}

/* --- from another process --- */

/* No steps, and one pair of two objects in its first context, at level 1. */
static void write_pair(struct wire *wire)
{
	static const uint64_t numbers[] = { 0, 0, 1, 0, 0, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		wire_number(wire, numbers[i], UINT64_MAX);
	wire_flag(wire, true);
	for (size_t i = 0; i < 3; i++)	/* its weight; the other levels */
		wire_number(wire, !i, UINT64_MAX);
}

/* Found by fuzz-sums: a context that only the other process has was written to, far out of bounds. */
static void pairs_of_foreign_contexts(void)
{
	uint32_t contexts[2] = { 7, WIRE_NO_CONTEXT }, object = 1;
	struct wire_numbers numbers = { .contexts = contexts, .objects = &object, .context_count = 1,
					.object_count = 1 };
	size_t sizes[3];

	for (size_t i = 0; i < 3; i++) {
		struct evidence *evidence = evidence_new();
		struct wire wire = { .bytes = NULL }, back = { .bytes = NULL };

		write_pair(&wire);
		wire.reads = true;
		numbers.contexts = &contexts[i];
		if (i < 2)
			evidence_wire(evidence, &wire, &numbers);
		evidence_wire(evidence, &back, &numbers);
		sizes[i] = wire.wrong ? 0 : back.size;
		wire_drop(&wire);
		wire_drop(&back);
		evidence_free(evidence);
	}
	ok(sizes[0] > sizes[2], "another process's pairs are added");
	ok(sizes[1] == sizes[2], "those of a context that is only there are passed over");
}

int main(void)
{
	regular_steps();
	rounded_steps();
	irregular_steps();
	filled_steps();
	counts();
	examples();
	random_misses(64, 8, 512, 900);
	random_misses(4, 4, 512, 60);
	random_misses(1, 16, 100, 300);
	pairs_of_foreign_contexts();
	random_misses(64, 8, 37.5, 300);
	return done();
}
