/* SPDX-License-Identifier: GPL-2.0-only */
/* A fully associative LRU cache by itself, made of the steps that the simulator takes apart. */
#ifndef CCSAMPLE_TESTS_SHADOW_USE_H
#define CCSAMPLE_TESTS_SHADOW_USE_H

#include "cachesim/shadow-l1.h"

/**
 * shadow_use() - an access: the line is the newest afterwards.
 * @number: of the node that the line had last, 0 = none; brought up to date
 * @hit: whether the line was there
 *
 * Return: its node.
 */
static inline struct shadow_l1_node *shadow_use(struct shadow_l1 *shadow, uint64_t line,
						uint32_t *number, bool *hit)
{
	struct shadow_l1_node *node = shadow_l1_find(shadow, line, *number);

	*hit = node;
	if (!node)
		return shadow_l1_replace(shadow, *number = shadow_l1_oldest(shadow), line);
	shadow_l1_renew(shadow, node);
	return node;
}

#endif /* CCSAMPLE_TESTS_SHADOW_USE_H */
