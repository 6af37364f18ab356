// SPDX-License-Identifier: GPL-2.0-only
/*
 * The prefetchers against a model written apart from them: two levels as lists of lines, most recent
 * first, searched from end to end, with the rules of cachesim/prefetch.h applied to each reference.
 * After each the class at L1, after each stream all counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/hierarchy.h"
#include "lru-lines.h"
#include "tap.h"

#define LINE	64
#define MOST	256		/* lines of a list */
#define LINES	8192
#define LOADS	5
#define PAGES	(LINES / 64)
#define ASKED	20000

/* Lines in order of use. */
struct list {
	uint64_t lines[MOST];	/* UINT64_MAX = none yet */
	uint32_t capacity;
};

struct model_level {
	struct list sets[64];
	struct list all;		/* the shadow */
	uint32_t set_count;
	uint64_t outcomes[MISS_CLASSES];
};

static struct {
	struct model_level level[2];
	bool touched[LINES];
	uint32_t unused[2][LINES];	/* by level: 1 + prefetcher */
	struct list pages;		/* that the streamer knows, and what was asked for in each */
	uint64_t asked[PAGES][ASKED];
	uint32_t asked_count[PAGES];
	uint64_t address[LOADS], stride[LOADS];
	struct prefetch_counts counts[PREFETCHERS];
	uint32_t on;
} model;

/* Return: whether it was there; then, or in any case, it is the first. */
static bool list_use(struct list *list, uint64_t line)
{
	return lru_use(list->lines, list->capacity, line);
}

static bool list_has(const struct list *list, uint64_t line)
{
	for (uint32_t at = 0; at < list->capacity; at++)
		if (list->lines[at] == line)
			return true;
	return false;
}

static struct list *set_of(struct model_level *level, uint64_t line)
{
	return &level->sets[line % level->set_count];
}

/* Return: whether the level had the line. Counted if @demand. */
static bool visit(struct model_level *level, uint64_t line, bool demand, bool cold,
		  enum miss_class *class)
{
	bool hit = list_use(set_of(level, line), line), shadow = list_use(&level->all, line);

	*class = hit ? CLASS_HIT : shadow ? CLASS_CONFLICT : cold ? CLASS_COLD : CLASS_CAPACITY;
	level->outcomes[*class] += demand;
	return hit;
}

static void model_use(int n, uint64_t line, bool hit)
{
	if (hit && model.unused[n][line])
		model.counts[model.unused[n][line] - 1].useful++;
	model.unused[n][line] = 0;
}

static void model_prefetch_l2(uint64_t line, enum prefetcher prefetcher)
{
	enum miss_class class;

	if (list_has(set_of(&model.level[1], line), line))
		return;
	visit(&model.level[1], line, false, false, &class);
	model.counts[prefetcher].issued++;
	model.counts[prefetcher].memory++;
	model.unused[1][line] = 1 + prefetcher;
}

/*
 * The streamer: the last run of steps in one direction, of all that was asked for in the page,
 * gone through from its beginning; its first step brings in nothing.
 */
static void model_stream(uint64_t line)
{
	uint64_t page = line / 64, *asked = model.asked[page], next[2];
	uint32_t *count = &model.asked_count[page], first, at, found = 0;
	int64_t direction, ahead;

	if (!list_use(&model.pages, page))
		*count = 0;
	if (*count && asked[*count - 1] == line)
		return;
	asked[(*count)++] = line;
	if (*count < 3)
		return;
	first = *count - 2;
	direction = line > asked[first] ? 1 : -1;
	while (first && (asked[first] > asked[first - 1] ? 1 : -1) == direction)
		first--;
	ahead = asked[first + 1];
	for (at = first + 2; at < *count; at++) {
		int64_t here = asked[at];

		if ((ahead - here) * direction < 0)
			ahead = here;
		for (found = 0; found < 2; found++) {
			if (ahead + direction < 0 || (ahead + direction) / 64 != (int64_t)page ||
			    labs(ahead + direction - here) > 20)
				break;
			ahead += direction;
			next[found] = ahead;
		}
	}
	for (at = 0; at < found; at++)
		model_prefetch_l2(next[at], PREFETCH_STREAM);
}

/* L1 asks L2. */
static void model_ask(uint64_t line, bool hit)
{
	model_use(1, line, hit);
	if (!hit && model.on & 4)
		model_prefetch_l2(line ^ 1, PREFETCH_ADJACENT);
	if (model.on & 8)
		model_stream(line);
}

static void model_prefetch(uint64_t line, enum prefetcher prefetcher)
{
	enum miss_class class;
	bool hit;

	if (list_has(set_of(&model.level[0], line), line))
		return;
	visit(&model.level[0], line, false, false, &class);
	hit = visit(&model.level[1], line, false, false, &class);
	model.counts[prefetcher].issued++;
	model.counts[prefetcher].memory += !hit;
	model.unused[0][line] = 1 + prefetcher;
	model_ask(line, hit);
}

