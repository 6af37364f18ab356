// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/coherence.h"
#include "cachesim/hierarchy.h"

/* A core's state of a line: that of the protocol while its levels hold the line, and two bits. */
enum mesi { MESI_INVALID, MESI_SHARED, MESI_EXCLUSIVE, MESI_MODIFIED, MESI_STATES };

#define COPY_TOUCHED	4u	/* the core has referred to the line */
#define COPY_CURRENT	8u	/* and no other has written to it since */

/* What a core knows of a line. */
struct copy {
	uint64_t fresh;		/* bytes that others wrote since the last essential miss */
	uint32_t state;
	uint32_t open;		/* epoch of a miss that may be of true sharing yet, 0 = none */
	uint32_t victim;	/* the site of that miss */
	uint32_t writer;	/* the site that took the line away before it */
};

/* What all of them know: bytes that one core wrote, and the others have not heard of. */
struct coherent_line {
	uint64_t bytes;
	uint32_t writer;	/* that core */
	uint32_t unused;
};

#define WORDS(type)	(sizeof(struct type) / sizeof(uint32_t))

bool coherence_open(struct coherence *all, uint32_t line_bits, const struct allocator *memory)
{
	*all = (struct coherence){
		.part_bits = line_bits > 6 ? line_bits - 6 : 0, .epoch = 1, .memory = memory,
		.written.memory = memory,
	};
	return lines_open(&all->lines, memory) &&
	       line_words_open(&all->written, WORDS(coherent_line), memory);
}

void coherence_close(struct coherence *all)
{
	line_words_close(&all->written);
	lines_close(&all->lines);
}

struct coherent_core *coherence_join(struct coherence *all, struct hierarchy *hierarchy)
{
	struct coherent_core *core = all->memory->get(sizeof(*core));
	bool open;

	if (!core)
		return NULL;
	*core = (struct coherent_core){
		.all = all, .next = all->cores, .hierarchy = hierarchy, .number = ++all->numbers,
	};
	all->cores = core;
	hierarchy->core = core;
	open = line_words_open(&core->copies, WORDS(copy), all->memory);
	if (pairs_open(&core->pairs, all->memory) && open)
		return core;
	coherence_leave(core);
	return NULL;
}

void coherence_leave(struct coherent_core *core)
{
	struct coherent_core **link = &core->all->cores;

	while (*link != core)
		link = &(*link)->next;
	*link = core->next;
	core->hierarchy->core = NULL;
	line_words_close(&core->copies);
	pairs_close(&core->pairs, core->all->memory);
	core->all->memory->put(core);
}

void coherence_forget(struct coherent_core *core)
{
	uint64_t slots = hash_slots(core->pairs.shift), slot;

	for (slot = 0; slot < slots; slot++)
		core->pairs.slots[slot] = (struct pair){ .total = 0 };
	core->pairs.used = 0;
	core->counts = (struct coherence_counts){ 0 };
	core->all->epoch++;
}

bool coherence_out_of_memory(const struct coherent_core *core)
{
	return core->out_of_memory || core->copies.out_of_memory ||
	       core->all->written.out_of_memory || core->all->lines.out_of_memory;
}

/* Of any line: of one that the core has not referred to, one without COPY_TOUCHED. */
static struct copy *copy_of(const struct coherent_core *core, uint32_t number)
{
	return (struct copy *)line_words_find(&core->copies, number);
}

static enum mesi mesi(const struct copy *copy)
{
	return copy->state % MESI_STATES;
}

static void set_mesi(struct copy *copy, enum mesi mesi)
{
	copy->state = copy->state / MESI_STATES * MESI_STATES + mesi;
}

static void count(struct coherent_core *core, const struct copy *copy, uint32_t what)
{
	if (!pairs_count(&core->pairs, copy->victim, copy->writer, what, core->all->memory))
		core->out_of_memory = true;
}

