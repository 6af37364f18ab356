// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: one thread sums the columns of a 256 x 512 matrix of doubles, the
 * other looks up entries of a table of 2 MiB at random, at the same time.
 *
 * Shows: a conflict in one thread beside another thread's clean misses.
 * Conflict: as in columns: heap block `matrix` with itself, on the line of
 * `sum +=` of sum_columns(). The thread in look_up() has none.
 * Pad: bytes a row of the matrix. 64 give each row of a column the next set.
 * Verdict: sum_columns() conflict, none with -p 64; look_up() none.
 */
#include <pthread.h>
#include "kernel.h"

#define ROWS	256
#define COLUMNS	512
#define ENTRIES	(256 * 1024)
#define LOOKUPS	(64 * 1024)

struct columns {
	pthread_t thread;
	double *matrix;
	size_t row;
	unsigned long repeats;
	double sum;
};

struct lookups {
	pthread_t thread;
	const uint64_t *table;
	unsigned long repeats;
	uint64_t sum;
};

static __attribute__((noinline)) double sum_columns(const double *matrix, size_t row)
{
	double weighted = 0;

	for (size_t j = 0; j < COLUMNS; j++) {
		double sum = 0;

		for (size_t i = 0; i < ROWS; i++)
			sum += matrix[i * row + j];
		weighted += sum * j;
	}
	return weighted;
}

static __attribute__((noinline)) uint64_t look_up(const uint64_t *table, uint64_t *state)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOOKUPS; i++)
		sum += table[kernel_random(state) % ENTRIES];
	return sum;
}

static void *columns_main(void *argument)
{
	struct columns *columns = argument;

	for (unsigned long r = 0; r < columns->repeats; r++) {
		kernel_changed(columns->matrix);
		columns->sum += sum_columns(columns->matrix, columns->row);
	}
	return NULL;
}

static void *lookups_main(void *argument)
{
	struct lookups *lookups = argument;
	uint64_t state = 88172645463325252;

	for (unsigned long r = 0; r < lookups->repeats; r++)
		lookups->sum += look_up(lookups->table, &state);
	return NULL;
}

static void must(int error)
{
	if (!error)
		return;
	fprintf(stderr, "threads: no thread\n");
	exit(1);
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 180, sizeof(double), 0, 0);
	size_t row = COLUMNS + run.pad / sizeof(double);
	double *matrix = kernel_require(malloc(ROWS * row * sizeof(double)));
	uint64_t *table = kernel_require(malloc(ENTRIES * sizeof(uint64_t)));
	struct columns columns = { .matrix = matrix, .row = row, .repeats = run.repeats };
	struct lookups lookups = { .table = table, .repeats = run.repeats };

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			matrix[i * row + j] = kernel_value(i * COLUMNS + j);
	for (size_t i = 0; i < ENTRIES; i++)
		table[i] = i * i;
	must(pthread_create(&columns.thread, NULL, columns_main, &columns));
	must(pthread_create(&lookups.thread, NULL, lookups_main, &lookups));
	must(pthread_join(columns.thread, NULL));
	must(pthread_join(lookups.thread, NULL));
	kernel_checksum(columns.sum + lookups.sum % 1000003);
	free(matrix);
	free(table);
	return 0;
}