/* Return: the class at L1. */
static enum miss_class model_refer(uint64_t address, bool store, uint32_t load)
{
	uint64_t line = address / LINE, next = address + (address - model.address[load]);
	int64_t stride = address - model.address[load];
	bool cold = !model.touched[line], hit, first, outer_hit = false;
	enum miss_class class, outer;

	hit = visit(&model.level[0], line, true, cold, &class);
	if (!hit)
		outer_hit = visit(&model.level[1], line, true, class == CLASS_COLD, &outer);
	model.touched[line] = true;
	first = hit && model.unused[0][line];
	model_use(0, line, hit);
	if (!hit)
		model_ask(line, outer_hit);
	if (store)
		return class;
	if ((first || !hit) && model.on & 1 && (line + 1) % 64)
		model_prefetch(line + 1, PREFETCH_NEXT_LINE);
	if (model.on & 2 && stride && stride == (int64_t)model.stride[load] &&
	    labs(stride) <= 2048 && next / 4096 == address / 4096)
		model_prefetch(next / LINE, PREFETCH_STRIDE);
	model.stride[load] = stride;
	model.address[load] = address;
	return class;
}

enum shape { SHAPE_STREAM, SHAPE_STRIDES, SHAPE_RANDOM, SHAPE_BACK, SHAPES };

static const char *const shape_names[] = { "stream", "strides", "random", "backwards" };

static uint64_t next_address(enum shape shape, uint64_t i, uint32_t load)
{
	switch (shape) {
	case SHAPE_STREAM:
		return i * 8;
	case SHAPE_STRIDES:
		return load * 65536 + i / LOADS * (200 * load + 64) % 60000;
	case SHAPE_BACK:
		return LINES * LINE - 8 - i * 24 % (LINES * LINE / 2);
	default:
		return test_random(LINES) * LINE + test_random(8) * 8;
	}
}

static void open_list(struct list *list, uint32_t capacity)
{
	memset(list->lines, 0xff, sizeof(list->lines));
	list->capacity = capacity;
}

static void open_model(uint32_t on, uint32_t sets, uint32_t ways)
{
	memset(&model, 0, sizeof(model));
	model.on = on;
	open_list(&model.pages, 32);
	for (int n = 0; n < 2; n++) {
		model.level[n].set_count = sets << n;
		open_list(&model.level[n].all, (sets << n) * ways);
		for (uint32_t set = 0; set < sets << n; set++)
			open_list(&model.level[n].sets[set], ways);
	}
}

static bool same(const struct hierarchy *h)
{
	for (int n = 0; n < 2; n++)
		if (memcmp(h->level[n].counts.outcomes, model.level[n].outcomes,
			   sizeof(model.level[n].outcomes)))
			return false;
	return !memcmp(h->prefetch->counts, model.counts, sizeof(model.counts));
}

static void compare(uint32_t on, enum shape shape, uint32_t sets, uint32_t ways)
{
	struct hierarchy_plan plan = { .levels = 2, .prefetchers = on };
	struct access_result result;
	struct hierarchy h;
	uint64_t i, agreed = 0, issued = 0, useful = 0;

	open_model(on, sets, ways);
	for (int n = 0; n < 2; n++)
		cache_geometry_init(&plan.level[n].geometry, ((uint64_t)sets << n) * ways * LINE,
				    ways, LINE);
	hierarchy_open(&h, &plan, NULL, &libc_allocator);
	for (i = 0; i < 20000; i++) {
		uint32_t load = i % LOADS;
		uint64_t address = next_address(shape, i, load), line = address / LINE;
		bool store = !test_random(6);
		enum miss_class class = hierarchy_touch(&h, line, store, load, &result);

		hierarchy_prefetch(&h, line, store, class == CLASS_HIT, load);
		if (!store)
			hierarchy_prefetch_stride(&h, load, address, line, load);
		agreed += class == model_refer(address, store, load);
	}
	for (int prefetcher = 0; prefetcher < PREFETCHERS; prefetcher++) {
		issued += model.counts[prefetcher].issued;
		useful += model.counts[prefetcher].useful;
	}
	ok(agreed == i && same(&h), "%s, prefetchers %u, L1 %ux%u, L2 %ux%u: %llu of %llu agree; "
	   "issued %llu, used %llu", shape_names[shape], on, sets, ways, 2 * sets, ways,
	   (unsigned long long)agreed, (unsigned long long)i, (unsigned long long)issued,
	   (unsigned long long)useful);
	hierarchy_close(&h);
}