/* All others hear of what the last core that wrote to a line wrote there. */
static void spread(struct coherence *all, uint32_t number, struct coherent_line *line)
{
	struct coherent_core *core;

	for (core = all->cores; core; core = core->next) {
		struct copy *copy = copy_of(core, number);

		if (core->number != line->writer && copy->state & COPY_TOUCHED)
			copy->fresh |= line->bytes;
	}
	line->bytes = 0;
}

/* A load has missed: who holds the line shares it. Return: whether anybody does. */
static bool share(const struct coherent_core *core, uint32_t number, uint64_t line)
{
	struct coherent_core *other;
	bool any = false;

	for (other = core->all->cores; other; other = other->next) {
		struct copy *copy = copy_of(other, number);

		if (other == core || !(copy->state & COPY_CURRENT) ||
		    !hierarchy_holds(other->hierarchy, line))
			continue;
		any = true;
		if (mesi(copy) == MESI_MODIFIED)
			hierarchy_clean(other->hierarchy, line);
		set_mesi(copy, MESI_SHARED);
	}
	return any;
}

/* A store: no other core has the line any more. Return: how many lost it. */
static uint32_t take_away(const struct coherent_core *core, uint32_t number, uint64_t line,
			  uint32_t site)
{
	struct coherent_core *other;
	uint32_t lost = 0;

	for (other = core->all->cores; other; other = other->next) {
		struct copy *copy = copy_of(other, number);

		if (other == core || !(copy->state & COPY_CURRENT))
			continue;
		if (hierarchy_lose(other->hierarchy, line, site)) {
			other->counts.invalidations++;
			lost++;
		}
		copy->state = COPY_TOUCHED;
		copy->writer = site;
		copy->open = 0;
	}
	return lost;
}

/* The line is in none of the core's levels. */
static void arrive(struct coherent_core *core, uint32_t number, uint64_t line, struct copy *copy,
		   bool store, uint32_t site)
{
	struct coherent_line *written = (void *)line_words_at(&core->all->written, number);

	if (written->bytes && written->writer != core->number)
		spread(core->all, number, written);
	if (!(copy->state & COPY_TOUCHED))
		copy->fresh = 0;
	core->lost = copy->state & COPY_TOUCHED && !(copy->state & COPY_CURRENT);
	if (core->lost) {
		copy->victim = site;
		copy->open = core->all->epoch;
		core->counts.misses++;
		count(core, copy, COHERENCE_MISSES);
	}
	if (!store)
		set_mesi(copy, share(core, number, line) ? MESI_SHARED : MESI_EXCLUSIVE);
}

/* The core refers to some bytes of a line that it has. */
static void refer(struct coherent_core *core, struct copy *copy, uint64_t bytes)
{
	if (!(copy->fresh & bytes))
		return;
	if (copy->open == core->all->epoch) {
		core->counts.true_sharing++;
		count(core, copy, COHERENCE_TRUE);
	}
	copy->open = 0;
	copy->fresh = 0;
}

struct coherence_effect coherence_access(struct coherent_core *core, uint64_t line, uint64_t bytes,
					 bool store, uint32_t site)
{
	struct coherence *all = core->all;
	uint32_t number = line_words_reach(&all->written, lines_number(&all->lines, line));
	bool held = hierarchy_holds(core->hierarchy, line);
	struct coherence_effect effect = { .upgraded = false };
	struct coherent_line *written;
	struct copy *copy;

	number = line_words_reach(&core->copies, number);
	copy = copy_of(core, number);
	core->lost = false;
	if (!held)
		arrive(core, number, line, copy, store, site);
	if (store && (!held || mesi(copy) != MESI_MODIFIED)) {
		effect.upgraded = held && mesi(copy) == MESI_SHARED;
		core->counts.upgrades += effect.upgraded;
		effect.invalidated = take_away(core, number, line, site);
		set_mesi(copy, MESI_MODIFIED);
	}
	copy->state |= COPY_TOUCHED | COPY_CURRENT;
	refer(core, copy, bytes);
	if (store) {
		written = (void *)line_words_at(&all->written, number);
		written->writer = core->number;
		written->bytes |= bytes;
	}
	return effect;
}
