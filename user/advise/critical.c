// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/critical.h"
#include "base/map.h"
#include "base/memory.h"
#include "loops/code.h"
#include "loops/uses.h"
#include "program/image.h"
#include "program/symbols.h"

#define HIT		4u	/* cycles of a load that hits L1 */
#define WALK_MOST	128u	/* instructions from one reference to the next */
#define WINDOW		512u	/* instructions in flight, of the largest cores to 2023 */
#define VECTORS		2	/* vector operations of a cycle */
#define WORD_BITS	2	/* what a store hands to a load: words of 4 bytes */
#define WORDS_MOST	16u	/* of a store: a vector */

/* Code from one reference to the next, whose instruction is its last. */
struct run {
	struct register_uses *uses;
	size_t count;
};

struct open_module {
	struct module *module;
	struct image image;
	bool open;
};

struct critical {
	const struct keep *keep;
	const uint8_t *latencies;	/* by class */
	struct decoder *decoder;
	struct open_module **modules;
	size_t module_count, module_capacity;
	struct map by_sites;		/* of both -> index + 1 */
	struct run *runs;
	size_t run_count, run_capacity;
};

struct critical *critical_new(const struct keep *keep, const struct latencies *latencies)
{
	struct critical *critical = xcalloc(1, sizeof(*critical));

	critical->keep = keep;
	critical->latencies = latencies->cycles;
	critical->decoder = decoder_new();
	return critical;
}

void critical_free(struct critical *critical)
{
	if (!critical)
		return;
	for (size_t i = 0; i < critical->module_count; i++) {
		image_close(&critical->modules[i]->image);
		free(critical->modules[i]);
	}
	for (size_t i = 0; i < critical->run_count; i++)
		free(critical->runs[i].uses);
	free(critical->modules);
	free(critical->runs);
	map_free(&critical->by_sites);
	decoder_free(critical->decoder);
	free(critical);
}

/* --- code --- */

static const struct image *image_of(struct critical *critical, struct module *module)
{
	struct open_module *open;
	const struct elf_file *file;

	for (size_t i = 0; i < critical->module_count; i++)
		if (critical->modules[i]->module == module)
			return critical->modules[i]->open ? &critical->modules[i]->image : NULL;
	critical->modules = grow(critical->modules, critical->module_count,
				 &critical->module_capacity, sizeof(*critical->modules));
	open = xcalloc(1, sizeof(*open));
	critical->modules[critical->module_count++] = open;
	open->module = module;
	file = module ? module_file(module) : NULL;
	open->open = file && image_open(&open->image, file);
	return open->open ? &open->image : NULL;
}

/* Where the program goes from an instruction, if that leads to @to. */
static uint64_t follow(const struct step *step, uint64_t next, uint64_t to)
{
	bool back = step->target && step->target < next;

	switch (step->kind) {
	case STEP_JUMP:
		return step->target;
	case STEP_BRANCH:
		return back && step->target <= to && to < next ? step->target : next;
	case STEP_NEXT:
	case STEP_PADDING:
	case STEP_CALL:
	case STEP_CALL_AWAY:
		return next;
	default:
		return 0;
	}
}

/* Adds the instruction there. Return: where the program goes on to reach @to, 0 = not known. */
static uint64_t add_instruction(const struct critical *critical, const struct image *image,
				uint64_t at, uint64_t to, struct run *run)
{
	struct step step;
	size_t left;
	const uint8_t *bytes = image_at(image, at, true, &left);
	struct register_uses *uses = &run->uses[run->count];

	if (!bytes || !decoder_step(critical->decoder, bytes, left, at, &step) ||
	    !decoder_uses(critical->decoder, bytes, left, uses))
		return 0;
	if (critical->latencies[uses->class])
		uses->cycles = critical->latencies[uses->class];
	run->count++;
	return follow(&step, at + step.size, to);
}

/* After one instruction up to another, and that. Where there is no way, that alone. */
static void walk(const struct critical *critical, const struct image *image, uint64_t from,
		 uint64_t to, struct run *run)
{
	uint64_t at = add_instruction(critical, image, from, to, run);
	bool repeats = run->count && run->uses[0].repeats && from == to;

	run->count = 0;
	while (at && at != to && !repeats && run->count < WALK_MOST - 1)
		at = add_instruction(critical, image, at, to, run);
	if (at != to || repeats)
		run->count = 0;
	add_instruction(critical, image, to, to, run);
}

static const struct run *run_of(struct critical *critical, uint32_t from, uint32_t to)
{
	uint64_t *index = map_at(&critical->by_sites, (uint64_t)from << 32 | to);
	const struct keep_site *site = critical->keep->site;
	const struct code *a = &site[from].code, *b = &site[to].code;
	struct register_uses uses[WALK_MOST];
	struct run run = { .uses = uses };
	const struct image *image;

	if (*index)
		return &critical->runs[*index - 1];
	*index = critical->run_count + 1;
	image = image_of(critical, b->module);
	if (image && a->module == b->module)
		walk(critical, image, a->address, b->address, &run);
	run.uses = xmalloc((run.count + 1) * sizeof(*uses));
	memcpy(run.uses, uses, run.count * sizeof(*uses));
	critical->runs = grow(critical->runs, critical->run_count, &critical->run_capacity,
			      sizeof(*critical->runs));
	critical->runs[critical->run_count] = run;
	return &critical->runs[critical->run_count++];
}

