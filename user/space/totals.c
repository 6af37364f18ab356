// SPDX-License-Identifier: GPL-2.0-only
/*
 * A radix tree, as high as its largest number needs; a node of several trees is copied to change.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/totals.h"

#define SHIFT	5
#define WIDTH	(1u << SHIFT)

struct totals_node {
	uint32_t users;
	union {
		struct totals_node *below[WIDTH];
		uint64_t sum[WIDTH];		/* on the lowest level */
	};
};

static struct totals_node *new_node(void)
{
	struct totals_node *node = xcalloc(1, sizeof(*node));

	node->users = 1;
	return node;
}

/* @level: 0 = the lowest */
static struct totals_node *own(struct totals_node **at, uint32_t level)
{
	struct totals_node *node = *at;

	if (!node) {
		*at = new_node();
	} else if (node->users > 1) {
		*at = xmalloc(sizeof(*node));
		memcpy(*at, node, sizeof(*node));
		(*at)->users = 1;
		node->users--;
		for (uint32_t i = 0; level && i < WIDTH; i++)
			if (node->below[i])
				node->below[i]->users++;
	}
	return *at;
}

static bool is_high_enough(const struct totals *totals, uint32_t number)
{
	return totals->levels && (uint64_t)number >> SHIFT * totals->levels == 0;
}

uint64_t *totals_at(struct totals *totals, uint32_t number)
{
	struct totals_node *node;

	while (!is_high_enough(totals, number)) {
		node = totals->root;
		totals->levels++;
		totals->root = NULL;
		if (node) {
			totals->root = new_node();
			totals->root->below[0] = node;
		}
	}
	node = own(&totals->root, totals->levels - 1);
	for (uint32_t level = totals->levels - 1; level; level--)
		node = own(&node->below[number >> SHIFT * level & (WIDTH - 1)], level - 1);
	return &node->sum[number & (WIDTH - 1)];
}

void totals_copy(struct totals *copy, const struct totals *totals)
{
	*copy = *totals;
	if (copy->root)
		copy->root->users++;
}

static void drop(struct totals_node *node, uint32_t level)
{
	if (!node || --node->users)
		return;
	for (uint32_t i = 0; level && i < WIDTH; i++)
		drop(node->below[i], level - 1);
	free(node);
}

void totals_drop(struct totals *totals)
{
	drop(totals->root, totals->levels - 1);
	*totals = (struct totals) { 0 };
}
