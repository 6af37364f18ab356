// SPDX-License-Identifier: GPL-2.0-only
/*
 * An L1 whose misses are classified now and then, against lists that are searched from end to end:
 * one of each set, one of the shadow. Uses of a set's newest line only write their time, as
 * generated code does, unless the line is marked.
 */
#include <stdlib.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/sampled-l1.h"
#include "lru-lines.h"
#include "tap.h"

#define RANGE_MOST	40000u
#define STEPS		60000
#define SITES		1000

#define NO_LINE		UINT64_MAX

struct list {
	uint64_t *lines;	/* the newest first, NO_LINE = none yet */
	uint32_t capacity;
};

static bool list_use(struct list *list, uint64_t line, uint64_t *evicted)
{
	uint64_t oldest = list->lines[list->capacity - 1];
	bool there = lru_use(list->lines, list->capacity, line);

	*evicted = there ? NO_LINE : oldest;
	return there;
}

struct brute {
	struct list *sets, shadow;
	uint32_t set_count;
	bool seen[RANGE_MOST];
	uint32_t evictor[RANGE_MOST];
};

/* What one access comes to. */
struct outcome {
	bool hit, saved;
	struct sampled_miss miss;
};

static void list_open(struct list *list, uint32_t capacity)
{
	*list = (struct list){ malloc(capacity * sizeof(*list->lines)), capacity };
	memset(list->lines, 0xff, capacity * sizeof(*list->lines));
}

static struct brute *brute_open(uint32_t sets, uint32_t ways)
{
	struct brute *brute = calloc(1, sizeof(*brute));
	uint32_t i;

	brute->set_count = sets;
	brute->sets = calloc(sets, sizeof(*brute->sets));
	for (i = 0; i < sets; i++)
		list_open(&brute->sets[i], ways);
	list_open(&brute->shadow, sets * ways);
	return brute;
}

static void brute_close(struct brute *brute)
{
	uint32_t i;

	for (i = 0; i < brute->set_count; i++)
		free(brute->sets[i].lines);
	free(brute->sets);
	free(brute->shadow.lines);
	free(brute);
}

/* @at: of the line in the table, @set: where it lives */
static struct outcome brute_access(struct brute *brute, uint32_t at, uint32_t set, uint32_t site)
{
	struct outcome outcome = { .miss.class = CLASS_NONE };
	uint64_t evicted, none;
	bool near = list_use(&brute->shadow, at, &none);

	outcome.hit = list_use(&brute->sets[set], at, &evicted);
	outcome.saved = outcome.hit && !near;
	if (!outcome.hit)
		outcome.miss.class = near ? CLASS_CONFLICT :
				     brute->seen[at] ? CLASS_CAPACITY : CLASS_COLD;
	if (outcome.miss.class == CLASS_CONFLICT)
		outcome.miss.evictor = brute->evictor[at];
	if (evicted != NO_LINE)
		brute->evictor[evicted] = site;
	brute->seen[at] = true;
	return outcome;
}

/* The same with the code under test. */
static struct outcome access_l1(struct sampled_l1 *l1, uint64_t line, uint64_t time, uint32_t site)
{
	uint32_t ways = l1->array.shape.geometry.ways;
	struct outcome outcome = { .miss.class = CLASS_NONE };
	struct way *row = sampled_l1_row(l1, line);

	outcome.hit = true;
	if (row->tag == line << 1) {
		row->sampled->time = time;
	} else if (tag_holds(row->tag, line) || sampled_l1_renew(row, ways, line)) {
		outcome.saved = sampled_l1_used(l1, row, time);
	} else {
		uint32_t *quick = sampled_l1_quick(l1, line);

		outcome.hit = false;
		if (quick)
			sampled_l1_bring_in(l1, row, line, quick, time, site, ways);
		else
			outcome.miss = sampled_l1_miss(l1, row, line, time, site);
	}
	return outcome;
}

static bool alike(const struct outcome *a, const struct outcome *b, bool exact)
{
	if (a->hit != b->hit)
		return false;
	return !exact || (a->saved == b->saved && a->miss.class == b->miss.class &&
			  a->miss.evictor == b->miss.evictor);
}

