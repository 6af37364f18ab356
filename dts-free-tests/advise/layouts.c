// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops over data whose layout is given: what advice is tried on, and then what was advised.
 *
 *	layouts KIND REPETITIONS [BYTES [STEP]]
 *
 * -DROW_PAD, -DNODE_PAD: what the declared arrays and structs are longer by.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS		24
#define COLUMNS		512
#define STREAMS		20
#define LENGTH		32768
#define NODES		48
#define VALUES		(1l << 20)
#define PLANES		8
#define LINES		64

struct page {
	struct page *next;
	long key;
	char rest[4096 - 16 + NODE_PAD];
};

double declared[ROWS][COLUMNS + ROW_PAD];
static struct page pool[NODES];
static double sum;			/* @declared might be written elsewhere, for all gcc knows */

/* Down the columns of a matrix whose rows have so many bytes. */
static void rows(long repetitions, size_t row)
{
	char *matrix = calloc(ROWS * 4, row);

	while (repetitions--)
		for (long column = 0; column < COLUMNS; column++)
			for (long i = 0; i < ROWS; i++)
				sum += *(double *)(matrix + i * row + column * 8);
	free(matrix);
}

static void statics(long repetitions)
{
	while (repetitions--)
		for (long column = 0; column < COLUMNS; column++)
			for (long i = 0; i < ROWS; i++)
				sum += declared[i][column];
}

/* Streams in lockstep, of which each begins so many bytes later than the one before. */
static void lockstep(long repetitions, long streams, size_t step)
{
	double *stream[STREAMS];

	for (long i = 0; i < streams; i++) {
		char *block = malloc(LENGTH * sizeof(double) + i * step);

		stream[i] = (double *)(block + i * step);
		memset(stream[i], 0, LENGTH * sizeof(double));
	}
	while (repetitions--)
		for (long at = 0; at < LENGTH; at++)
			for (long i = 0; i < streams; i++)
				stream[i][at] += at;
	sum += stream[0][1];
}

/* The same of 14 allocations, each at a place of its own in the code; says where they lie in pages. */
static void sites(long repetitions)
{
	const size_t bytes = LENGTH * sizeof(double);
	double *stream[14];

	stream[0] = calloc(1, bytes);
	stream[1] = calloc(1, bytes);
	stream[2] = calloc(1, bytes);
	stream[3] = calloc(1, bytes);
	stream[4] = calloc(1, bytes);
	stream[5] = calloc(1, bytes);
	stream[6] = calloc(1, bytes);
	stream[7] = calloc(1, bytes);
	stream[8] = calloc(1, bytes);
	stream[9] = calloc(1, bytes);
	stream[10] = calloc(1, bytes);
	stream[11] = calloc(1, bytes);
	stream[12] = calloc(1, bytes);
	stream[13] = calloc(1, bytes);
	while (repetitions--)
		for (long at = 0; at < LENGTH; at++)
			for (long i = 0; i < 14; i++)
				stream[i][at] += at;
	for (long i = 0; i < 14; i++)
		printf("%d\n", (int)((uintptr_t)stream[i] % 4096));
}

/* A list of nodes at the beginnings of pages, or of so many bytes from malloc(). */
static void nodes(long repetitions, size_t bytes)
{
	struct page *first = NULL, *node;

	for (long i = 0; i < NODES; i++) {
		void *block = bytes ? malloc(bytes) : aligned_alloc(4096, 4096);

		node = block;
		node->next = first;
		node->key = i;
		first = node;
	}
	while (repetitions--)
		for (node = first; node; node = node->next)
			sum += node->key;
}

/* The heads of structs, in an order that jumps. */
static void structs(long repetitions)
{
	long at = 0;

	for (long i = 0; i < NODES; i++)
		pool[i].key = (i * 29 + 7) % NODES;
	while (repetitions--)
		for (long i = 0; i < NODES; i++) {
			at = pool[at].key;
			sum += at;
		}
}

/* Entries of so many bytes, of which one is chosen by a hash: their first lines. */
static void table(long repetitions, size_t bytes)
{
	char *entries = calloc(128, bytes);
	unsigned long key = 1;

	for (repetitions *= 128; repetitions--; ) {
		long *entry = (long *)(entries + (key >> 57) * bytes);

		entry[1] += entry[0]++;
		key = key * 6364136223846793005u + 1442695040888963407u;
	}
	sum += *(long *)entries;
	free(entries);
}

struct slot {
	long key, value;
};

/* A table of which an index with so many bits reaches slots that lie so many bytes apart. */
static void reached(long repetitions, unsigned int bits, size_t bytes)
{
	struct slot *slots = malloc(1 << 20);
	unsigned long key = 1;

	memset(slots, 1, 1 << 20);
	for (repetitions <<= bits; repetitions--; ) {
		sum += slots[(key >> (64 - bits)) * (bytes / sizeof(*slots))].value;
		key = key * 6364136223846793005u + 1442695040888963407u;
	}
	free(slots);
}

