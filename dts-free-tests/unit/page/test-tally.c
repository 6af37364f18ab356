// SPDX-License-Identifier: GPL-2.0-only
/* What pages count while recordings are read, against counts by hand of random misses (seed 1). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "findings/contexts.h"
#include "findings/misses.h"
#include "page/tally.h"
#include "draw.h"
#include "tap.h"

#define SITES	12
#define OBJECTS	3
#define SETS	256
#define MISSES	5000

static size_t passed_on;

static void count(void *context, const struct miss_row *miss)
{
	passed_on += context == &passed_on;
}

static struct code_site sites[SITES];
static struct object objects[OBJECTS];
static struct {
	uint64_t samples[SITES], conflicts[SITES], by_set[OBJECTS][SETS];
	double evictions[SITES];
} hand;

static struct miss_row random_miss(size_t index)
{
	uint32_t number = draw(SITES), object = draw(OBJECTS);
	struct miss_row miss = {
		.level = 1, .site = &sites[number], .number = number, .object = &objects[object],
		.placed = true, .set = draw(SETS), .sets = SETS, .again = draw(2),
	};

	hand.samples[number]++;
	hand.conflicts[number] += miss.again;
	hand.by_set[object][miss.set] += sites[number].context == 0;
	miss.evictor_count = index && miss.again ? draw(4) : 0;
	for (uint32_t i = 0; i < miss.evictor_count; i++) {
		/* One that has missed. */
		do
			miss.evictors[i] = draw(SITES);
		while (!hand.samples[miss.evictors[i]]);
		hand.evictions[miss.evictors[i]] += 1.0 / miss.evictor_count;
	}
	return miss;
}

static void check_sites(const struct tallies *tallies)
{
	uint32_t wrong = 0, found = 0, unsorted = 0;

	for (size_t number = 0; number < 2; number++) {
		struct context context = { .number = number };
		size_t site_count;
		const struct site_tally *site = tallies_sites(tallies, &context, 1, &site_count);

		for (size_t i = 0; i < site_count; i++, found++) {
			wrong += site[i].samples != hand.samples[site[i].number] ||
				 site[i].conflicts != hand.conflicts[site[i].number] ||
				 fabs(site[i].evictions - hand.evictions[site[i].number]) > 1e-6;
			unsorted += i && site[i - 1].line > site[i].line;
		}
	}
	ok(!wrong && found == SITES, "misses, conflicts and evictions of %u instructions (%u wrong)",
	   found, wrong);
	ok(!unsorted, "in the order of lines");
}

static void check_folds(const struct tallies *tallies)
{
	struct context context = { .number = 0 };
	size_t fold_count;
	const struct fold_tally *fold = tallies_folds(tallies, &context, 1, &fold_count);
	uint32_t wrong = 0, unsorted = 0;

	for (size_t i = 0; i < fold_count; i++) {
		const uint64_t *by_set = hand.by_set[fold[i].object - objects];

		for (uint32_t set = 0; set < SETS; set += 2)
			wrong += fold[i].counts[set / 2] != by_set[set] + by_set[set + 1];
		unsorted += i && fold[i - 1].samples < fold[i].samples;
	}
	ok(fold_count == OBJECTS && fold->columns == FOLD_COLUMNS && !wrong,
	   "objects by set, two sets a column (%u wrong)", wrong);
	ok(!unsorted, "most samples first");
}

int main(void)
{
	struct analysis_options options = { .each = count, .context = &passed_on };
	struct tallies tallies = { .sites = NULL };
	struct context nobody = { .number = 7 };
	size_t none;

	state = 1;
	for (uint32_t i = 0; i < SITES; i++)
		sites[i] = (struct code_site){ .context = i % 2, .address = 64 * i, .file = "a.c",
					       .line = 100 - i };
	for (uint32_t i = 0; i < OBJECTS; i++)
		objects[i].id = i + 1;
	tallies_attach(&tallies, &options);
	for (size_t i = 0; i < MISSES; i++) {
		struct miss_row miss = random_miss(i);

		options.each(options.context, &miss);
	}
	tallies_sort(&tallies);
	ok(passed_on == MISSES, "what else is asked for each miss is asked");
	check_sites(&tallies);
	check_folds(&tallies);
	ok(!tallies_sites(&tallies, &nobody, 1, &none) && !none, "a context without misses has none");
	tallies_drop(&tallies);
	return done();
}
