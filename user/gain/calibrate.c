// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/median.h"
#include "base/memory.h"
#include "base/random.h"
#include "gain/calibrate.h"
#include "gain/what-if.h"

#define COUNT		4000u		/* references of a kernel */
#define BASE		0x10000000000ull
#define CONFLICT	32768u		/* bytes apart: one set in every L1 */
#define PAGE		4096u
#define LINE		64u
#define SETS		64u		/* lines of a page: places that miss nothing */
#define PAGES		500u		/* of lines that are used once: 8 of each */
#define SEED		1u
#define OWN_NONE	1e-9		/* ns: no program to compare with */
#define VARIANTS	6u
#define ROUNDS_MOST	100u

/* A kernel: lines that take turns, and instructions by reference. */
struct variant {
	uint32_t lines;
	double instructions;
};

/* More lines than any L1 has ways, fewer than fill its sets; and L2's are random (4 KiB pages). */
static const struct variant near[VARIANTS] = {
	{ 18, 1 }, { 24, 1 }, { 30, 1 }, { 18, 4 }, { 24, 8 }, { 30, 24 },
};
static const struct variant far[VARIANTS] = {
	{ 40, 1 }, { 48, 1 }, { 60, 1 }, { 40, 4 }, { 48, 8 }, { 60, 24 },
};
static const struct variant beyond[VARIANTS] = {
	{ COUNT, 1 }, { COUNT, 2 }, { COUNT, 4 }, { COUNT, 8 }, { COUNT, 12 }, { COUNT, 24 },
};

const char *price_class_name(enum price_class class)
{
	static const char *const names[] = { "near", "far", "chained", "store", "update" };

	return names[class];
}

struct kernel {
	struct rerun_reference before[COUNT], after[COUNT];
};

static struct rerun_reference reference_of(enum price_class class, uint64_t address)
{
	struct rerun_reference reference = { .address = address, .bytes = 8, .kind = RERUN_LOAD };

	if (class == PRICE_STORE)
		reference.kind = RERUN_STORE;
	else if (class == PRICE_UPDATE)
		reference.kind = RERUN_LOAD_STORE;
	if (class == PRICE_CHAINED)
		reference.from = reference.to = 1;
	return reference;
}

/* Lines of one set of L1, and lines of as many sets in the same pages. */
static void fill_conflict(struct kernel *kernel, enum price_class class, uint32_t lines)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		uint64_t line = i * 7ull % lines, address = BASE + line * CONFLICT;

		kernel->before[i] = reference_of(class, address);
		kernel->after[i] = reference_of(class, address + line % SETS * LINE);
	}
}

/* Lines that are used once, in an order that is not foreseen. */
static void fill_once(struct kernel *kernel, enum price_class class)
{
	uint64_t state = SEED;

	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t at = random_below(&state, i + 1), line = i / PAGES * 8;
		uint64_t address = BASE + (uint64_t)(i % PAGES) * PAGE +
				   (line + random_below(&state, 8)) * LINE;

		kernel->before[i] = kernel->before[at];
		kernel->before[at] = reference_of(class, address);
	}
	memcpy(kernel->after, kernel->before, sizeof(kernel->after));
}

/* ns of a miss; NAN = cannot be run. */
static double run(struct rerun_memory *memory, struct kernel *kernel, int level,
		  enum price_class class, const struct variant *variant)
{
	struct what_if input = {
		.memory = memory, .before = kernel->before, .after = kernel->after, .count = COUNT,
		.own = OWN_NONE, .instructions = variant->instructions, .far = level > 0,
	};
	struct what_if_times times;

	if (level)
		fill_once(kernel, class);
	else
		fill_conflict(kernel, class, variant->lines);
	if (!what_if(&input, &times))
		return NAN;
	return level ? times.far_rerun - times.rerun : times.saved;
}

static bool measure(struct rerun_memory *memory, struct kernel *kernel, int level,
		    enum price_class class, unsigned int rounds, struct price *cost)
{
	const struct variant *variants = level ? beyond : class == PRICE_FAR ? far : near;
	double costs[VARIANTS], times[ROUNDS_MOST];

	for (size_t v = 0; v < VARIANTS; v++) {
		for (unsigned int r = 0; r < rounds; r++) {
			times[r] = run(memory, kernel, level, class, &variants[v]);
			if (isnan(times[r]))
				return false;
		}
		/* A miss that takes less time than a hit is one that takes none. */
		costs[v] = fmax(0, sorted_median(times, rounds));
	}
	cost->middle = sorted_median(costs, VARIANTS);
	cost->low = costs[0];
	cost->high = costs[VARIANTS - 1];
	return true;
}

bool calibrate(struct calibration *calibration, unsigned int rounds)
{
	struct rerun_memory *memory = rerun_memory_new();
	struct kernel *kernel = xmalloc(sizeof(*kernel));
	bool done = memory;

	if (rounds > ROUNDS_MOST)
		rounds = ROUNDS_MOST;
	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES && done; class++)
			done = measure(memory, kernel, level, class, rounds,
				       &calibration->cost[level][class]);
	free(kernel);
	rerun_memory_free(memory);
	return done;
}
