// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loop nests: the fast algorithm against its definition (components, and the
 * components inside them), natural loops where graphs are reducible, and
 * figures from textbooks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops/loops.h"
#include "draw.h"
#include "tap.h"

#define SEED	1997u
#define MOST	40		/* nodes of a random graph */

struct matrix {
	uint32_t count;
	bool edge[MOST][MOST];
};

/* The graph's edges in the order of their ends. */
static struct graph pack(const struct matrix *m, uint32_t *first, uint32_t *to)
{
	uint32_t edges = 0;

	for (uint32_t i = 0; i < m->count; i++) {
		first[i] = edges;
		for (uint32_t j = 0; j < m->count; j++)
			if (m->edge[i][j])
				to[edges++] = j;
	}
	first[m->count] = edges;
	return (struct graph) { m->count, first, to };
}

/* --- the definition --- */

struct naive {
	const struct matrix *m;
	uint32_t number[MOST];		/* as the search meets them */
	uint32_t tree[MOST];		/* which root's tree */
	uint32_t met;
	uint32_t parent[MOST];		/* header of the loop around, by header */
	uint32_t inner[MOST];		/* header of the innermost loop */
	bool loop[MOST];
	bool irreducible[MOST];
};

static void number(struct naive *naive, uint32_t n, uint32_t root)
{
	naive->number[n] = naive->met++;
	naive->tree[n] = root;
	for (uint32_t j = 0; j < naive->m->count; j++)
		if (naive->m->edge[n][j] && naive->number[j] == LOOP_NONE)
			number(naive, j, root);
}

static void close_paths(bool reach[MOST][MOST], uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = 0; j < count; j++)
				reach[i][j] |= reach[i][k] && reach[k][j];
}

/* The components among @members without edges to @header, each a loop inside its. */
static void split(struct naive *naive, const bool *members, uint32_t header)
{
	static bool reach[MOST][MOST][MOST];	/* one for each depth */
	static uint32_t depth;
	uint32_t count = naive->m->count, head;
	bool part[MOST], handled[MOST] = { false };

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++)
			reach[depth][i][j] = members[i] && members[j] && j != header &&
					     naive->m->edge[i][j];
	close_paths(reach[depth], count);
	for (uint32_t i = 0; i < count; i++) {
		if (handled[i] || !reach[depth][i][i])
			continue;
		head = i;
		for (uint32_t j = 0; j < count; j++) {
			part[j] = reach[depth][i][j] && reach[depth][j][i];
			handled[j] |= part[j];
			if (part[j] && naive->number[j] < naive->number[head])
				head = j;
		}
		naive->loop[head] = true;
		naive->parent[head] = header;
		for (uint32_t j = 0; j < count; j++) {
			if (!part[j])
				continue;
			naive->inner[j] = head;
			for (uint32_t k = 0; k < count; k++)
				if (naive->m->edge[k][j] && !part[k] && j != head &&
				    naive->tree[k] <= naive->tree[j])
					naive->irreducible[head] = true;
		}
		depth++;
		split(naive, part, head);
		depth--;
	}
}

static void define(struct naive *naive, const struct matrix *m)
{
	bool all[MOST];

	memset(naive, 0, sizeof(*naive));
	naive->m = m;
	for (uint32_t i = 0; i < m->count; i++) {
		naive->number[i] = naive->inner[i] = naive->parent[i] = LOOP_NONE;
		all[i] = true;
	}
	for (uint32_t i = 0, root = 0; i < m->count; i++)
		if (naive->number[i] == LOOP_NONE)
			number(naive, i, root++);
	split(naive, all, LOOP_NONE);
}

static uint32_t header_of(const struct loop_forest *forest, uint32_t loop)
{
	return loop == LOOP_NONE ? LOOP_NONE : forest->loops[loop].header;
}

