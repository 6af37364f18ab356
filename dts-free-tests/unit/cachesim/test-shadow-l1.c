// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fully associative shadows against a list that is searched from end to end;
 * the table of lines, and its hash on power-of-two strides; slices against
 * measurements; set pressure where it is known.
 */
#include <stdio.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/shadow-l1.h"
#include "cachesim/lines.h"
#include "cachesim/pressure.h"
#include "cachesim/shadow-outer.h"
#include "cachesim/slices.h"
#include "shadow-use.h"
#include "slice-vectors.h"
#include "tap.h"

struct list {
	uint64_t lines[600];
	uint32_t who[600];
	uint32_t count, capacity;
};

static uint32_t list_at(const struct list *list, uint64_t line)
{
	uint32_t at = 0;

	while (at < list->count && list->lines[at] != line)
		at++;
	return at;
}

static void list_drop(struct list *list, uint32_t at)
{
	list->count--;
	memmove(list->lines + at, list->lines + at + 1, (list->count - at) * sizeof(uint64_t));
	memmove(list->who + at, list->who + at + 1, (list->count - at) * sizeof(uint32_t));
}

static void list_push(struct list *list, uint64_t line, uint32_t who)
{
	if (list->count == list->capacity)
		list->count--;
	memmove(list->lines + 1, list->lines, list->count * sizeof(uint64_t));
	memmove(list->who + 1, list->who, list->count * sizeof(uint32_t));
	list->lines[0] = line;
	list->who[0] = who;
	list->count++;
}

/* One random operation on both. Return: whether they agree. */
static bool step(struct shadow_l1 *shadow, uint32_t *number, struct list *list, uint64_t line)
{
	uint32_t at = list_at(list, line), who = list->who[at], evictor;
	struct shadow_l1_node *node = shadow_l1_find(shadow, line, *number);
	bool there = at < list->count, hit;

	if (there != (node != NULL))
		return false;
	evictor = there ? node->evictor : 0;
	if (there && !test_random(4)) {
		list->who[at] = line % 1000 + 1;
		shadow_l1_blame(node, line, line % 1000 + 1);
		return true;
	}
	if (shadow_use(shadow, line, number, &hit)->line != line)
		return false;
	if (there)
		list_drop(list, at);
	list_push(list, line, there ? who : 0);
	return hit == there && (!hit || evictor == who);
}

/* @pause: what the clock goes on by once in some hundred uses: then many lines are about as old */
static void check_fully(uint32_t capacity, uint64_t range, uint64_t stride, uint64_t pause)
{
	struct list list = { .capacity = capacity };
	uint32_t numbers[600] = { 0 };
	struct shadow_l1 shadow_l1;
	int i;

	shadow_l1_open(&shadow_l1, capacity, &libc_allocator);
	for (i = 0; i < 20000; i++) {
		uint64_t n = test_random(range);

		if (!test_random(400))
			shadow_l1.now += pause;
		if (!step(&shadow_l1, &numbers[n], &list, n * stride))
			break;
	}
	ok(i == 20000, "%u lines, %llu of stride %llu, pauses of %llu: as the list", capacity,
	   (unsigned long long)range, (unsigned long long)stride, (unsigned long long)pause);
	shadow_l1_close(&shadow_l1, &libc_allocator);
}

/* One random operation on a shadow of an outer level and on the list. */
static bool step_recency(struct shadow_outer *shadow, struct lines *lines, struct list *list,
			 uint64_t line)
{
	uint32_t place = list_at(list, line), number = lines_number(lines, line);
	struct line_at *at = (struct line_at *)(line_words_find(shadow->words, number) + 2);
	bool there = place < list->count;
	uint32_t who = list->who[place], evictor = at->whereabouts;

	switch (test_random(8)) {
	case 0:
		if (shadow_outer_holds(shadow, at) != there)
			return false;
		if (there) {
			list_drop(list, place);
			shadow_outer_remove(shadow, at);
		}
		return true;
	case 1:
		at->whereabouts = line % 1000 + 1;
		if (there)
			list->who[place] = line % 1000 + 1;
		return true;
	default:
		if (there)
			list_drop(list, place);
		if (shadow_outer_use(shadow, number, at) != there)
			return false;
		list_push(list, line, there ? who : 0);
		if (!there)
			at->whereabouts = 0;
		return !there || evictor == who;
	}
}

