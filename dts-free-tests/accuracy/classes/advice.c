// SPDX-License-Identifier: GPL-2.0-only
/* Class 9: conflicts that call for something else than longer rows. */
#include "variant.h"

#define MOST 32

static NOINLINE double add_arrays(double *const *array, unsigned int count)
{
	double sum = 0;

	for (unsigned int i = 0; i < PAGE / 8; i++)
		for (unsigned int a = 0; a < count; a++)
			sum += array[a][i];
	return sum;
}

/* More arrays than are told apart by pairs: each of its own statement. */
static void many(unsigned int ways, unsigned long repeats)
{
	double *a = variant_pages(PAGE), *b = variant_pages(PAGE), *c = variant_pages(PAGE);
	double *d = variant_pages(PAGE), *e = variant_pages(PAGE), *f = variant_pages(PAGE);
	double *g = variant_pages(PAGE), *h = variant_pages(PAGE), *i = variant_pages(PAGE);
	double *j = variant_pages(PAGE), *k = variant_pages(PAGE), *l = variant_pages(PAGE);
	double *m = variant_pages(PAGE), *n = variant_pages(PAGE), *o = variant_pages(PAGE);
	double *all[] = { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o };

	while (repeats--)
		variant_sink += add_arrays(all, ways + 3);
	for (unsigned int x = 0; x < 15; x++)
		free(all[x]);
}

/* Nodes of a list that begin pages. */
struct node {
	struct node *next;
	long value;
};

static NOINLINE long follow(const struct node *node)
{
	long sum = 0;

	for (; node; node = node->next)
		sum += node->value;
	return sum;
}

static void nodes(unsigned int ways, unsigned long repeats)
{
	struct node *first = NULL;

	for (unsigned int i = 0; i < 2 * ways; i++) {
		struct node *node = variant_pages(PAGE);

		node->next = first;
		node->value = i;
		first = node;
	}
	while (repeats--)
		variant_sink += follow(first);
}

/* Headers of the pages of one pool. */
struct page {
	unsigned int used, free;
	char data[PAGE - 8];
};

static NOINLINE unsigned int count_used(const struct page *pages, unsigned int count)
{
	unsigned int used = 0;

	for (unsigned int i = 0; i < count; i++)
		used += pages[i].used;
	return used;
}

static void headers(unsigned int ways, unsigned long repeats)
{
	struct page *pages = variant_pages(4 * ways * sizeof(*pages));

	while (repeats--)
		variant_sink += count_used(pages, 4 * ways);
	free(pages);
}

/* A hash table whose keys are addresses of pages, of a power of two of buckets. */
static NOINLINE uint64_t find(const uint64_t *bucket, unsigned int buckets, unsigned int keys)
{
	uint64_t sum = 0;

	for (uint64_t key = 0; key < keys; key++)
		sum += bucket[key * (PAGE / 8) & (buckets - 1)];
	return sum;
}

static void hash(unsigned int ways, unsigned long repeats)
{
	unsigned int buckets = 1 << 14;
	uint64_t *bucket = variant_pages(buckets * sizeof(*bucket));

	while (repeats--)
		variant_sink += find(bucket, buckets, 2 * ways);
	free(bucket);
}

/* A field of structs that are a page long. */
struct body {
	double x, y, z, mass;
	double history[PAGE / 8 - 4];
};

static NOINLINE double momentum(const struct body *bodies, unsigned int count)
{
	double sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += bodies[i].x * bodies[i].mass;
	return sum;
}

static void structs(unsigned int ways, unsigned long repeats)
{
	struct body *bodies = variant_pages(3 * ways * sizeof(*bodies));

	while (repeats--)
		variant_sink += momentum(bodies, 3 * ways);
	free(bodies);
}

static const struct variant variants[] = {
	{ "many", many }, { "nodes", nodes }, { "headers", headers }, { "hash", hash }, { "structs", structs },
};

VARIANT_MAIN(variants)