static bool same(const struct loop_forest *forest, const struct naive *naive)
{
	uint32_t loops = 0;

	for (uint32_t i = 0; i < naive->m->count; i++) {
		loops += naive->loop[i];
		if (header_of(forest, forest->inner[i]) != naive->inner[i])
			return false;
	}
	for (uint32_t i = 0; i < forest->count; i++) {
		const struct loop *loop = &forest->loops[i];

		if (!naive->loop[loop->header] ||
		    header_of(forest, loop->parent) != naive->parent[loop->header] ||
		    loop->irreducible != naive->irreducible[loop->header])
			return false;
		if (loop->parent == LOOP_NONE ? loop->depth != 1 :
		    loop->parent >= i || loop->depth != forest->loops[loop->parent].depth + 1)
			return false;
	}
	return forest->count == loops;
}

struct counts {
	uint32_t wrong, loops, irreducible, deepest;
};

static void compare(const struct matrix *m, struct counts *counts)
{
	uint32_t first[MOST + 1], to[MOST * MOST];
	struct graph graph = pack(m, first, to);
	struct loop_forest forest;
	struct naive naive;

	loop_forest_find(&forest, &graph);
	define(&naive, m);
	counts->wrong += !same(&forest, &naive);
	counts->loops += forest.count;
	for (uint32_t i = 0; i < forest.count; i++) {
		counts->irreducible += forest.loops[i].irreducible;
		if (forest.loops[i].depth > counts->deepest)
			counts->deepest = forest.loops[i].depth;
	}
	loop_forest_drop(&forest);
}

static void random_graphs(void)
{
	struct counts counts = { 0 };
	struct matrix m;

	for (uint32_t round = 0; round < 6000; round++) {
		uint32_t edges;

		memset(&m, 0, sizeof(m));
		m.count = 1 + draw(round % 4 ? 12 : MOST);
		for (edges = draw(3 * m.count + 1); edges; edges--)
			m.edge[draw(m.count)][draw(m.count)] = true;
		compare(&m, &counts);
	}
	ok(!counts.wrong, "6000 random graphs: as defined (%u wrong, seed %u)", counts.wrong, SEED);
	ok(counts.loops > 5000 && counts.irreducible > 1000 && counts.deepest > 5,
	   "they hold %u loops, %u irreducible, %u deep", counts.loops, counts.irreducible,
	   counts.deepest);
}

/* Like code: most edges to the next node, some a few nodes back or forth. */
static void code_like_graphs(void)
{
	struct counts counts = { 0 };
	struct matrix m;

	for (uint32_t round = 0; round < 3000; round++) {
		memset(&m, 0, sizeof(m));
		m.count = 2 + draw(MOST - 2);
		for (uint32_t i = 0; i + 1 < m.count; i++) {
			m.edge[i][i + 1] = draw(10) > 0;
			if (draw(3) == 0)
				m.edge[i][draw(i + 1)] = true;
			if (draw(3) == 0)
				m.edge[i][i + draw(m.count - i)] = true;
		}
		compare(&m, &counts);
	}
	ok(!counts.wrong, "3000 graphs like code: as defined (%u wrong)", counts.wrong);
	ok(counts.irreducible > 100 && counts.loops > 10 * 1000, "%u loops, %u irreducible",
	   counts.loops, counts.irreducible);
}

/* --- reducible graphs, by construction --- */

static uint32_t next_node;

/* A region of code from @from on: sequences, branches, loops. Return: where it ends. */
static uint32_t build(struct matrix *m, uint32_t from, uint32_t depth, uint32_t *loops)
{
	uint32_t end, other, join;

	if (next_node + 8 > m->count || !depth)	/* 8: the joins that are still to come */
		return from;
	end = next_node++;
	m->edge[from][end] = true;
	switch (draw(3)) {
	case 0:				/* a loop headed by @end */
		other = build(m, end, depth - 1, loops);
		m->edge[other][end] = true;
		++*loops;
		join = next_node++;
		m->edge[draw(2) ? end : other][join] = true;
		return build(m, join, depth - 1, loops);
	case 1:				/* two ways that join */
		other = build(m, end, depth - 1, loops);
		join = next_node++;
		m->edge[other][join] = true;
		m->edge[end][join] = true;
		return build(m, join, depth - 1, loops);
	default:
		return build(m, build(m, end, depth - 1, loops), depth - 1, loops);
	}
}

