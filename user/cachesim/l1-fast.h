/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A miss in L1 itself: for hierarchy.c, where it goes on to outer levels, and for
 * hierarchy-alone.c, where there are none.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_L1_FAST_H
#define CCSAMPLE_CACHESIM_L1_FAST_H

#include "cachesim/hierarchy.h"

/* Counts a miss. Return: whether its set is crowded. */
static inline bool count_miss(const struct hierarchy *h, struct level *level, uint32_t set,
			      uint64_t line, uint32_t *window, enum miss_class class)
{
	level->counts.outcomes[class]++;
	level->sets[set].misses++;
	level->sets[set].conflicts += class == CLASS_CONFLICT;
	if (h->detector == DETECTOR_SUSPECTS)
		level->counts.suspected += suspects_hold(&level->suspects, set, line);
	return pressure_miss(&level->pressure, set, window);
}

static inline void count_pair(struct hierarchy *h, uint32_t site, uint32_t originator, uint32_t n)
{
	if (!pairs_count(&h->pairs, site, originator, n, h->memory))
		h->out_of_memory = true;
}

/* What L1 knows of a line. @number: of one that there are words for */
static inline struct first_at *first_at(const struct hierarchy *h, uint32_t number)
{
	return (struct first_at *)line_words_at(&h->words, number);
}

/* Brings a line into L1's twin. The one that leaves may be in L1 still. Return: its node. */
static inline struct fully_node *join_first_twin(struct level *l1, uint32_t set, uint64_t line,
						 struct first_at *at)
{
	uint32_t number = fully_oldest(&l1->twin);
	struct fully_node *node = &l1->twin.nodes[number];

	array_orphan(&l1->array, node->set, node);
	at->node = number;
	node->set = set;
	return fully_replace(&l1->twin, number, line);
}

/* A miss of L1, in L1 itself. Return: the line's node in the twin. */
static inline struct fully_node *miss_first(struct hierarchy *h, uint32_t set, uint64_t line,
					    struct first_at *at, struct fate *fate)
{
	struct level *l1 = &h->level[0];
	struct fully_node *node = fully_find(&l1->twin, line, at->node);
	enum miss_class class = at->window ? CLASS_CAPACITY : CLASS_COLD;

	if (node) {
		fate->classes[0] = CLASS_CONFLICT;
		fate->crowded = count_miss(h, l1, set, line, &at->window, CLASS_CONFLICT);
		fully_renew(&l1->twin, node);
		return node;
	}
	fate->classes[0] = class;
	fate->crowded = count_miss(h, l1, set, line, &at->window, class);
	return join_first_twin(l1, set, line, at);
}

/* hierarchy_miss() of a hierarchy that is alone. */
enum miss_class hierarchy_miss_alone(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				     struct fate *fate);

#endif /* CCSAMPLE_CACHESIM_L1_FAST_H */
