// SPDX-License-Identifier: GPL-2.0-only
/*
 * Coherence against a model written apart from it: cores with lists of lines, searched from end to
 * end, a state of MESI for each core and line, and a log of all references, in which whose write
 * took a line away, and whose bytes a reference reads, is looked up from its beginning each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/coherence.h"
#include "cachesim/hierarchy.h"
#include "tap.h"

#define CORES	8
#define LINES	24
#define REFERENCES 6000
#define SITES	6

struct entry {
	uint64_t line;
	bool dirty;
};

struct list {
	struct entry entries[64];	/* most recent first */
	uint32_t count, capacity;
};

struct model_level {
	struct list sets[16];
	struct list all;		/* the shadow */
	uint32_t set_count;
	uint64_t writebacks;
};

struct logged {
	uint32_t core, site, first, last;
	uint64_t line;
	bool store, lost, essential, cold;
	uint32_t victim;		/* of a miss: its site */
};

static struct {
	struct model_level level[CORES][2];
	enum { IS_INVALID, IS_SHARED, IS_EXCLUSIVE, IS_MODIFIED } state[CORES][LINES];
	struct logged log[2 * REFERENCES];
	uint32_t time;
	uint32_t cores, levels, line_size;
	struct coherence_counts counts[CORES];
	uint64_t pairs[CORES][SITES][SITES][2];
} model;

static int find(const struct list *list, uint64_t line)
{
	for (uint32_t at = 0; at < list->count; at++)
		if (list->entries[at].line == line)
			return at;
	return -1;
}

static struct list *set_of(struct model_level *level, uint64_t line)
{
	return &level->sets[line % level->set_count];
}

/* Takes a line out. Return: whether it was dirty. */
static bool take(struct list *list, int at)
{
	bool dirty = list->entries[at].dirty;

	list->count--;
	for (; at < (int)list->count; at++)
		list->entries[at] = list->entries[at + 1];
	return dirty;
}

/* Puts a line first. Return: what left, with line ~0 where nothing did. */
static struct entry put(struct list *list, struct entry entry)
{
	struct entry left = { .line = ~0ull };

	if (list->count == list->capacity)
		left = list->entries[--list->count];
	for (uint32_t at = list->count++; at; at--)
		list->entries[at] = list->entries[at - 1];
	list->entries[0] = entry;
	return left;
}

static bool holds(uint32_t core, uint64_t line)
{
	for (uint32_t n = 0; n < model.levels; n++)
		if (find(set_of(&model.level[core][n], line), line) >= 0)
			return true;
	return false;
}

/* Dirty data leave a level: for L2 if that has the line, else for what is shared. */
static void leave(uint32_t core, uint32_t n, uint64_t line)
{
	struct list *set;
	int at;

	model.level[core][n].writebacks++;
	if (n + 1 >= model.levels)
		return;
	set = set_of(&model.level[core][n + 1], line);
	at = find(set, line);
	if (at >= 0)
		set->entries[at].dirty = true;
}

/* All of a core's levels: the line goes, or stays clean. */
static void give_up(uint32_t core, uint64_t line, bool stays)
{
	for (uint32_t n = 0; n < model.levels; n++) {
		struct model_level *level = &model.level[core][n];
		struct list *set = set_of(level, line);
		int at = find(set, line);

		if (at < 0)
			continue;
		level->writebacks += set->entries[at].dirty;
		set->entries[at].dirty = false;
		if (!stays)
			take(set, at);
	}
}

/* What the log says of a core and a line: its last reference there, 0 = none, counted from 1. */
static uint32_t last_reference(uint32_t core, uint64_t line)
{
	for (uint32_t time = model.time; time; time--)
		if (model.log[time - 1].core == core && model.log[time - 1].line == line)
			return time;
	return 0;
}

/* The first write of another core after a time, 0 = none. */
static uint32_t first_write(uint32_t core, uint64_t line, uint32_t since)
{
	for (uint32_t time = since + 1; time <= model.time; time++)
		if (model.log[time - 1].core != core && model.log[time - 1].line == line &&
		    model.log[time - 1].store)
			return time;
	return 0;
}

/* Has another core written to some of these bytes after a time? */
static bool new_bytes(const struct logged *now, uint32_t since)
{
	for (uint32_t time = since + 1; time <= model.time; time++) {
		const struct logged *was = &model.log[time - 1];

		if (was->store && was->core != now->core && was->line == now->line &&
		    was->first <= now->last && now->first <= was->last)
			return true;
	}
	return false;
}

