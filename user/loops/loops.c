// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "loops/loops.h"

#define NONE LOOP_NONE

/* An edge in a list of a node's. */
struct link {
	uint32_t from;
	uint32_t to;
	uint32_t next;		/* index + 1 of the next one in the list, 0 = last */
};

struct node {
	uint32_t tree;		/* the node that it was found from, NONE = a root */
	uint32_t cursor;	/* next edge to follow */
	uint32_t above;		/* union-find; a finished node's nearest unfinished ancestor */
	uint32_t outer;		/* union-find; header of the outermost loop found around it */
	uint32_t loop;		/* loop headed by it */
	uint32_t inner;		/* innermost loop around it */
	uint32_t back;		/* list of edges from descendants, as all lists index + 1 */
	uint32_t crossing;	/* list of edges between branches of the tree that part here */
	uint32_t entering;	/* list of such edges, to it or to loops that it heads */
	uint32_t taken;		/* the last header whose loop it was taken into */
	bool met;
	bool finished;
};

struct search {
	const struct graph *graph;
	struct node *nodes;
	uint32_t *order;	/* as met */
	uint32_t met;
	uint32_t *work;
	struct link *links;
	uint32_t link_count;
	size_t link_capacity;
	struct loop *loops;	/* inner ones first */
	int32_t *entries;	/* by loop: edges that enter elsewhere, less those that stop */
	uint32_t loop_count;
};

static void add_link(struct search *search, uint32_t *list, uint32_t from, uint32_t to)
{
	search->links = grow(search->links, search->link_count, &search->link_capacity,
			     sizeof(*search->links));
	search->links[search->link_count++] = (struct link) { from, to, *list };
	*list = search->link_count;
}

static uint32_t find_above(struct node *nodes, uint32_t n)
{
	while (nodes[n].above != n) {
		nodes[n].above = nodes[nodes[n].above].above;
		n = nodes[n].above;
	}
	return n;
}

static uint32_t find_outer(struct node *nodes, uint32_t n)
{
	while (nodes[n].outer != n) {
		nodes[n].outer = nodes[nodes[n].outer].outer;
		n = nodes[n].outer;
	}
	return n;
}

static void meet(struct search *search, uint32_t n, uint32_t from)
{
	struct node *node = &search->nodes[n];

	node->met = true;
	node->tree = from;
	node->cursor = search->graph->first[n];
	search->order[search->met++] = n;
}

/* An edge to a node met before: from below it, or to another branch of the tree. */
static void take_edge(struct search *search, uint32_t from, uint32_t to)
{
	struct node *nodes = search->nodes;
	uint32_t parting;

	if (!nodes[to].finished) {
		add_link(search, &nodes[to].back, from, to);
		return;
	}
	parting = find_above(nodes, to);
	/* Otherwise it leads to a tree that was complete before: into no loop of this one. */
	if (!nodes[parting].finished)
		add_link(search, &nodes[parting].crossing, from, to);
}

static void search_from(struct search *search, uint32_t root)
{
	struct node *nodes = search->nodes;
	uint32_t n = root, to;

	meet(search, root, NONE);
	while (n != NONE) {
		if (nodes[n].cursor < search->graph->first[n + 1]) {
			to = search->graph->to[nodes[n].cursor++];
			if (nodes[to].met) {
				take_edge(search, n, to);
			} else {
				meet(search, to, n);
				n = to;
			}
			continue;
		}
		nodes[n].finished = true;
		if (nodes[n].tree != NONE)
			nodes[n].above = nodes[n].tree;
		n = nodes[n].tree;
	}
}

/* The edge enters all loops around its end up to the outermost found, but for one headed by it. */
static void mark_entry(struct search *search, uint32_t to, uint32_t outer)
{
	struct node *node = &search->nodes[to];
	uint32_t innermost = node->loop == NONE ? node->inner : search->loops[node->loop].parent;

	if (to == outer)
		return;
	search->entries[innermost]++;
	search->entries[search->nodes[outer].loop]--;
	/* Counts are summed up from within: the outermost's own is back to what it was. */
	search->loops[search->nodes[outer].loop].irreducible = true;
}