struct stream {
	uint32_t range, loop, at;
	uint64_t stride;	/* lines */
	uint32_t burst;		/* accesses that are classified, in the mean, and those between */
	uint64_t pause;
	uint32_t number;	/* of the first entry of the log, 0 = the usual */
};

/* A loop over the first lines, left now and then for any. */
static uint32_t draw(struct stream *stream)
{
	if (!test_random(3))
		return test_random(stream->range);
	stream->at = (stream->at + 1) % stream->loop;
	return stream->at;
}

static void check(uint32_t sets, uint32_t ways, struct stream stream)
{
	struct cache_geometry geometry = { .sets = sets, .ways = ways, .line = 64, .line_bits = 6 };
	struct brute *brute = brute_open(sets, ways);
	uint32_t classes[CLASS_NONE] = { 0 }, saved = 0;
	struct sampled_l1 l1;
	uint64_t time = 1;
	int i;

	sampled_l1_open(&l1, &geometry, &libc_allocator);
	if (stream.number)
		l1.next = l1.first = stream.number;
	for (i = 0; i < STEPS; i++) {
		uint32_t at = draw(&stream), site = test_random(SITES) + 1;
		uint64_t line = at * stream.stride;
		struct outcome wanted, found;

		time += test_random(300) ? 1 + test_random(9) : 1 + stream.pause;
		if (!test_random(stream.burst) && l1.exact)
			sampled_l1_end(&l1);
		else if (!test_random(stream.burst) && !l1.exact)
			sampled_l1_begin(&l1, time);
		wanted = brute_access(brute, at, array_set(&l1.array, line), site);
		found = access_l1(&l1, line, time, site);
		if (!alike(&wanted, &found, l1.exact))
			break;
		if (l1.exact && !wanted.hit)
			classes[wanted.miss.class]++;
		saved += l1.exact && wanted.saved;
	}
	ok(i == STEPS, "%u sets, %u ways, %u and any of %u lines of stride %llu, bursts of %u, pauses "
	   "of %llu: %u cold, %u capacity, %u conflicts, %u saved", sets, ways, stream.loop,
	   stream.range, (unsigned long long)stream.stride, stream.burst,
	   (unsigned long long)stream.pause, classes[CLASS_COLD], classes[CLASS_CAPACITY],
	   classes[CLASS_CONFLICT], saved);
	sampled_l1_close(&l1);
	brute_close(brute);
}

int main(void)
{
	test_random_state = 20261123;
	check(8, 2, (struct stream){ .range = 30, .loop = 17, .stride = 1, .burst = 40 });
	check(8, 4, (struct stream){ .range = 200, .loop = 30, .stride = 1, .burst = 300 });
	check(4, 12, (struct stream){ .range = 90, .loop = 50, .stride = 1, .burst = 1 });
	check(16, 4, (struct stream){ .range = 100, .loop = 60, .stride = 3, .burst = 1000 });
	check(12, 3, (struct stream){ .range = 60, .loop = 33, .stride = 1, .burst = 200 });
	check(64, 8, (struct stream){ .range = 4000, .loop = 500, .stride = 1, .burst = 500 });
	check(64, 8, (struct stream){ .range = 40000, .loop = 20000, .stride = 1, .burst = 900 });
	check(64, 8, (struct stream){ .range = 600, .loop = 9, .stride = 64, .burst = 900 });
	check(64, 12, (struct stream){ .range = 900, .loop = 700, .stride = 65, .burst = 2000 });
	check(64, 12, (struct stream){ .range = 900, .loop = 700, .stride = 1, .burst = 2000,
				       .pause = 1ull << 40 });
	check(16, 8, (struct stream){ .range = 170, .loop = 120, .stride = 1, .burst = 20000 });
	check(16, 8, (struct stream){ .range = 170, .loop = 120, .stride = 1, .burst = 2000,
				      .number = UINT32_MAX - 9000 });
	check(1, 16, (struct stream){ .range = 40, .loop = 15, .stride = 1, .burst = 100 });
	return done();
}