/* The last reference of a core to a line for which a flag of the log is set, 0 = none. */
static uint32_t last_flagged(const struct logged *now, bool essential)
{
	for (uint32_t time = model.time; time; time--) {
		const struct logged *was = &model.log[time - 1];

		if (was->core == now->core && was->line == now->line &&
		    (was->cold || (essential ? was->essential : was->lost)))
			return time;
	}
	return 0;
}

/* True sharing: the lifetime's miss becomes an essential one. */
static void look_for_new_bytes(struct logged *now)
{
	uint32_t begun = last_flagged(now, false);
	struct logged *miss = now->lost || now->cold ? now : &model.log[begun - 1];
	uint32_t taken;

	if (miss->cold || miss->essential || !new_bytes(now, last_flagged(now, true)))
		return;
	miss->essential = true;
	model.counts[now->core].true_sharing++;
	taken = miss->victim;
	model.pairs[now->core][miss->site][taken][1]++;
}

static void model_protocol(struct logged *now, bool held, struct coherence_effect *effect)
{
	uint32_t core = now->core;
	bool shared = false;

	if (held && (!now->store || model.state[core][now->line] == IS_MODIFIED))
		return;
	effect->upgraded = held && model.state[core][now->line] == IS_SHARED;
	model.counts[core].upgrades += effect->upgraded;
	for (uint32_t other = 0; other < model.cores; other++) {
		if (other == core || !holds(other, now->line))
			continue;
		shared = true;
		if (now->store) {
			give_up(other, now->line, false);
			model.counts[other].invalidations++;
			effect->invalidated++;
			continue;
		}
		if (model.state[other][now->line] == IS_MODIFIED)
			give_up(other, now->line, true);
		model.state[other][now->line] = IS_SHARED;
	}
	model.state[core][now->line] = now->store ? IS_MODIFIED : shared ? IS_SHARED : IS_EXCLUSIVE;
}

/* Fills a level after a miss; what leaves dirty goes on. */
static void fill(uint32_t core, uint32_t n, uint64_t line, bool dirty)
{
	struct entry left = put(set_of(&model.level[core][n], line), (struct entry){ line, dirty });

	if (left.line != ~0ull && left.dirty)
		leave(core, n, left.line);
}

static enum miss_class look_up(struct logged *now, uint32_t n, bool dirty)
{
	struct model_level *level = &model.level[now->core][n];
	struct list *set = set_of(level, now->line);
	int at = find(set, now->line), shadow = find(&level->all, now->line);

	if (shadow >= 0)
		take(&level->all, shadow);
	put(&level->all, (struct entry){ now->line, false });
	if (at >= 0) {
		dirty |= take(set, at);
		put(set, (struct entry){ now->line, dirty });
		return CLASS_HIT;
	}
	return now->cold ? CLASS_COLD : now->lost || shadow < 0 ? CLASS_CAPACITY : CLASS_CONFLICT;
}

static struct coherence_effect model_refer(struct logged *now, uint8_t *classes)
{
	uint32_t last = last_reference(now->core, now->line);
	uint32_t written = first_write(now->core, now->line, last);
	bool held = holds(now->core, now->line);
	struct coherence_effect effect = { .upgraded = false };

	now->cold = !last;
	now->lost = !held && last && written;
	if (now->lost) {
		now->victim = model.log[written - 1].site;
		model.counts[now->core].misses++;
		model.pairs[now->core][now->site][now->victim][0]++;
	}
	model_protocol(now, held, &effect);
	look_for_new_bytes(now);
	for (uint32_t n = 0; n < 2; n++)
		classes[n] = CLASS_NONE;
	for (uint32_t n = 0; n < model.levels; n++) {
		classes[n] = look_up(now, n, !n && now->store);
		if (classes[n] == CLASS_HIT)
			break;
	}
	for (uint32_t n = model.levels; n--;)
		if (classes[n] != CLASS_HIT && classes[n] != CLASS_NONE)
			fill(now->core, n, now->line, !n && now->store);
	model.log[model.time++] = *now;
	return effect;
}

/* ---- comparisons ---- */

struct run {
	struct hierarchy_plan plan;
	struct coherence coherence;
	struct outer_level outer;
	struct hierarchy cores[CORES];
};