static void admit_crossing(struct search *search, uint32_t n)
{
	struct node *nodes = search->nodes;
	uint32_t i, from, to;

	for (i = nodes[n].crossing; i; i = search->links[i - 1].next) {
		from = search->links[i - 1].from;
		to = find_outer(nodes, search->links[i - 1].to);
		mark_entry(search, search->links[i - 1].to, to);
		add_link(search, &nodes[to].entering, from, to);
	}
}

/* Puts a node, or the loop that was found around it, into the loop of a header. */
static uint32_t take(struct search *search, uint32_t header, uint32_t n, uint32_t count)
{
	n = find_outer(search->nodes, n);
	if (n == header || search->nodes[n].taken == header)
		return count;
	search->nodes[n].taken = header;
	search->work[count++] = n;
	return count;
}

static void close_loop(struct search *search, uint32_t header, uint32_t members)
{
	struct node *nodes = search->nodes, *node;
	uint32_t loop = search->loop_count++;

	search->loops[loop] = (struct loop) { .header = header, .parent = NONE };
	nodes[header].loop = loop;
	nodes[header].inner = loop;
	for (uint32_t i = 0; i < members; i++) {
		node = &nodes[search->work[i]];
		node->outer = header;
		if (node->loop == NONE)
			node->inner = loop;
		else
			search->loops[node->loop].parent = loop;
	}
}

/* All that leads to the header's back edges without leaving what lies below it in the tree. */
static void find_loop(struct search *search, uint32_t header)
{
	struct node *nodes = search->nodes;
	uint32_t count = 0, i, done;

	if (!nodes[header].back)
		return;
	for (i = nodes[header].back; i; i = search->links[i - 1].next)
		count = take(search, header, search->links[i - 1].from, count);
	for (done = 0; done < count; done++) {
		uint32_t n = search->work[done];

		count = take(search, header, nodes[n].tree, count);
		for (i = nodes[n].entering; i; i = search->links[i - 1].next)
			count = take(search, header, search->links[i - 1].from, count);
	}
	close_loop(search, header, count);
}

/* Inner loops come first in the search; in the forest, last. */
static void fill_forest(struct loop_forest *forest, struct search *search)
{
	uint32_t count = search->loop_count, i;

	for (i = 0; i < count; i++) {
		struct loop *loop = &search->loops[i];

		loop->irreducible |= search->entries[i] > 0;
		if (loop->parent != NONE)
			search->entries[loop->parent] += search->entries[i];
	}
	forest->count = count;
	forest->loops = xcalloc(count + 1, sizeof(*forest->loops));
	for (i = 0; i < count; i++) {
		struct loop *loop = &forest->loops[i];

		*loop = search->loops[count - 1 - i];
		if (loop->parent != NONE)
			loop->parent = count - 1 - loop->parent;
		loop->depth = loop->parent == NONE ? 1 : forest->loops[loop->parent].depth + 1;
	}
	forest->inner = xcalloc(search->graph->count + 1, sizeof(*forest->inner));
	for (i = 0; i < search->graph->count; i++)
		forest->inner[i] = search->nodes[i].inner == NONE ? NONE :
				   count - 1 - search->nodes[i].inner;
}

void loop_forest_find(struct loop_forest *forest, const struct graph *graph)
{
	struct search search = { .graph = graph };
	uint32_t count = graph->count, i;

	search.nodes = xcalloc(count + 1, sizeof(*search.nodes));
	search.order = xcalloc(count + 1, sizeof(*search.order));
	search.work = xcalloc(count + 1, sizeof(*search.work));
	search.loops = xcalloc(count + 1, sizeof(*search.loops));
	search.entries = xcalloc(count + 1, sizeof(*search.entries));
	for (i = 0; i < count; i++) {
		search.nodes[i].above = search.nodes[i].outer = i;
		search.nodes[i].loop = search.nodes[i].inner = search.nodes[i].taken = NONE;
	}
	for (i = 0; i < count; i++)
		if (!search.nodes[i].met)
			search_from(&search, i);
	for (i = count; i-- > 0; ) {
		admit_crossing(&search, search.order[i]);
		find_loop(&search, search.order[i]);
	}
	fill_forest(forest, &search);
	free(search.nodes);
	free(search.order);
	free(search.work);
	free(search.links);
	free(search.loops);
	free(search.entries);
}

void loop_forest_drop(struct loop_forest *forest)
{
	free(forest->loops);
	free(forest->inner);
	*forest = (struct loop_forest) { 0 };
}
