/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A loop that foretells what comes: the nest laid out as a row of steps, and for each slot the
 * address that its next execution will have if all goes on as before.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_PRSD_FOLLOW_H
#define CCSAMPLE_PRSD_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "prsd/shapes.h"

enum follow_kind { FOLLOW_BLOCK, FOLLOW_LOOP, FOLLOW_END };

struct follow_step {
	enum follow_kind kind;
	uint32_t shape;
	uint32_t at;			/* its first slot */
	uint32_t slots;
	uint32_t partner;		/* FOLLOW_LOOP: its end; FOLLOW_END: its beginning */
	uint64_t index;			/* FOLLOW_END: iterations finished */
	uint64_t count;			/* FOLLOW_END: iterations in total */
	const uint64_t *strides;	/* FOLLOW_END */
};

struct follower {
	struct follow_step *steps;
	uint32_t step_count, step_room;
	uint32_t now;			/* the step that comes next */
	uint64_t count;			/* iterations finished */
	uint64_t *first;		/* addresses of the first iteration, by slot */
	uint64_t *next;			/* foretold */
	uint64_t *strides;
	uint32_t *children;		/* shapes */
	uint32_t slot_count, child_count;
	bool open;			/* there is a loop to follow */
	const struct allocator *memory;
};

bool follower_open(struct follower *f, const struct allocator *memory);
void follower_close(struct follower *f);

/**
 * follower_begin() - follow the loop of f->children and f->strides, which the caller has filled.
 * @first: addresses of its first iteration; copied
 * @count: iterations that have been
 *
 * Return: false without memory.
 */
bool follower_begin(struct follower *f, const struct trace_shapes *shapes, uint32_t child_count,
		    const uint64_t *first, uint32_t slot_count, uint64_t count);

/* next[] of an inner loop's slots as it was when the loop began. */
void follower_rewind(struct follower *f, const struct follow_step *end);

/* Ends the iteration of an inner loop, or of the loop itself, and of those that end with it. */
void follower_wrap(struct follower *f);

static inline void follower_step(struct follower *f)
{
	if (++f->now == f->step_count || f->steps[f->now].kind == FOLLOW_END)
		follower_wrap(f);
}

static inline bool same_addresses(const uint64_t *a, const uint64_t *b, uint32_t count)
{
	uint64_t differ = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

/* Return: whether the block is the one foretold; then the next one is. */
static inline bool follow_block(struct follower *f, uint32_t shape, const uint64_t *addresses)
{
	const struct follow_step *step = &f->steps[f->now];

	while (step->kind == FOLLOW_LOOP)
		step++;
	if (step->shape != shape || !same_addresses(addresses, f->next + step->at, step->slots))
		return false;
	f->now = step - f->steps;
	follower_step(f);
	return true;
}

/* The same for a loop as a whole, where it begins. */
bool follow_loop(struct follower *f, uint32_t shape, const uint64_t *addresses);

#endif /* CCSAMPLE_PRSD_FOLLOW_H */
