// SPDX-License-Identifier: GPL-2.0-only
/*
 * cf of sampled misses at other addresses, against the definition counted miss by miss, of rows and
 * blocks whose places the test works out itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/sampled.h"
#include "draw.h"
#include "tap.h"

#define SEED	20261126u
#define COUNT	2000u
#define BEGINS	0x80u
#define HEAP	0x7f0000000000ull

static uint64_t state = SEED;

/* Pieces of 128 misses are of one half and of the other, in turn. */
static uint32_t half_of(uint32_t i)
{
	return i / 128 % 2;
}

static uint32_t misses_of(uint32_t half)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < COUNT; i++)
		count += half_of(i) == half;
	return count;
}

/* How many other lines its set has had since a miss's line was there, not across an edge; -1 = never. */
static int lines_since(const struct cache_geometry *l1, const uint64_t *places, const bool *begins, uint32_t i)
{
	int lines = 0;

	for (uint32_t back = 1; back <= i && !begins[i - back + 1]; back++) {
		uint64_t line = places[i - back] / l1->line;
		bool again = line % l1->sets != places[i] / l1->line % l1->sets;

		if (line == places[i] / l1->line)
			return lines;
		for (uint32_t nearer = 1; nearer < back && !again; nearer++)
			again = places[i - nearer] / l1->line == line;
		lines += !again;
	}
	return -1;
}

/* It would hit: fewer lines than ways since. */
static bool hits(const struct cache_geometry *l1, const uint64_t *places, const bool *begins, uint32_t i)
{
	int lines = lines_since(l1, places, begins, i);

	return lines >= 0 && (uint32_t)lines < l1->ways;
}

/* A miss is near if another of its set was at most so many misses as ways before it, not across an edge. */
static double cf_of(const struct cache_geometry *l1, const uint64_t *places, const bool *begins, uint32_t half)
{
	uint32_t near = 0;

	for (uint32_t i = 0; i < COUNT; i++)
		if (half_of(i) == half && !hits(l1, places, begins, i))
		for (uint32_t back = 1; back <= l1->ways && back <= i && !begins[i - back + 1]; back++)
			if (places[i] / l1->line % l1->sets == places[i - back] / l1->line % l1->sets) {
				near++;
				break;
			}
	return (double)near / misses_of(half);
}

struct fixture {
	struct keep keep;
	struct keep_misses misses[2];
	struct keep_access accesses[COUNT];
	struct keep_block blocks[31];
	struct object object;
	uint64_t before[COUNT], after[COUNT];
	bool begins[COUNT];
};

static void begin(struct fixture *f, struct cache_geometry l1, uint32_t blocks, uint64_t bytes, uint64_t apart)
{
	memset(f, 0, sizeof(*f));
	f->object = (struct object){ .id = 1, .kind = OBJECT_HEAP, .blocks = blocks };
	for (uint32_t i = 1; i <= blocks; i++)
		f->blocks[i] = (struct keep_block){
			.object = &f->object, .low = HEAP + 16 + (i - 1) * apart, .rank = i - 1,
			.high = HEAP + 16 + (i - 1) * apart + bytes,
		};
	f->misses[1] = (struct keep_misses){ .accesses = f->accesses, .count = COUNT };
	f->keep = (struct keep){
		.geometry = l1, .blocks = f->blocks, .block_count = blocks + 1, .misses = f->misses,
		.misses_count = 2,
	};
}

static void add(struct fixture *f, uint32_t i, uint32_t block, uint64_t before, uint64_t after)
{
	f->begins[i] = !draw(40);
	f->before[i] = before;
	f->after[i] = after;
	f->accesses[i] = (struct keep_access){
		.address = before, .block = block, .last = 7, .kind = f->begins[i] ? 1 | BEGINS : 1,
	};
}

static void check(const struct fixture *f, const struct layout_change *change, bool helps, const char *what)
{
	for (uint32_t half = 0; half < 2; half++) {
		struct sampled_effect effect = sampled_try(&f->keep, 1, change, 1, half, NULL);
		struct sampled_effect again = sampled_try(&f->keep, 1, change, 1, half, &effect);
		double before = cf_of(&f->keep.geometry, f->before, f->begins, half);
		double after = cf_of(&f->keep.geometry, f->after, f->begins, half);

		ok(effect.misses == misses_of(half) && fabs(effect.before - before) < 1e-9 &&
		   fabs(effect.after - after) < 1e-9, "%s, %u ways, half %u: cf %.3f > %.3f, said %.3f > %.3f",
		   what, f->keep.geometry.ways, half, before, after, effect.before, effect.after);
		ok(effect.interval.low <= after && after < effect.interval.high &&
		   effect.gain_low < before - after && (effect.gain_low > 0) == helps,
		   "... of %.3f to %.3f, and the gain is %.3f at least", effect.interval.low,
		   effect.interval.high, effect.gain_low);
		ok(again.misses == effect.misses && again.after == effect.after &&
		   again.gain_low == effect.gain_low, "... and again where it is known as it was");
	}
}

static void test_all(struct fixture *f, struct cache_geometry l1)
{
	struct layout_change change = { .kind = CHANGE_ROWS, .object = &f->object, .from = 4096, .to = 4160 };

	begin(f, l1, 1, 200 * 4096, 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint64_t row = draw(200), in = draw(10) ? 0 : draw(64) * 64;

		add(f, i, 1, HEAP + 16 + row * 4096 + in, HEAP + 16 + row * 4160 + in);
	}
	check(f, &change, true, "longer rows");
	change.to = 4096 + 4096;
	for (uint32_t i = 0; i < COUNT; i++)
		f->after[i] = f->before[i] + (f->before[i] - HEAP - 16) / 4096 * 4096;
	check(f, &change, false, "a pad that helps nothing");
	change = (struct layout_change){ .kind = CHANGE_STAGGER, .object = &f->object, .step = 192, .blocks = 30 };
	begin(f, l1, 30, (1 << 20) - 16, 1 << 21);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t block = 1 + (draw(4) ? i % 30 : draw(30));
		uint64_t at = HEAP + 16 + (block - 1) * (1ull << 21) + i / 30 * 8;

		add(f, i, block, at, at + (block - 1) * 192 % 4096);
	}
	check(f, &change, true, "blocks that begin later");
}

int main(void)
{
	struct fixture *f = malloc(sizeof(*f));
	struct layout_change change = { .kind = CHANGE_ROWS, .object = &f->object, .from = 4096, .to = 4160 };

	test_all(f, (struct cache_geometry){ 64, 8, 64, 6 });
	test_all(f, (struct cache_geometry){ 64, 12, 64, 6 });
	ok(!sampled_try(&f->keep, 0, &change, 1, SAMPLED_JUDGE, NULL).misses &&
	   !sampled_try(&f->keep, 7, &change, 1, SAMPLED_JUDGE, NULL).misses,
	   "of code without misses nothing is said");
	f->misses[1].count = 255;
	ok(!sampled_try(&f->keep, 1, &change, 1, SAMPLED_JUDGE, NULL).misses, "... nor of code with few");
	free(f);
	return done();
}