/* What follows from arithmetic: of a stream of lines in each page the first one misses. */
static void test_stream(void)
{
	struct hierarchy_plan plan = { .levels = 1, .prefetchers = 1 << PREFETCH_NEXT_LINE };
	struct access_result result;
	struct hierarchy h;
	uint64_t line;

	cache_geometry_parse(&plan.level[0].geometry, "32K,8,64");
	hierarchy_open(&h, &plan, NULL, &libc_allocator);
	for (line = 0; line < 64 * 100; line++) {
		bool hit = hierarchy_touch(&h, line, false, 1, &result) == CLASS_HIT;

		hierarchy_prefetch(&h, line, false, hit, 1);
	}
	ok(h.level[0].counts.outcomes[CLASS_COLD] == 100 && h.prefetch->counts[0].issued == 6300 &&
	   h.prefetch->counts[0].useful == 6300 && h.prefetch->counts[0].memory == 6300,
	   "a stream of 100 pages: 100 misses remain of 6,400");
	hierarchy_close(&h);
}

/* 6,400 lines in order, those of 100 pages if they have 64 bytes. Return: misses of L2. */
static uint64_t stream_l2(enum prefetcher prefetcher, uint32_t size, struct prefetch_counts *counts)
{
	struct hierarchy_plan plan = { .levels = 2, .prefetchers = 1 << prefetcher };
	struct access_result result;
	struct hierarchy h;
	uint64_t line, misses;

	cache_geometry_init(&plan.level[0].geometry, 32 << 10, 8, size);
	cache_geometry_init(&plan.level[1].geometry, 256 << 10, 8, size);
	hierarchy_open(&h, &plan, NULL, &libc_allocator);
	for (line = 0; line < 64 * 100; line++) {
		bool hit = hierarchy_touch(&h, line, false, 1, &result) == CLASS_HIT;

		hierarchy_prefetch(&h, line, false, hit, 1);
	}
	misses = level_misses(&h.level[1].counts);
	*counts = h.prefetch->counts[prefetcher];
	hierarchy_close(&h);
	return misses;
}

/* Of a page the streamer needs three requests; the adjacent line is every other one. */
static void test_stream_l2(void)
{
	struct prefetch_counts counts;
	uint64_t misses = stream_l2(PREFETCH_STREAM, LINE, &counts);

	ok(misses == 300 && counts.issued == 6100 && counts.useful == 6100 && counts.memory == 6100,
	   "streamer: 300 misses of L2 remain of 6,400");
	misses = stream_l2(PREFETCH_ADJACENT, LINE, &counts);
	ok(misses == 3200 && counts.issued == 3200 && counts.useful == 3200,
	   "adjacent line: 3,200 remain");
	misses = stream_l2(PREFETCH_ADJACENT, 4096, &counts);
	ok(misses == 6400 && !counts.issued, "... of lines as long as a page: none is in the page");
}

/* Line 0, 1, 2 begin it; 2 lines a request, 20 ahead, not into the next page; a step back ends it. */
static void test_streamer(void)
{
	struct prefetch *prefetch = prefetch_open(1 << PREFETCH_STREAM, &libc_allocator);
	uint64_t next[PREFETCH_STREAM_STEP], line;
	bool right = !prefetch_stream(prefetch, 0, 6, next) &&
		     !prefetch_stream(prefetch, 1, 6, next) &&
		     prefetch_stream(prefetch, 2, 6, next) == 2 && next[0] == 3 && next[1] == 4;

	for (line = 3; line < 20; line++)
		right &= prefetch_stream(prefetch, line, 6, next) == 2 && next[0] == 2 * line - 1;
	right &= prefetch_stream(prefetch, 20, 6, next) == 2 && next[1] == 40;
	right &= prefetch_stream(prefetch, 21, 6, next) == 1 && next[0] == 41;
	right &= !prefetch_stream(prefetch, 21, 6, next);
	ok(right, "an ascending stream: two lines a request, 20 ahead");
	right = prefetch_stream(prefetch, 62, 6, next) == 1 && next[0] == 63;
	ok(right && !prefetch_stream(prefetch, 63, 6, next), "it ends with its page");
	ok(!prefetch_stream(prefetch, 50, 6, next) && prefetch_stream(prefetch, 49, 6, next) == 2 &&
	   next[0] == 48 && next[1] == 47, "a step back ends it, a second one begins another");
	for (line = 64; line < 33 * 64; line += 64)
		prefetch_stream(prefetch, line, 6, next);
	ok(!prefetch_stream(prefetch, 48, 6, next), "32 other pages: it is forgotten");
	prefetch_close(prefetch, &libc_allocator);
}

int main(void)
{
	struct hierarchy_plan plan = {
		.levels = 1, .prefetchers = 1, .detector = DETECTOR_REUSE,
	};

	test_random_state = 23;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	for (uint32_t on = 1; on < 16; on++)
		for (enum shape shape = 0; shape < SHAPES; shape++) {
			compare(on, shape, 8, 4);
			compare(on, shape, 4, 8);
			compare(on, shape, 16, 2);
		}
	test_stream();
	test_stream_l2();
	test_streamer();
	cache_geometry_parse(&plan.level[0].geometry, "32K,8,64");
	ok(hierarchy_error(&plan), "not beside another detector");
	plan.detector = DETECTOR_NONE;
	plan.prefetchers = 1 << PREFETCH_STREAM;
	ok(hierarchy_error(&plan), "no streamer without an L2");
	return done();
}
