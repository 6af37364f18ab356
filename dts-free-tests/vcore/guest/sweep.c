// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sweeps a matrix by columns with one load instruction whose registers can be
 * told: address SI + 8 CX, and element i holds i, so AX = CX afterwards. The
 * symbol sweep_load is its address.
 *
 *	sweep ROWS LEADING-DIMENSION REPETITIONS [THREADS]
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone))
static void sweep(const uint64_t *matrix, uint64_t rows, uint64_t leading)
{
	for (uint64_t column = 0; column < rows; column++) {
		for (uint64_t row = 0; row < rows; row++) {
			uint64_t value;

			asm volatile("sweep_load: movq (%1,%2,8), %0" : "=a"(value)
				     : "S"(matrix), "c"(row * leading + column) : "memory");
		}
	}
}

static int run(uint64_t rows, uint64_t leading, int repetitions)
{
	uint64_t *matrix = mmap(NULL, 8 * rows * leading, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (matrix == MAP_FAILED)
		return 1;
	for (uint64_t i = 0; i < rows * leading; i++)
		matrix[i] = i;
	while (repetitions--)
		sweep(matrix, rows, leading);
	return 0;
}

int main(int argc, char **argv)
{
	int processes = argc > 4 ? atoi(argv[4]) : 1, status, failed = 0;

	if (argc < 4)
		return 2;
	for (int i = 0; i < processes; i++) {
		if (processes > 1 && fork())
			continue;
		if (processes > 1) {
			cpu_set_t one;

			CPU_ZERO(&one);
			CPU_SET(i % sysconf(_SC_NPROCESSORS_ONLN), &one);
			sched_setaffinity(0, sizeof(one), &one);
		}
		return run(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}
