/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The traces of many members, threads or ranks, as one (ScalaMemTrace, appendix A). Where members
 * have the same item, and its addresses differ from member to member by the same strides, it is
 * kept once: with the set of the members, the addresses of the first, and the strides.
 *
 * Each member's items keep their order: what a member did is the groups that it is in, step by
 * step.
 */
#ifndef CCSAMPLE_PRSD_MERGE_H
#define CCSAMPLE_PRSD_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/* Sets of members, each made of a smaller one and its last member. Number 0 is the empty set. */
struct member_set {
	uint32_t before;		/* the set without its last member */
	uint32_t last;
	uint32_t count;
};

struct member_sets {
	struct member_set *all;
	uint32_t count, room;
	struct map longer;		/* set << 32 | member -> set that has both */
};

struct merge_item {
	uint64_t key;			/* items of one key have as many slots, and can be one */
	uint64_t at;			/* of its first address */
	uint32_t slots;
};

/* Members whose n-th has the addresses first + n * stride, n = 0, 1, .. */
struct merge_group {
	uint64_t *first;		/* one a slot, then a stride each; NULL without slots */
	uint32_t set;
	uint32_t next;			/* the step's next group, number + 1; 0 = none */
};

struct merge_step {
	uint64_t key;
	uint32_t slots;
	uint32_t groups;		/* the first one, number + 1 */
};

struct merge {
	struct member_sets *sets;
	struct merge_step *steps;
	struct merge_group *groups;
	uint32_t step_count, group_count, group_room;
};

void member_sets_free(struct member_sets *sets);

/* @members: room for the set's count; filled in the order in which they were added. */
void member_sets_list(const struct member_sets *sets, uint32_t set, uint32_t *members);

/* @sets: of any number of merges, outlives them */
void merge_open(struct merge *m, struct member_sets *sets);
void merge_close(struct merge *m);

/**
 * merge_add() - add all that one member did.
 * @member: not added before
 * @addresses: where the items' are
 *
 * Items are aligned with the steps so far: at a difference, with the nearest that are equal again.
 * Return: 0 or -ENOMEM.
 */
int merge_add(struct merge *m, uint32_t member, const struct merge_item *items, uint32_t count,
	      const uint64_t *addresses);

static inline uint64_t *merge_strides(const struct merge_group *group, uint32_t slots)
{
	return slots ? group->first + slots : NULL;
}

#endif /* CCSAMPLE_PRSD_MERGE_H */