/* @laps: of the log, after which times begin anew */
static void check_recency(uint32_t capacity, uint64_t range, uint64_t stride, uint32_t laps)
{
	struct list list = { .capacity = capacity };
	struct shadow_outer shadow_outer;
	uint32_t latest = 0, anew = 0;
	struct line_words words;
	struct lines lines;
	int i;

	lines_open(&lines, &libc_allocator);
	line_words_open(&words, 2 + LINE_AT_WORDS, &libc_allocator);
	shadow_outer_open(&shadow_outer, &words, 2, capacity, &libc_allocator);
	shadow_outer.end = laps * (shadow_outer.last + 1);
	for (i = 0; i < 60000; i++) {
		uint64_t line = test_random(range) * stride;

		line_words_reach(&words, lines_number(&lines, line));
		if (!step_recency(&shadow_outer, &lines, &list, line))
			break;
		anew += shadow_outer.now + shadow_outer.last < latest;
		latest = shadow_outer.now;
	}
	ok(i == 60000 && shadow_outer.now < shadow_outer.end && anew,
	   "%u lines, %llu of stride %llu, over outer levels: as the list (times anew: %u)",
	   capacity, (unsigned long long)range, (unsigned long long)stride, anew);
	shadow_outer_close(&shadow_outer, &libc_allocator);
	line_words_close(&words);
	lines_close(&lines);
}

/* Mean slots looked at to find a block, over all blocks of a table. */
static double slots_a_look_up(uint32_t blocks, uint64_t stride)
{
	struct lines lines;
	uint64_t steps = 0, i;

	lines_open(&lines, &libc_allocator);
	for (i = 0; i < blocks; i++)
		lines_number(&lines, i * stride * LINES_BLOCK);
	for (i = 0; i < blocks; i++) {
		uint64_t slot = lines_slot(&lines, i * stride) - lines.slots;

		steps += (slot - hash_slot(i * stride, lines.shift)) &
			 (hash_slots(lines.shift) - 1);
	}
	lines_close(&lines);
	return 1 + (double)steps / blocks;
}

static void check_strides(uint32_t blocks, int most)
{
	double worst = 0;
	int shift, worst_shift = 0;

	for (shift = 0; shift <= most; shift++) {
		double steps = slots_a_look_up(blocks, (uint64_t)1 << shift);

		if (steps > worst) {
			worst = steps;
			worst_shift = shift;
		}
	}
	/* Keys at random would take 1.5 (Knuth, TAOCP 3, 6.4). */
	ok(worst < 2.5, "%u blocks: a power-of-two stride takes at most %.2f slots (2^%d)", blocks,
	   worst, worst_shift);
}

/* Every line has a number and words of its own, which keep what is written to them. */
static void check_lines(uint32_t count)
{
	static uint8_t known[1 << 16];
	struct line_words words;
	struct lines lines;
	int i, wrong = 0;
	uint32_t n;

	memset(known, 0, sizeof(known));
	lines_open(&lines, &libc_allocator);
	line_words_open(&words, count, &libc_allocator);
	for (i = 0; i < 300000; i++) {
		uint64_t key = test_random(1 << 16), line = key * 4097;
		uint32_t found = lines_find(&lines, line), number = lines_number(&lines, line);
		uint32_t *at = line_words_find(&words, number);

		wrong += !known[key] && at != line_words_at(&words, LINES_NONE) && at[0];
		at = line_words_at(&words, line_words_reach(&words, number));
		wrong += found != (known[key] ? number : LINES_NONE) && found != number;
		wrong += lines_line(&lines, number) != line;
		for (n = 0; n < count; n++) {
			wrong += at[n] != (known[key] ? key * count + n + 1 : 0);
			at[n] = key * count + n + 1;
		}
		known[key] = 1;
	}
	ok(!wrong && !lines.out_of_memory && !words.out_of_memory,
	   "%u words: a line keeps its place", count);
	line_words_close(&words);
	lines_close(&lines);
}