static void butterfly(double *a, double *b)
{
	double both = 0.5 * (*a + *b);

	*b = 0.5 * (*a - *b);
	*a = both;
}

/* All stages of a transform in place; so many bytes are unused after each piece of as many. */
static void transform(long repetitions, size_t piece, size_t unused)
{
	long length = piece / sizeof(double), gap = unused / sizeof(double);
	double *values = calloc(VALUES + (VALUES / length + 1) * gap, sizeof(double));

	while (repetitions--)
		for (long half = 1; half < VALUES; half *= 2)
			for (long first = 0; first < half; first++)
				for (long i = first; i < VALUES; i += 2 * half)
					butterfly(&values[i + i / length * gap],
						  &values[i + half + (i + half) / length * gap]);
	sum += values[5];
	free(values);
}

static void line(char *first, size_t step, long count)
{
	for (long half = count / 2; half; half /= 2)
		for (long i = 0; i < count; i++)
			if (!(i & half))
				butterfly((double *)(first + i * step),
					  (double *)(first + (i + half) * step));
}

/* The same along two dimensions of three; rows have so many bytes. */
static void grid(long repetitions, size_t row)
{
	char *block = calloc(PLANES * LINES, row);

	while (repetitions--)
		for (long column = 0; column < COLUMNS; column++) {
			for (long z = 0; z < PLANES; z++)
				line(block + z * LINES * row + column * 8, row, LINES);
			for (long y = 0; y < LINES; y++)
				line(block + y * row + column * 8, LINES * row, PLANES);
		}
	sum += *(double *)block;
	free(block);
}

/* A conflict in memory that nobody else lays out. */
static void stack(long repetitions)
{
	volatile double matrix[ROWS][COLUMNS];

	memset((void *)matrix, 0, sizeof(matrix));
	while (repetitions--)
		for (long column = 0; column < COLUMNS; column++)
			for (long i = 0; i < ROWS; i++)
				sum += matrix[i][column];
}

static void stream(long repetitions)
{
	double *from = calloc(1 << 20, sizeof(*from)), *to = calloc(1 << 20, sizeof(*to));

	while (repetitions--)
		for (long i = 0; i < 1 << 20; i++)
			to[i] = from[i] + i;
	sum += to[5];
}

/* Pages of so many bytes in one block, of which any is searched: a header, and keys behind it. */
static void pages(long repetitions, size_t bytes)
{
	char *block = calloc(NODES + 1, bytes);
	unsigned long key = 1;

	memset(block, 0, NODES * bytes);
	while (repetitions--) {
		long *page = (long *)(block + 320 + (key >> 40) % NODES * bytes), at = 1;

		page[0]++;
		while (at < 48)
			at = 2 * at + (page[at] < (long)(key >> at & 1));
		sum += at;
		key = key * 6364136223846793005u + 1442695040888963407u;
	}
	free(block);
}

/* Values go to the ends of 64 buffers in one block by their keys; all are emptied if one is full. */
static void buffers(long repetitions, size_t bytes)
{
	size_t used[64] = { 0 };
	char *block = calloc(64, bytes);
	unsigned long key = 1;

	while (repetitions--) {
		unsigned long to = key >> 58;

		*(unsigned long *)(block + to * bytes + used[to]) = key;
		used[to] += sizeof(key);
		if (used[to] == 4096)
			memset(used, 0, sizeof(used));
		key = key * 6364136223846793005u + 1442695040888963407u;
	}
	sum += (double)*(unsigned long *)block;
	free(block);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";
	long repetitions = argc > 2 ? atol(argv[2]) : 0;
	size_t bytes = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;

	if (!strcmp(kind, "rows"))
		rows(repetitions, bytes);
	else if (!strcmp(kind, "statics"))
		statics(repetitions);
	else if (!strcmp(kind, "lockstep"))
		lockstep(repetitions, bytes, argc > 4 ? strtoul(argv[4], NULL, 0) : 0);
	else if (!strcmp(kind, "sites"))
		sites(repetitions);
	else if (!strcmp(kind, "nodes"))
		nodes(repetitions, bytes);
	else if (!strcmp(kind, "structs"))
		structs(repetitions);
	else if (!strcmp(kind, "table"))
		table(repetitions, bytes);
	else if (!strcmp(kind, "reached"))
		reached(repetitions, 6, 4096);
	else if (!strcmp(kind, "all-reached"))
		reached(repetitions, 16, sizeof(struct slot));
	else if (!strcmp(kind, "transform"))
		transform(repetitions, bytes, argc > 4 ? strtoul(argv[4], NULL, 0) : 0);
	else if (!strcmp(kind, "grid"))
		grid(repetitions, bytes);
	else if (!strcmp(kind, "pages"))
		pages(repetitions, bytes);
	else if (!strcmp(kind, "buffers"))
		buffers(repetitions, bytes);
	else if (!strcmp(kind, "stack"))
		stack(repetitions);
	else if (!strcmp(kind, "stream"))
		stream(repetitions);
	else
		return 2;
	printf("%g\n", sum);
	return 0;
}