static void open_run(struct run *run, uint32_t cores, uint32_t sets, uint32_t ways, uint32_t levels,
		     uint32_t line_size)
{
	memset(&model, 0, sizeof(model));
	model.cores = cores;
	model.levels = levels < 3 ? levels : 2;
	model.line_size = line_size;
	run->plan = (struct hierarchy_plan){ .levels = levels, .coherence = true };
	for (uint32_t n = 0; n < levels; n++)
		cache_geometry_init(&run->plan.level[n].geometry,
				    ((uint64_t)sets << n) * ways * line_size, ways, line_size);
	coherence_open(&run->coherence, run->plan.level[0].geometry.line_bits, &libc_allocator);
	if (levels == 3)
		outer_level_open(&run->outer, &run->plan, &libc_allocator);
	for (uint32_t core = 0; core < cores; core++) {
		hierarchy_open(&run->cores[core], &run->plan,
			       levels == 3 ? &run->outer : NULL, &libc_allocator);
		coherence_join(&run->coherence, &run->cores[core]);
		for (uint32_t n = 0; n < model.levels; n++) {
			struct model_level *level = &model.level[core][n];

			level->set_count = sets << n;
			level->all.capacity = (sets << n) * ways;
			for (uint32_t set = 0; set < sets << n; set++)
				level->sets[set].capacity = ways;
		}
	}
}

static void close_run(struct run *run)
{
	for (uint32_t core = 0; core < model.cores; core++)
		hierarchy_close(&run->cores[core]);
	if (run->plan.levels == 3)
		outer_level_close(&run->outer, &libc_allocator);
	coherence_close(&run->coherence);
}

/* One line of a reference, in both. Return: whether all that became of it is the same. */
static bool refer_line(struct run *run, uint32_t core, uint64_t first, uint64_t last, bool store,
		       uint32_t site)
{
	struct hierarchy *h = &run->cores[core];
	uint64_t line = first / model.line_size;
	struct logged now = {
		.core = core, .site = site, .line = line, .store = store,
		.first = first % model.line_size, .last = last % model.line_size,
	};
	uint8_t classes[2];
	struct coherence_effect expected = model_refer(&now, classes), effect;
	struct access_result result = { .classes = { CLASS_HIT, CLASS_NONE, CLASS_NONE } };
	bool same;

	effect = coherence_access(h->core, line,
				  coherence_bytes(&run->coherence, now.first, now.last), store, site);
	same = effect.upgraded == expected.upgraded && effect.invalidated == expected.invalidated &&
	       h->core->lost == now.lost;
	result.classes[0] = hierarchy_touch(h, line, store, site, &result);
	for (uint32_t n = 0; n < model.levels; n++)
		same &= classes[n] == CLASS_NONE || result.classes[n] == classes[n];
	return same;
}

static bool refer(struct run *run, uint32_t core, uint64_t address, uint32_t size, bool store,
		  uint32_t site)
{
	uint64_t end = address + size, next;
	bool same = true;

	for (; address < end; address = next) {
		next = (address / model.line_size + 1) * model.line_size;
		if (next > end)
			next = end;
		same &= refer_line(run, core, address, next - 1, store, site);
	}
	return same;
}

static bool same_pairs(const struct run *run, uint32_t core)
{
	const struct pairs *pairs = &run->cores[core].core->pairs;
	uint64_t slot, found = 0, expected = 0;

	for (slot = 0; slot < hash_slots(pairs->shift); slot++) {
		const struct pair *pair = &pairs->slots[slot];

		if (!pair->total)
			continue;
		found++;
		if (pair->conflicts[0] != model.pairs[core][pair->victim][pair->evictor][0] ||
		    pair->conflicts[1] != model.pairs[core][pair->victim][pair->evictor][1])
			return false;
	}
	for (uint32_t i = 0; i < SITES * SITES; i++)
		expected += model.pairs[core][i / SITES][i % SITES][0] != 0;
	return found == expected;
}

static bool same_counts(const struct run *run)
{
	for (uint32_t core = 0; core < model.cores; core++) {
		if (memcmp(&run->cores[core].core->counts, &model.counts[core],
			   sizeof(model.counts[core])) || !same_pairs(run, core))
			return false;
		for (uint32_t n = 0; n < model.levels; n++)
			if (run->cores[core].level[n].counts.writebacks !=
			    model.level[core][n].writebacks)
				return false;
	}
	return true;
}