/* Of all lines that a hash knows, some: by tables as by counting bits. */
static uint32_t table_errors(const struct slice_hash *hash)
{
	struct slice_tables tables;
	uint32_t wrong = 0, i;

	slice_tables_fill(&tables, hash);
	for (i = 0; i < 100000; i++) {
		uint64_t line = test_random(hash->end >> 6);

		wrong += slice_of_line(&tables, line) != slice_of(hash, line << 6);
	}
	return wrong;
}

static void check_slices(void)
{
	const struct slice_hash *hash;
	size_t table, i;

	for (table = 0; table < sizeof(slice_measurements) / sizeof(*slice_measurements); table++) {
		int right = 0;

		hash = slice_hash_named(slice_measurements[table].hash);
		for (i = 0; i < 32; i++)
			right += slice_of(hash, slice_measurements[table].vectors[i].address) ==
				 slice_measurements[table].vectors[i].slice;
		ok(right == 32, "%s: %d of 32 measured slices", slice_measurements[table].processor,
		   right);
	}
	for (i = 0; (hash = slice_hash_at(i)); i++) {
		uint64_t counts[16] = { 0 }, line;
		bool even = true;

		for (line = 0; line < 1 << 16; line++)
			counts[slice_of(hash, line << 6)]++;
		for (line = 0; line < hash->slices; line++)
			even &= counts[line] > 0;
		ok(even && slice_of(hash, hash->end) == SLICE_UNKNOWN,
		   "%s uses all its %u slices and is unknown beyond its end", hash->name,
		   hash->slices);
		ok(!table_errors(hash), "%s by tables", hash->name);
	}
	ok(!slice_hash_named("intel-12") && !slice_hash_named(""), "other hashes are not guessed");
}

static void check_pressure(void)
{
	static uint32_t windows[5120];
	struct cache_geometry geometry;
	struct pressure pressure;
	uint32_t i;

	cache_geometry_init(&geometry, 32768, 8, 64);
	pressure_open(&pressure, &geometry, &libc_allocator);
	for (i = 0; i < 5120; i++)
		pressure_miss(&pressure, i % 64, &windows[i]);
	ok(pressure.windows == 10 && pressure.peaks == 80 && !pressure.pressured &&
	   pressure.lines == 5120, "even misses: as many lines on a set as it has ways");
	pressure_close(&pressure, &libc_allocator);
	memset(windows, 0, sizeof(windows));
	pressure_open(&pressure, &geometry, &libc_allocator);
	for (i = 0; i < 5120; i++)
		pressure_miss(&pressure, i / 128 % 64, &windows[i]);
	ok(pressure.peaks == 1280 && pressure.pressured == 5120, "columns: 128 lines on a set");
	pressure_close(&pressure, &libc_allocator);
	memset(windows, 0, sizeof(windows));
	pressure_open(&pressure, &geometry, &libc_allocator);
	for (i = 0; i < 1024; i++)
		pressure_miss(&pressure, 5, &windows[i % 12]);
	ok(pressure.peaks == 24 && pressure.lines == 24, "a line counts once a window");
	pressure_close(&pressure, &libc_allocator);
}

int main(void)
{
	test_random_state = 20261121;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	check_fully(1, 4, 1, 0);
	check_fully(3, 6, 64, 0);
	check_fully(64, 100, 1, 0);
	check_fully(64, 70, 1 << 20, 1000);
	check_fully(512, 600, 4096, 0);
	check_fully(512, 600, 1, 1 << 20);
	check_fully(512, 600, 64, (uint64_t)1 << 34);
	check_recency(1, 4, 1, 16);
	check_recency(3, 6, 64, 40);
	check_recency(64, 100, 1, 4);
	check_recency(64, 90, 1 << 20, 4);
	check_recency(512, 900, 4096, 4);
	check_recency(512, 400, 1, 4);
	check_recency(512, 300, 7, 5);
	check_strides(512, 43);
	check_strides(4096, 40);
	check_strides(40960, 36);
	check_lines(1);
	check_lines(2);
	check_lines(3);
	check_slices();
	check_pressure();
	return done();
}
