// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorded bursts through two levels: each is counted as if it ran alone through caches that are
 * empty, whatever the policy, inclusion and prefetchers. L1 4K/4, L2 16K/8; pages identity; seed 77.
 */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "burst-maker.h"
#include "fixture.h"
#include "simulate/bursts.h"
#include "simulate/simulation.h"
#include "tap.h"

#define SEED		77u
#define BURSTS		5
#define REFERENCES	4000
#define PLACES		4	/* instructions */
#define STRIDE		200u	/* of the last one */

static const struct page_plan identity = { PAGES_IDENTITY, 0 };
static struct hierarchy_plan plan = { .levels = 2 };
static uint64_t state = SEED;

/*
 * Rows of 4 KiB, a heap of lines, a walk: all classes occur. The same lines in each burst. The last
 * instruction lies where the stride prefetcher, which goes by eight bits, takes it for the first.
 */
static struct burst_reference draw(uint64_t number)
{
	uint64_t place = random_below(&state, PLACES);
	uint64_t line = place ? random_below(&state, 500) : random_below(&state, 12) * 64;
	uint64_t offset = place < PLACES - 1 ? line * 64 + 60 : number / PLACES * STRIDE % 32000;

	return (struct burst_reference){
		.ip = 0x4000 + (place < PLACES - 1 ? 16 * place : 256), .address = 0x100000 + offset,
		.size = place == 2 ? 8 : 4, .kind = BURST_LOAD + random_below(&state, 3),
	};
}

static void refer(struct simulation *simulation, const struct burst_reference *reference)
{
	simulation_fetch(simulation, reference->ip);
	if (reference->kind != BURST_STORE)
		simulation_refer(simulation, reference->address, reference->size, false);
	if (reference->kind != BURST_LOAD)
		simulation_refer(simulation, reference->address, reference->size, true);
}

static void add(struct simulation *sum, const struct simulation *burst)
{
	sum->references += burst->references;
	for (int n = 0; n < 2; n++)
		for (int class = 0; class < MISS_CLASSES; class++)
			sum->outcomes[n][class] += burst->outcomes[n][class];
	sum->loads.references += burst->loads.references;
	sum->stores.references += burst->stores.references;
}

/* Writes the recording. Return: what its bursts have, each simulated by itself. */
static struct simulation make(const char *path, int bursts)
{
	struct ccs_cache l1 = { .sets = 16, .ways = 4 };
	struct burst_maker maker = burst_maker_begin(path, l1);
	struct simulation sum = { .references = 0 };

	for (int i = 0; i < bursts; i++) {
		struct simulation *burst = simulation_new(&plan, NULL);

		for (int j = 0; j < REFERENCES; j++) {
			struct burst_reference reference = draw(j);

			burst_maker_add(&maker, &reference);
			refer(burst, &reference);
		}
		burst_maker_end(&maker, 0);
		add(&sum, burst);
		simulation_free(burst);
	}
	burst_maker_finish(&maker);
	return sum;
}

static void test_levels(const struct sim_findings *found, const struct simulation *sum)
{
	static const char *const names[] = { "hits", "cold", "capacity", "conflict" };

	for (int n = 0; n < 2; n++)
		for (int class = 0; class < MISS_CLASSES; class++)
			ok(found->levels[n].counts.outcomes[class] == sum->outcomes[n][class] &&
			   sum->outcomes[n][class],
			   "L%d, %s: %lu, each burst by itself %lu", n + 1, names[class],
			   (unsigned long)found->levels[n].counts.outcomes[class],
			   (unsigned long)sum->outcomes[n][class]);
}

static void test_rows(const struct sim_findings *found, const struct simulation *sum)
{
	uint64_t references = 0, conflicts = 0;

	for (size_t i = 0; i < found->row_count; i++) {
		const struct sim_row *row = &found->rows[i];

		ok(row->region.address >= 0x4000 && row->region.address <= 0x4100 &&
		   row->low >= 0x100000 && row->high < 0x100000 + 64 * 1024,
		   "row %zu is the instruction at %#lx, and has the program's addresses", i,
		   (unsigned long)row->region.address);
		references += row->counts.references;
	}
	for (size_t i = 0; i < found->loop_pair_count; i++) {
		conflicts += found->loop_pairs[i].conflicts[0];
		ok(!found->loop_pairs[i].known, "objects of a pair are not known");
	}
	ok(found->row_count == PLACES && references == sum->references,
	   "rows have all %lu references", (unsigned long)references);
	ok(found->loop_pair_count && conflicts == sum->outcomes[0][CLASS_CONFLICT],
	   "pairs of loops have all %lu conflicts of L1", (unsigned long)conflicts);
}

static void test_plan(const char *path)
{
	struct simulation sum = make(path, BURSTS);
	struct sim_findings *found = sim_bursts(path, &plan, &identity);

	if (!ok(found, "policy %d, L2 inclusion %d, prefetchers %u", plan.level[0].policy,
		plan.level[1].inclusion, plan.prefetchers))
		return;
	ok(found->bursts == BURSTS && found->recorded_bursts == BURSTS, "all bursts are there");
	ok(found->references == sum.references &&
	   found->loads.references == sum.loads.references &&
	   found->stores.references == sum.stores.references, "loads and stores");
	test_levels(found, &sum);
	test_rows(found, &sum);
	sim_findings_free(found);
}

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("bursts.ccs");
	cache_geometry_parse(&plan.level[0].geometry, "4K,4,64");
	cache_geometry_parse(&plan.level[1].geometry, "16K,8,64");
	for (enum cache_policy policy = POLICY_LRU; policy <= POLICY_FIFO; policy++) {
		plan.level[0].policy = plan.level[1].policy = policy;
		test_plan(path);
	}
	plan.level[0].policy = plan.level[1].policy = POLICY_LRU;
	plan.level[1].inclusion = EXCLUSIVE;
	test_plan(path);
	plan.level[1].inclusion = NON_INCLUSIVE;
	plan.prefetchers = (1u << PREFETCHERS) - 1;
	test_plan(path);
	plan.prefetchers = 0;
	make(path, 0);
	ok(!sim_bursts(path, &plan, &identity), "a recording without a burst is refused");
	return done();
}