static void structured_graphs(void)
{
	uint32_t wrong = 0, loops = 0, irreducible = 0, expected;
	uint32_t first[MOST + 1], to[MOST * MOST];
	struct loop_forest forest;
	struct counts counts = { 0 };
	struct matrix m;

	for (uint32_t round = 0; round < 2000; round++) {
		struct graph graph;

		memset(&m, 0, sizeof(m));
		m.count = MOST;
		next_node = 1;
		expected = 0;
		build(&m, 0, 5, &expected);
		m.count = next_node;
		graph = pack(&m, first, to);
		loop_forest_find(&forest, &graph);
		wrong += forest.count != expected;
		loops += expected;
		for (uint32_t i = 0; i < forest.count; i++)
			irreducible += forest.loops[i].irreducible;
		loop_forest_drop(&forest);
		compare(&m, &counts);
	}
	ok(!wrong && loops > 1000, "structured code: as many loops as written (%u)", loops);
	ok(!irreducible && !counts.wrong, "and all reducible");
}

/* --- by hand --- */

static void examples(void)
{
	/* Entered at 1 and at 2, which lead to each other. */
	static const uint32_t two_first[] = { 0, 2, 3, 4 }, two_to[] = { 1, 2, 2, 1 };
	/* A node that leads to itself. */
	static const uint32_t self_first[] = { 0, 1, 3, 3 }, self_to[] = { 1, 1, 2 };
	/* Two back edges to one header are one loop. */
	static const uint32_t shared_first[] = { 0, 1, 3, 5, 5 }, shared_to[] = { 1, 2, 3, 1, 1 };
	struct loop_forest forest;

	loop_forest_find(&forest, &(struct graph) { 3, two_first, two_to });
	ok(forest.count == 1 && forest.loops[0].irreducible && forest.inner[2] == 0 &&
	   forest.inner[0] == LOOP_NONE, "a loop with two entries is irreducible");
	loop_forest_drop(&forest);
	loop_forest_find(&forest, &(struct graph) { 3, self_first, self_to });
	ok(forest.count == 1 && forest.loops[0].header == 1 && !forest.loops[0].irreducible &&
	   forest.inner[1] == 0 && forest.inner[2] == LOOP_NONE, "a node may be a loop");
	loop_forest_drop(&forest);
	loop_forest_find(&forest, &(struct graph) { 4, shared_first, shared_to });
	ok(forest.count == 1 && forest.loops[0].header == 1 && forest.inner[2] == 0,
	   "one header, one loop");
	loop_forest_drop(&forest);
	loop_forest_find(&forest, &(struct graph) { 0, self_first, self_to });
	ok(!forest.count, "an empty graph has no loops");
	loop_forest_drop(&forest);
}

/* A ladder of @count nodes in which each leads to the next and back: as deep as it is long. */
static void large_graphs(void)
{
	const uint32_t count = 400000;
	uint32_t *first = malloc((count + 1) * sizeof(*first));
	uint32_t *to = malloc(3 * count * sizeof(*to)), edges = 0, i;
	struct loop_forest forest;
	bool fits = true;

	for (i = 0; i < count; i++) {
		first[i] = edges;
		if (i + 1 < count)
			to[edges++] = i + 1;
		if (i)
			to[edges++] = i - 1;
	}
	first[count] = edges;
	loop_forest_find(&forest, &(struct graph) { count, first, to });
	for (i = 0; i < forest.count; i++)
		fits &= forest.loops[i].depth == i + 1 && forest.loops[i].header == i;
	ok(fits && forest.count == count - 1, "%u loops, each in the last", forest.count);
	loop_forest_drop(&forest);
	for (i = edges = 0; i < count; i++) {
		first[i] = edges;
		for (uint32_t k = 0; k < 3; k++)
			to[edges++] = draw(count);
	}
	first[count] = edges;
	loop_forest_find(&forest, &(struct graph) { count, first, to });
	ok(forest.count > count / 50, "a random graph of %u nodes: %u loops", count, forest.count);
	loop_forest_drop(&forest);
	free(first);
	free(to);
}

int main(void)
{
	state = SEED;
	examples();
	random_graphs();
	code_like_graphs();
	structured_graphs();
	large_graphs();
	return done();
}
