// SPDX-License-Identifier: GPL-2.0-only
/* Misses where L1 is the only level, in order of use, and nothing else looks on. */
#include <stddef.h>

#include "cachesim/l1-fast.h"

/*
 * The set is dealt with before the line's words are looked at, for they may be far away; the line's
 * way has no node meanwhile.
 */
enum miss_class hierarchy_miss_alone(struct hierarchy *h, uint64_t line, bool store, uint32_t site,
				     struct access_result *result)
{
	struct l1_line *at = (struct l1_line *)words_recent(h->recent, h->lines, &h->words, line,
							    FIRST_AT_WORDS);
	struct level *l1 = &h->level[0];
	uint32_t set = array_set(&l1->array, line);
	struct way *row = (struct way *)array_row(&l1->array, set), left = { .node = NULL };
	uint32_t ways = l1->shape.geometry.ways;

	__builtin_prefetch(at, 1);
	left.tag = ways == 8 ? array_push(row, 8, line, store, &left.node) :
		   array_push(row, ways, line, store, &left.node);
	if (left.tag != TAG_EMPTY) {
		shadow_l1_blame(left.node, tag_line(left.tag), site);
		l1->counts.writebacks += left.tag & TAG_DIRTY;
	}
	row->node = l1_fast_miss(h, set, line, at, result);
	if (result->classes[0] == CLASS_CONFLICT)
		count_pair(h, site, row->node->evictor, 0, result);
	return result->classes[0];
}