/* --- the chain --- */

/* When it is there, in cycles, and which load it came from last: + 1; 0 = none. */
struct value {
	uint32_t ready, load;
};

struct clock {
	struct value values[USES_REGISTERS];
	struct map stored;		/* word of memory -> its value, see pack() */
	uint32_t retired[WINDOW];	/* by instruction: when it and all before it were done */
	uint64_t instructions, vectors, divider;
	const uint8_t *forward;		/* cycles from a store to a load; by vectors */
	uint32_t last;
};

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static struct value latest(const struct clock *clock, uint64_t registers)
{
	struct value latest = { 0, 0 };

	for (; registers; registers &= registers - 1) {
		const struct value *value = &clock->values[__builtin_ctzll(registers)];

		if (value->ready > latest.ready ||
		    (value->ready == latest.ready && value->load > latest.load))
			latest = *value;
	}
	return latest;
}

/* Not 0, which is a word that was not stored to. */
static uint64_t pack(const struct value *value)
{
	return (uint64_t)value->load << 32 | (value->ready + 1);
}

static uint64_t last_word(const struct keep_access *access)
{
	return (access->address + access->last) >> WORD_BITS;
}

/* What was stored last to what is loaded. Return: false where nothing was. */
static bool stored(const struct clock *clock, const struct keep_access *access,
		   struct value *value)
{
	uint64_t first = map_get(&clock->stored, access->address >> WORD_BITS);
	uint64_t last = map_get(&clock->stored, last_word(access));
	uint64_t packed = (uint32_t)first > (uint32_t)last ? first : last;

	*value = (struct value){ (uint32_t)packed - 1, packed >> 32 };
	return packed;
}

static void store(struct clock *clock, const struct keep_access *access, const struct value *value)
{
	uint64_t first = access->address >> WORD_BITS;

	for (uint64_t word = first; word <= last_word(access) && word < first + WORDS_MOST; word++)
		*map_at(&clock->stored, word) = pack(value);
}

/*
 * What an instruction loads. @access: NULL = not known; @index: of the access + 1; @first: when it
 * may begin
 */
static struct value load(const struct clock *clock, const struct register_uses *uses,
			 const struct keep_access *access, uint32_t index, uint32_t first)
{
	struct value loaded = { first + HIT, access ? index : 0 }, before;

	if (!access || !stored(clock, access, &before))
		return loaded;
	before.ready += clock->forward[!!(uses->written & USES_VECTORS)];
	if (before.ready < loaded.ready)
		return loaded;
	return (struct value){ before.ready, before.load ? before.load : index };
}

/* @access: of the instruction, NULL = not known; then @time receives nothing */
static void run_instruction(struct clock *clock, const struct register_uses *uses,
			    const struct keep_access *access, uint32_t index,
			    struct critical_time *time)
{
	uint64_t written = uses->written;
	uint32_t *retired = &clock->retired[clock->instructions++ % WINDOW];
	struct value address = latest(clock, uses->address), result = latest(clock, uses->read);
	struct value loaded = load(clock, uses, access, index, later(*retired, address.ready));

	result.ready = later(result.ready, *retired);
	if (uses->loads && loaded.ready >= result.ready)
		result = loaded;
	if (access)
		*time = (struct critical_time){ address.ready, loaded.ready, address.load };
	result.ready += uses->cycles;
	clock->divider += uses->divides;
	clock->vectors += uses->computes;
	clock->last = *retired = later(clock->last, result.ready);
	if (uses->stores && access)
		store(clock, access, &result);
	for (; written; written &= written - 1)
		clock->values[__builtin_ctzll(written)] = result;
}

double critical_cycles(struct critical *critical, const struct keep_burst *burst, size_t from,
		       size_t count, struct critical_time *times)
{
	struct clock clock = { .forward = &critical->latencies[LATENCY_FORWARD] };
	double most;

	memset(times, 0, count * sizeof(*times));
	for (size_t i = from + 1; i < from + count; i++) {
		const struct keep_access *access = &burst->accesses[i];
		const struct run *run = run_of(critical, access[-1].site, access->site);

		for (size_t k = 0; k < run->count; k++)
			run_instruction(&clock, &run->uses[k], k + 1 < run->count ? NULL : access,
					i - from + 1, &times[i - from]);
	}
	map_free(&clock.stored);
	most = fmax(clock.last, fmax(clock.divider, (double)clock.vectors / VECTORS));
	return count > 1 ? most / (count - 1) : 0;
}
