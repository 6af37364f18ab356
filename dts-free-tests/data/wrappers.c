// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that functions allocate for others. */
#include <stdlib.h>

#define BYTES	(256u << 10)
#define TURNS	64

static volatile char sink;

static void walk(const char *array, size_t bytes)
{
	char sum = 0;

	for (int turn = 0; turn < TURNS; turn++)
		for (size_t at = 0; at < bytes; at += 64)
			sum += array[at];
	sink = sum;
}

static char *vec(size_t bytes)
{
	return malloc(bytes);
}

static char *checked(size_t bytes)
{
	char *block = calloc(bytes, 1);

	if (!block)
		abort();
	return (char *)block;
}

/* Through an argument. */
static void obtain(char **to, size_t bytes)
{
	*to = vec(bytes);
}

/* Not for its caller. */
static char *kept;

static int fill(void)
{
	kept = malloc(BYTES);
	walk(kept, BYTES);
	return !kept;
}

int main(void)
{
	char *first = vec(BYTES);
	char *second = checked(BYTES);
	char *third = vec(BYTES), *rows[4], *fourth, *vectors[2];

	for (int i = 0; i < 4; i++)
		rows[i] = checked(BYTES / 4);
	vectors[0] = vec(BYTES / 2); vectors[1] = vec(BYTES / 2);
	obtain(&fourth, BYTES);
	walk(first, BYTES);
	walk(second, BYTES);
	walk(third, BYTES);
	for (int i = 0; i < 4; i++)
		walk(rows[i], BYTES / 4);
	walk(vectors[0], BYTES / 2);
	walk(vectors[1], BYTES / 2);
	walk(fourth, BYTES);
	return fill();
}
