// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels as traces, most too long to record: how long their analysis takes, how much of it warps,
 * and what became of each loop, outermost first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/allocator.h"
#include "warp/analyse.h"

#define A	((uint64_t)1 << 32)
#define B	((uint64_t)2 << 32)
#define C	((uint64_t)3 << 32)

static struct trace_shapes shapes;

static uint32_t block(uint32_t slots)
{
	struct trace_slot made[8];
	static uint64_t ip;
	uint32_t i;

	for (i = 0; i < slots; i++)
		made[i] = (struct trace_slot){ ++ip, 8, i + 1 == slots, 0 };
	return shapes_block(&shapes, made, slots);
}

#define LOOP(count, child, ...) \
	shapes_loop(&shapes, count, (uint32_t []){ child }, 1, (uint64_t []){ __VA_ARGS__ })

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* The first loop of each depth: what became of it when it ran last. */
static void print_outcomes(const struct trace_analysis *a, uint32_t shape)
{
	static const char *const texts[] = {
		[WARP_UNTRIED] = "not tried",
		[WARP_SHORT] = "too short",
		[WARP_NO_PERIOD] = "its references never move in step",
		[WARP_OVERLAP] = "references of different strides share lines",
		[WARP_NO_RECURRENCE] = "no state recurs",
		[WARP_DONE] = "warps",
	};
	const char *between = "  ";

	while (shape_is_loop(shape)) {
		uint32_t number = shape_number(shape), i = 0;
		const struct trace_loop *loop = &shapes.loops[number];

		printf("%s%s", between, texts[a->plans[number].outcome]);
		between = "; ";
		while (i + 1 < loop->child_count && !shape_is_loop(loop->children[i]))
			i++;
		shape = loop->children[i];
	}
	puts("");
}

static void run(const char *name, uint32_t shape, const uint64_t *addresses, uint32_t levels,
		bool plain)
{
	struct trace_analysis *a = malloc(sizeof(*a));
	struct hierarchy_plan plan = { .levels = levels };
	double begun;

	cache_geometry_parse(&plan.level[0].geometry, "32K,8,64");
	cache_geometry_parse(&plan.level[1].geometry, "256K,8,64");
	if (!analysis_open(a, &plan, NULL, NULL, &libc_allocator))
		exit(1);
	a->plain = plain;
	begun = now();
	analysis_node(a, &shapes, shape, addresses);
	begun = now() - begun;
	printf("%-34s %9.3g references %8.3f s %9.4f%% warped", name, (double)a->references, begun,
	       100 - 100.0 * a->simulated / a->references);
	if (plain)
		printf(", %.0f M/s\n", a->references / begun / 1e6);
	else
		print_outcomes(a, shape);
	analysis_close(a);
	free(a);
}

/* b = the mean of a's neighbours, a = b; @n rows of @n doubles, @steps times. */
static uint32_t jacobi(uint64_t n, uint64_t steps)
{
	uint64_t row = n * 8;
	uint32_t first = LOOP(n - 2, block(5), 8, 8, 8, 8, 8);
	uint32_t second = LOOP(n - 2, block(2), 8, 8);
	uint32_t sweeps[2] = {
		LOOP(n - 2, first, row, row, row, row, row), LOOP(n - 2, second, row, row),
	};

	return shapes_loop(&shapes, steps, sweeps, 2, (uint64_t [7]){ 0 });
}

static void run_jacobi(uint64_t n, uint64_t steps, bool plain)
{
	uint64_t row = n * 8, b = B + n * row % 4096 + 4096;
	char name[64];

	snprintf(name, sizeof(name), "jacobi %llu, %llu steps%s", (unsigned long long)n,
		 (unsigned long long)steps, plain ? ", L1" : "");
	run(name, jacobi(n, steps), (uint64_t []){ A + 8, A + row, A + row + 16, A + 2 * row + 8,
	    b + row + 8, b + row + 8, A + row + 8 }, plain ? 1 : 2, plain);
}

static void run_matmul(uint64_t n, bool plain)
{
	uint64_t row = n * 8;
	uint32_t k = LOOP(n, block(2), 8, row), parts[2] = { k, block(1) };
	uint32_t j = shapes_loop(&shapes, n, parts, 2, (uint64_t []){ 0, 8, 8 });
	char name[64];

	snprintf(name, sizeof(name), "matrix product %llu%s", (unsigned long long)n,
		 plain ? ", L1" : "");
	run(name, LOOP(n, j, row, 0, row), (uint64_t []){ A, B, C }, plain ? 1 : 2, plain);
}

static void run_adi(uint64_t n, uint64_t steps)
{
	uint64_t row = n * 8;
	uint32_t rows = LOOP(n - 1, block(3), 8, 8, 8);
	uint32_t columns = LOOP(n - 1, block(3), row, row, row);
	uint32_t sweeps[2] = { LOOP(n, rows, row, row, row), LOOP(n, columns, 8, 8, 8) };
	char name[64];

	snprintf(name, sizeof(name), "adi %llu, %llu steps", (unsigned long long)n,
		 (unsigned long long)steps);
	run(name, shapes_loop(&shapes, steps, sweeps, 2, (uint64_t [6]){ 0 }),
	    (uint64_t []){ A, B + 8, A + 8, A, B + row, A + row }, 2, false);
}

static void run_transpose(uint64_t n, uint64_t steps)
{
	uint64_t row = n * 8;
	uint32_t inner = LOOP(n, block(2), row, 8), once = LOOP(n, inner, 8, row);
	char name[64];

	snprintf(name, sizeof(name), "transpose %llu, %llu times", (unsigned long long)n,
		 (unsigned long long)steps);
	run(name, steps > 1 ? LOOP(steps, once, 0, 0) : once, (uint64_t []){ A, B }, 2, false);
}

/* Streams of different strides over one array. */
static void run_overlap(uint64_t n)
{
	run("two strides over one array", LOOP(n, block(2), 8, 72), (uint64_t []){ A, A }, 2,
	    false);
}

int main(void)
{
	if (!shapes_open(&shapes, &libc_allocator))
		return 1;
	run_jacobi(1000, 500, false);
	run_jacobi(1000, 50000, false);
	run_jacobi(1000, 200000, false);
	run_matmul(1024, false);
	run_matmul(2048, false);
	run_adi(1024, 1000);
	run_adi(1024, 2000);
	run_matmul(400, false);
	run_transpose(2000, 1);
	run_transpose(2000, 100);
	run_overlap(20000000);
	puts("without warping:");
	run_jacobi(1000, 10, true);
	run_matmul(300, true);
	shapes_close(&shapes);
	return 0;
}
