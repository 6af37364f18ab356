// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bursts/burst-times.h"
#include "bursts/long-plan.h"
#include "bursts/pack.h"
#include "bursts/strip.h"
#include "bursts/warm-up.h"

#define LEAST		200000.0	/* references of a long burst */
#define MOST		16e6
#define KEPT_MOST	(2u << 20)	/* of them, those that are recorded */
#define FILLS		3.0		/* times that it takes to fill the L2 */
#define PART_LEAST	(32u << 10)	/* words logged in a part but the first */
#define PART_MOST	(128u << 10)
#define PARTS		4		/* of a burst that is a little longer, if they may be */
#define COST_NS		10.0		/* of a reference, before it is known */
#define RECENT		4.0		/* bursts over which costs are averaged */
#define SATURATED	16		/* lines: of so many one is new, no more are expected */

struct long_plan {
	struct burst_packer *packer;
	struct burst_strip strip;
	struct warm_up warm_up;		/* of the L2, by what was not stripped */
	/* the one that is read */
	bool reading;
	uint64_t image, number;		/* of the part that was read */
	uint32_t part;			/* that comes next */
	uint64_t made, both, kept;	/* references; that read and write; recorded */
	uint64_t filled;	/* of @made, when it had touched as many lines as the L2 has */
	uint64_t instructions, all;	/* of all its references, recorded or not */
	uint64_t half;			/* of @made, if it is as long as bursts before */
	uint32_t first_lines;		/* that were touched by then */
	struct ccs_burst head;		/* of its first part */
	/* of all */
	uint64_t in_program_ns, ours_ns;
	uint64_t spent_ns;		/* of these, when the last one had ended */
	double length;			/* references that the next is to have */
	double cost_ns;			/* of a reference, lately */
};

struct long_plan *long_plan_new(uint32_t lines)
{
	struct long_plan *all = xcalloc(1, sizeof(*all));

	all->packer = burst_packer_new();
	warm_up_open(&all->warm_up, lines, UINT64_MAX);
	all->length = 2 * LEAST;
	all->cost_ns = COST_NS;
	return all;
}

void long_plan_free(struct long_plan *all)
{
	if (!all)
		return;
	warm_up_close(&all->warm_up);
	burst_packer_free(all->packer);
	free(all);
}

/* --- one burst --- */

static void begin(struct long_plan *all, const struct burst *part)
{
	size_t size;

	burst_packer_end(all->packer, &size);	/* of a burst that lost its last part */
	burst_strip_begin(&all->strip);
	warm_up_begin(&all->warm_up);
	all->reading = true;
	all->part = 0;
	all->made = all->both = all->kept = all->filled = all->instructions = all->all = 0;
	all->half = all->length / 2;
	all->first_lines = 0;
	all->head = (struct ccs_burst){
		.record = { .type = CCS_LONG_BURST, .tid = part->tid }, .cpu_ns = part->cpu_time,
	};
}

/* Another part than the one before. */
static void turn(struct long_plan *all, const struct burst *part)
{
	if (!part->part)
		begin(all, part);
	else if (all->image != part->image || all->part != part->part)
		all->reading = false;
	all->image = part->image;
	all->number = part->number;
	all->part = part->part + 1;
}

static bool is_other(const struct long_plan *all, const struct burst *part)
{
	return all->number != part->number || all->image != part->image;
}

static void add(struct long_plan *all, const struct burst_reference *reference)
{
	if (all->kept == KEPT_MOST)
		return;
	if (++all->made == all->half)
		all->first_lines = warm_up_lines(&all->warm_up);
	all->both += reference->kind == BURST_LOAD_STORE;
	if (burst_strip_hits(&all->strip, reference))
		return;
	all->kept++;
	burst_packer_add(all->packer, reference);
	if (warm_up_done(&all->warm_up))
		return;
	warm_up_line(&all->warm_up, reference->address >> BURST_STRIP_LINE);
	if (warm_up_done(&all->warm_up))
		all->filled = all->made;
}

void long_plan_add_all(struct long_plan *all, const struct burst *part,
		       const struct burst_reference *references, size_t count)
{
	size_t i;

	if (is_other(all, part))
		turn(all, part);
	if (!all->reading)
		return;
	all->all += count;
	for (i = 0; i < count; i++)
		add(all, &references[i]);
}

/*
 * As long as it takes to fill the L2 a few times; longer than the one that did not, unless most
 * lines of that came in its first half: then it has seen what there is.
 */
static void set_length(struct long_plan *all)
{
	uint32_t lines = warm_up_lines(&all->warm_up);

	if (warm_up_done(&all->warm_up))
		all->length = FILLS * all->filled;
	else if (lines - all->first_lines > lines / SATURATED && all->kept < KEPT_MOST)
		all->length = 2.0 * all->made;
	if (all->length < LEAST)
		all->length = LEAST;
	if (all->length > MOST)
		all->length = MOST;
}

static void follow_cost(struct long_plan *all)
{
	uint64_t spent = all->in_program_ns + all->ours_ns;

	if (all->all)
		all->cost_ns += ((double)(spent - all->spent_ns) / all->all - all->cost_ns) /
				RECENT;
	all->spent_ns = spent;
}

static const uint8_t *finish(struct long_plan *all, const struct burst *last,
			     struct ccs_long_burst *done, size_t *size)
{
	const uint8_t *bytes = burst_packer_end(all->packer, size);

	all->reading = false;
	set_length(all);
	follow_cost(all);
	*done = (struct ccs_long_burst){
		.burst = all->head, .made = all->made, .both = all->both,
	};
	done->burst.record.size = sizeof(*done);
	done->burst.time = last->start;
	done->burst.end = last->end < last->start ? last->start : last->end;
	done->burst.references = all->kept;
	done->burst.reason = last->reason;
	done->burst.instructions = all->all ? (double)all->instructions * all->made / all->all : 0;
	return all->made && *size <= CCS_BURST_MAX ? bytes : NULL;
}

const uint8_t *long_plan_part(struct long_plan *all, const struct burst *part,
			      uint64_t instructions, double ticks_ns,
			      struct ccs_long_burst *done, size_t *size)
{
	if (is_other(all, part))
		turn(all, part);
	if (part->part)
		all->in_program_ns += part->cpu_spent -
				      burst_times_native(part, &all->head, instructions, ticks_ns);
	else
		burst_times_take(part, ticks_ns, &all->head);
	if (!all->reading)
		return NULL;
	all->instructions += instructions;
	all->head.spent_ns += part->cpu_spent;
	return part->more ? NULL : finish(all, part, done, size);
}

/* --- what they cost --- */

void long_plan_took(struct long_plan *all, uint64_t ours_ns)
{
	all->ours_ns += ours_ns;
}

uint64_t long_plan_in_program(const struct long_plan *all)
{
	return all->in_program_ns;
}

uint64_t long_plan_cost(const struct long_plan *all)
{
	return all->in_program_ns + all->ours_ns;
}

void long_plan_grant(struct long_plan *all, struct bursts_area *area, double budget_ns,
		     double density)
{
	double words = all->length / (density > 0.01 ? density : 0.01);
	uint32_t part = fmin(fmax(words / PARTS, PART_LEAST), PART_MOST);

	if (all->reading || __atomic_load_n(&area->parts, __ATOMIC_RELAXED) ||
	    long_plan_cost(all) + all->length * all->cost_ns > budget_ns)
		return;
	area->part_words = part;
	__atomic_store_n(&area->parts, (uint32_t)(words / part) + 1, __ATOMIC_RELAXED);
}

bool long_plan_reading(const struct long_plan *all)
{
	return all->reading;
}