static void compare(uint32_t cores, uint32_t sets, uint32_t ways, uint32_t levels,
		    uint32_t line_size, uint32_t lines)
{
	struct coherence_counts sums = { 0 };
	uint32_t agreed = 0;
	struct run run;
	bool same;

	open_run(&run, cores, sets, ways, levels, line_size);
	for (uint32_t i = 0; i < REFERENCES; i++) {
		uint32_t size = 1 << test_random(5);
		uint64_t address = test_random(lines * line_size - size);

		agreed += refer(&run, test_random(cores), address, size, !test_random(3),
				test_random(SITES));
	}
	same = same_counts(&run);
	for (uint32_t core = 0; core < cores; core++) {
		sums.misses += model.counts[core].misses;
		sums.true_sharing += model.counts[core].true_sharing;
		sums.upgrades += model.counts[core].upgrades;
		sums.invalidations += model.counts[core].invalidations;
	}
	ok(agreed == REFERENCES && same, "%u cores, L1 %ux%u of %u B, %u levels, %u lines: %u of %u "
	   "agree; %llu coherence misses, %llu true, %llu upgrades, %llu invalidations", cores, sets,
	   ways, line_size, levels, lines, agreed, REFERENCES, (unsigned long long)sums.misses,
	   (unsigned long long)sums.true_sharing, (unsigned long long)sums.upgrades,
	   (unsigned long long)sums.invalidations);
	close_run(&run);
}

/* Two cores in turns, each a load and a store of 8 bytes of its own address. */
static struct coherence_counts increment(uint64_t one, uint64_t other, uint32_t rounds)
{
	struct coherence_counts sum = { 0 };
	struct run run;

	open_run(&run, 2, 8, 2, 2, 64);
	for (uint32_t i = 0; i < 2 * rounds; i++) {
		refer(&run, i % 2, i % 2 ? other : one, 8, false, 1);
		refer(&run, i % 2, i % 2 ? other : one, 8, true, 2);
	}
	for (uint32_t core = 0; core < 2; core++) {
		const struct coherence_counts *counts = &run.cores[core].core->counts;

		sum.misses += counts->misses;
		sum.true_sharing += counts->true_sharing;
		sum.upgrades += counts->upgrades;
		sum.invalidations += counts->invalidations;
	}
	close_run(&run);
	return sum;
}

/* The first load of each core is cold; the first one's store finds no other copy. */
static void test_known(void)
{
	struct coherence_counts found = increment(0, 8, 100);

	ok(found.misses == 198 && !found.true_sharing && found.upgrades == 199 &&
	   found.invalidations == 199, "neighbours in a line: 198 misses of false sharing");
	found = increment(0, 0, 100);
	ok(found.misses == 198 && found.true_sharing == 198 && found.upgrades == 199,
	   "the same counter: 198 of true sharing");
	found = increment(0, 64, 100);
	ok(!found.misses && !found.upgrades && !found.invalidations, "a line each: none");
}

/* The miss is on a byte of the core's own, and what the other wrote is read behind it. */
static void test_lifetime(void)
{
	struct coherence_counts found;
	struct run run;

	open_run(&run, 2, 8, 2, 1, 64);
	refer(&run, 0, 0, 8, false, 1);
	refer(&run, 1, 8, 8, true, 2);
	refer(&run, 0, 0, 8, false, 3);
	found = run.cores[0].core->counts;
	ok(found.misses == 1 && !found.true_sharing, "another's byte is not read yet: false");
	refer(&run, 0, 8, 8, false, 4);
	found = run.cores[0].core->counts;
	ok(found.misses == 1 && found.true_sharing == 1, "it is read before the line is lost: true");
	refer(&run, 1, 8, 8, true, 2);
	refer(&run, 0, 0, 8, false, 3);
	coherence_forget(run.cores[0].core);
	refer(&run, 0, 8, 8, false, 4);
	found = run.cores[0].core->counts;
	ok(!found.misses && !found.true_sharing, "a miss that was forgotten is not found to be true");
	close_run(&run);
}

int main(void)
{
	struct hierarchy_plan plan = { .levels = 1, .coherence = true, .detector = DETECTOR_REUSE };

	test_random_state = 29;
	printf("# seed %llu\n", (unsigned long long)test_random_state);
	for (uint32_t cores = 2; cores <= CORES; cores += cores < 4 ? 1 : 2)
		for (uint32_t levels = 1; levels <= 3; levels++) {
			compare(cores, 2, 2, levels, 64, 16);
			compare(cores, 1, 4, levels, 32, 24);
			compare(cores, 4, 1, levels, 64, 4);
		}
	compare(4, 2, 2, 2, 16, 24);
	test_known();
	test_lifetime();
	cache_geometry_parse(&plan.level[0].geometry, "32K,8,64");
	ok(hierarchy_error(&plan), "not beside another detector");
	plan.detector = DETECTOR_NONE;
	plan.prefetchers = 1;
	ok(hierarchy_error(&plan), "nor with prefetchers");
	return done();
}
