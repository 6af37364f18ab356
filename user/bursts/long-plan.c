// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bursts/burst-times.h"
#include "bursts/long-plan.h"
#include "bursts/pack.h"
#include "bursts/warm-up.h"

#define LEAST		200000.0	/* references of a long burst */
#define MOST		16e6
#define BYTES_MOST	(CCS_BURST_MAX / 2)	/* of one: a part has no more */
#define FILLS		3.0		/* times that it takes to fill the L2 */
#define PART_LEAST	(32u << 10)	/* words logged in a part but the first */
#define PART_MOST	(128u << 10)
#define PARTS		4		/* of a burst that is a little longer, if they may be */
#define COST_NS		5.0		/* of a reference, before it is known */
#define RECENT		4.0		/* bursts over which costs are averaged */
#define SATURATED	16		/* lines: of so many one is new, no more are expected */
#define FIRST		3		/* bursts whose lines are all counted */
#define COUNTED		4		/* ... and one in so many */
#define LOOKS		100u		/* for long bursts that were granted, at most */
#define LOOK_MS		3u

struct long_plan {
	struct burst_packer *packer;
	struct warm_up warm_up;		/* of the L2, by a burst whose lines are counted */
	uint32_t first_lines;		/* in half as many references as it is to have */
	uint64_t bursts;		/* that have begun */
	unsigned int looks;		/* for them that are left */
	uint64_t bytes_most;		/* of the one that was granted */
	/* the one that is read */
	bool reading;
	uint64_t image;			/* of the part that was read */
	uint32_t part;			/* that comes next */
	uint64_t made, both;		/* references; that read and write */
	uint64_t instructions, all;	/* of what is recorded; references, recorded or not */
	struct ccs_burst head;
	/* of all */
	uint64_t in_program_ns, ours_ns;
	uint64_t spent_ns;		/* of these, when the last one had ended */
	double length;			/* references that the next is to have */
	double cost_ns;			/* of a reference, lately */
};

struct long_plan *long_plan_new(uint32_t lines)
{
	struct long_plan *all = xcalloc(1, sizeof(*all));

	all->packer = burst_packer_new(true);
	warm_up_open(&all->warm_up, lines, UINT64_MAX);
	all->length = 2 * LEAST;
	all->cost_ns = COST_NS;
	all->looks = LOOKS;
	all->bytes_most = BYTES_MOST;
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

static void begin(struct long_plan *all, const struct burst *first)
{
	size_t size;

	burst_packer_end(all->packer, &size);	/* of a burst that lost its last part */
	warm_up_begin(&all->warm_up);
	all->first_lines = 0;
	all->bursts++;
	all->reading = true;
	all->part = 0;
	all->made = all->both = all->instructions = all->all = 0;
	all->head = (struct ccs_burst){
		.record = { .type = CCS_LONG_BURST, .tid = first->tid }, .cpu_ns = first->cpu_time,
	};
}

static bool is_full(const struct long_plan *all)
{
	return all->made >= MOST || burst_packer_size(all->packer) > all->bytes_most;
}

struct burst_packer *long_plan_begin_part(struct long_plan *all, const struct burst *part)
{
	if (!part->part)
		begin(all, part);
	else if (all->image != part->image || all->part != part->part)
		all->reading = false;
	all->image = part->image;
	all->part = part->part + 1;
	return all->reading && part->part && !is_full(all) ? all->packer : NULL;
}

/* --- its lines --- */

static bool is_counted(const struct long_plan *all)
{
	return all->bursts <= FIRST || all->bursts % COUNTED == 0;
}

bool long_plan_asks(const struct long_plan *all)
{
	return all->reading && is_counted(all) && !warm_up_done(&all->warm_up);
}

bool long_plan_add_all(struct long_plan *all, const struct burst_reference *references,
		       size_t count)
{
	uint64_t half = all->length / 2;

	for (size_t i = 0; i < count && !warm_up_done(&all->warm_up); i++) {
		warm_up_add(&all->warm_up, &references[i]);
		if (all->warm_up.references == half)
			all->first_lines = warm_up_lines(&all->warm_up);
	}
	return !warm_up_done(&all->warm_up);
}

/*
 * As long as it takes to fill the L2 a few times; longer than the one that did not, unless most
 * lines of that came in its first half: then it has seen what there is.
 */
static void set_length(struct long_plan *all)
{
	uint32_t lines = warm_up_lines(&all->warm_up);

	if (warm_up_done(&all->warm_up))
		all->length = FILLS * all->warm_up.references;
	else if (lines - all->first_lines > lines / SATURATED && !is_full(all))
		all->length = 2.0 * all->warm_up.references;
	if (all->length < LEAST)
		all->length = LEAST;
	if (all->length > MOST)
		all->length = MOST;
}

/* --- all of it --- */

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
	const uint8_t *bytes;

	if (is_counted(all))
		set_length(all);
	follow_cost(all);
	bytes = burst_packer_end(all->packer, size);
	all->reading = false;
	/* Of the last block of a part those count, too, before which the part ended. */
	*done = (struct ccs_long_burst){
		.burst = all->head, .made = all->made,
		.both = all->both < all->made ? all->both : all->made,
	};
	done->burst.record.size = sizeof(*done);
	done->burst.time = last->start;
	done->burst.end = last->end < last->start ? last->start : last->end;
	done->burst.references = all->made;
	done->burst.reason = last->reason;
	done->burst.instructions = all->instructions;
	return all->made && *size <= CCS_BURST_MAX ? bytes : NULL;
}

static void add_part(struct long_plan *all, const struct burst *part, const struct part_read *read,
		     double ticks_ns)
{
	all->in_program_ns += part->cpu_spent - burst_times_native(part, &all->head,
								   read->instructions, ticks_ns);
	all->head.spent_ns += part->cpu_spent;
	all->all += read->references;
	if (!read->packed)
		return;
	all->made += read->references;
	all->both += read->both;
	all->instructions += read->instructions;
}

const uint8_t *long_plan_part(struct long_plan *all, const struct burst *part,
			      const struct part_read *read, double ticks_ns,
			      struct ccs_long_burst *done, size_t *size)
{
	if (part->part)
		add_part(all, part, read, ticks_ns);
	else
		burst_times_take(part, ticks_ns, &all->head);
	if (read->wrong)
		all->reading = false;
	return !all->reading || part->more ? NULL : finish(all, part, done, size);
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

double long_plan_references(const struct long_plan *all)
{
	return all->length;
}

void long_plan_grant(struct long_plan *all, struct bursts_area *area, double budget_ns,
		     double density, uint64_t bytes)
{
	double words = all->length / (density > 0.01 ? density : 0.01);
	uint32_t part = fmin(fmax(words / PARTS, PART_LEAST), PART_MOST);

	if (!bytes || all->reading || __atomic_load_n(&area->parts, __ATOMIC_RELAXED) ||
	    long_plan_cost(all) + all->length * all->cost_ns > budget_ns)
		return;
	all->bytes_most = bytes < BYTES_MOST ? bytes : BYTES_MOST;
	area->part_words = part;
	__atomic_store_n(&area->parts, (uint32_t)(words / part) + 1, __ATOMIC_RELAXED);
}

unsigned int long_plan_wait_ms(struct long_plan *all, const struct bursts_area *area,
			       unsigned int most)
{
	if (all->reading)
		return 1;
	if (!all->looks || !__atomic_load_n(&area->parts, __ATOMIC_RELAXED))
		return most;
	all->looks--;
	return LOOK_MS < most ? LOOK_MS : most;
}
