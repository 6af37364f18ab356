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

/* Counts a miss. Return: whether its set is under pressure. */
static inline bool count_miss(const struct hierarchy *h, struct level *level, uint32_t set,
			      uint64_t line, uint32_t *window, enum miss_class class)
{
	if (h->evictors) {
		*window = 1;
		return false;
	}
	level->counts.outcomes[class]++;
	level->sets[set].misses++;
	level->sets[set].conflicts += class == CLASS_CONFLICT;
	if (h->detector == DETECTOR_COLLINS_TULLSEN)
		collins_tullsen_miss(&level->collins_tullsen, set, line,
				     level->counts.collins_tullsen_conflicts);
	return pressure_miss(&level->pressure, set, window);
}

static inline void count_pair(struct hierarchy *h, uint32_t site, uint32_t evictor, uint32_t n,
			      struct access_result *result)
{
	if (h->evictors)
		result->evictors[n] = evictor;
	else if (!pairs_count(&h->pairs, site, evictor, n, h->memory))
		h->out_of_memory = true;
}

/* What L1 knows of a line. @number: of one that there are words for */
static inline struct l1_line *l1_line(const struct hierarchy *h, uint32_t number)
{
	return (struct l1_line *)line_words_at(&h->words, number);
}

/* Brings a line into L1's shadow. The one that leaves may be in L1 still. Return: its node. */
static inline struct shadow_l1_node *l1_fast_shadow_join(struct level *l1, uint32_t set,
							 uint64_t line, struct l1_line *at)
{
	uint32_t number = shadow_l1_oldest(&l1->shadow);
	struct shadow_l1_node *node = &l1->shadow.nodes[number];

	array_orphan(&l1->array, node->set, node);
	at->node = number;
	node->set = set;
	return shadow_l1_replace(&l1->shadow, number, line);
}

/* A miss of L1, in L1 itself. Return: the line's node in the shadow. */
static inline struct shadow_l1_node *l1_fast_miss(struct hierarchy *h, uint32_t set, uint64_t line,
					    struct l1_line *at, struct access_result *result)
{
	struct level *l1 = &h->level[0];
	struct shadow_l1_node *node = shadow_l1_find(&l1->shadow, line, at->node);
	enum miss_class class = at->window ? CLASS_CAPACITY : CLASS_COLD;

	if (node) {
		result->classes[0] = CLASS_CONFLICT;
		result->pressured = count_miss(h, l1, set, line, &at->window, CLASS_CONFLICT);
		shadow_l1_renew(&l1->shadow, node);
		return node;
	}
	result->classes[0] = class;
	result->pressured = count_miss(h, l1, set, line, &at->window, class);
	return l1_fast_shadow_join(l1, set, line, at);
}

/* hierarchy_miss() of a hierarchy that is alone. */
enum miss_class hierarchy_miss_alone(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				     struct access_result *result);

#endif /* CCSAMPLE_CACHESIM_L1_FAST_H */
