/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bursts that are long enough for L2: when the next one may begin and how long it is to be, and
 * what comes of its parts. A program's next burst becomes a long one when the area grants it
 * parts; what these cost is kept within a share of the budget.
 */
#ifndef CCSAMPLE_BURSTS_LONG_PLAN_H
#define CCSAMPLE_BURSTS_LONG_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bursts/log.h"
#include "format/format.h"

struct long_plan;

/* @lines: of the L2, at least 1 */
struct long_plan *long_plan_new(uint32_t lines);
void long_plan_free(struct long_plan *all);

/**
 * long_plan_begin_part() - the next part of a long burst is about to be read. The first one is
 * a burst of its own; what is recorded of the long one begins behind it.
 *
 * Return: what is to take its blocks, NULL = it is not recorded
 */
struct burst_packer *long_plan_begin_part(struct long_plan *all, const struct burst *part);

/* Are the part's references asked for? They say how long bursts are to be. */
bool long_plan_asks(const struct long_plan *all);

/* Return: false if it needs no more of them */
bool long_plan_add_all(struct long_plan *all, const struct burst_reference *references,
		       size_t count);

/* What was read of a part. */
struct part_read {
	uint64_t references, both, instructions;	/* @both: that read and write */
	bool packed, wrong;
};

/**
 * long_plan_part() - a part was read.
 * @part: as its writer has it
 * @ticks_ns: TSC ticks in a nanosecond: the first part's timed part is the long burst's
 * @done: where it was the last: filled in but for times that depend on clocks, .interval_ns and
 *        .bytes
 * @size: of the bytes, set then
 *
 * Return: the bytes, where it was the last and the burst is long; else NULL.
 */
const uint8_t *long_plan_part(struct long_plan *all, const struct burst *part,
			      const struct part_read *read, double ticks_ns,
			      struct ccs_long_burst *done, size_t *size);

/* What parts beyond the first took of our CPU time; of the program's; both. */
void long_plan_took(struct long_plan *all, uint64_t ours_ns);
uint64_t long_plan_in_program(const struct long_plan *all);
uint64_t long_plan_cost(const struct long_plan *all);

/* That the next one is to have. */
double long_plan_references(const struct long_plan *all);

/**
 * long_plan_grant() - let the next burst be a long one, if that is within the budget.
 * @budget_ns: for all of them until now
 * @density: references a word of the log
 * @bytes: that it may have, packed, as far as whole parts allow; 0 = none comes
 */
void long_plan_grant(struct long_plan *all, struct bursts_area *area, double budget_ns,
		     double density, uint64_t bytes);

/*
 * How long the recorder may wait until it looks again. Where it reads a part before the next is
 * full, the one after that finds a slot whose pages were touched before: it looks often for the
 * first long bursts, but not for ever.
 */
unsigned int long_plan_wait_ms(struct long_plan *all, const struct bursts_area *area,
			       unsigned int most);

#endif /* CCSAMPLE_BURSTS_LONG_PLAN_H */
