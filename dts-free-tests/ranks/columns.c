// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns: an MPI program. Each rank walks down the columns of its matrix, whose rows are 4096
 * bytes apart; rank 1 has rows that are 64 bytes longer, and so no conflicts.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS	512
#define REPEATS	4

static __attribute__((noinline)) double walk(const double *matrix, size_t row)
{
	double sum = 0;

	for (size_t j = 0; j < 512; j++)
		for (size_t i = 0; i < ROWS; i++)
			sum += matrix[i * row + j];	/* the columns */
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0, all = 0, *matrix;
	int rank, ranks;
	size_t row;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	row = rank == 1 ? 520 : 512;
	matrix = calloc(ROWS * row, sizeof(*matrix));
	for (int r = 0; r < REPEATS; r++)
		sum += walk(matrix, row) + r;
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%d ranks: %g\n", ranks, all);
	free(matrix);
	MPI_Finalize();
	return 0;
}
