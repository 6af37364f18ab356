// SPDX-License-Identifier: GPL-2.0-only
/*
 * The compositional method beside the exact one: miss rates, time and memory latency, in the caches
 * of its thesis, on its matrix products and on other kernels; the time of a simulator that sees
 * reference by reference (the thesis's figures 4.1 to 4.4, there Dinero); then its sweep over lines
 * and ways.
 *
 *	compositional
 *	compositional LARGEST	the times alone, of sizes up to this one, a block for each picture
 *	compositional sweep	the sweep alone
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocator.h"
#include "warp/analyse.h"
#include "warp/estimate.h"

#define A	(((uint64_t)1 << 32) + 0x40)
#define CELL	8u

static struct trace_shapes shapes;
static uint64_t ips;

/* A loop nest under construction: shapes with the addresses of their first execution. */
struct part {
	uint32_t shape;
	uint32_t slots;
	uint64_t addresses[16];
};

static struct part references(uint32_t count, const uint64_t *addresses)
{
	struct trace_slot made[16];
	struct part part = { .slots = count };
	uint32_t i;

	for (i = 0; i < count; i++) {
		made[i] = (struct trace_slot){ ++ips, CELL, i + 1 == count, 0 };
		part.addresses[i] = addresses[i];
	}
	part.shape = shapes_block(&shapes, made, count);
	return part;
}

#define REFER(...) \
	references(sizeof((uint64_t []){ __VA_ARGS__ }) / 8, (uint64_t []){ __VA_ARGS__ })

static struct part loop(uint64_t count, const struct part *parts, uint32_t part_count,
			const int64_t *strides)
{
	uint32_t children[4], i, j;
	struct part result = { .slots = 0 };

	for (i = 0; i < part_count; i++) {
		children[i] = parts[i].shape;
		for (j = 0; j < parts[i].slots; j++)
			result.addresses[result.slots++] = parts[i].addresses[j];
	}
	result.shape = shapes_loop(&shapes, count, children, part_count,
				   (const uint64_t *)strides);
	return result;
}

#define LOOP(count, body, ...) loop(count, (struct part []){ body }, 1, (int64_t []){ __VA_ARGS__ })
#define LOOP2(count, one, two, ...) \
	loop(count, (struct part []){ one, two }, 2, (int64_t []){ __VA_ARGS__ })

/* Where matrix number m of n x n cells lies. */
static uint64_t matrix(uint32_t m, uint64_t n)
{
	return A + m * (n * n * CELL + 0x120) / CELL * CELL;
}

static struct part matmul(uint64_t n)
{
	int64_t row = n * CELL;
	struct part k = LOOP(n, REFER(matrix(0, n), matrix(1, n)), CELL, row);
	struct part j = LOOP2(n, k, REFER(matrix(2, n)), 0, CELL, CELL);

	return LOOP(n, j, row, 0, row);
}

/* kk, jj: blocks of 16 x 16 cells of the second matrix. */
static struct part matmul_blocked(uint64_t n)
{
	int64_t row = n * CELL, b = 16;
	struct part k = LOOP(b, REFER(matrix(0, n), matrix(1, n)), CELL, row);
	struct part j = LOOP2(b, k, REFER(matrix(2, n)), 0, CELL, CELL);
	struct part i = LOOP(n, j, row, 0, row);
	struct part jj = LOOP(n / b, i, 0, b * CELL, b * CELL);

	return LOOP(n / b, jj, b * CELL, b * row, 0);
}

static struct part jacobi(uint64_t n)
{
	int64_t row = n * CELL;
	uint64_t a = matrix(0, n), b = matrix(1, n);
	struct part one = LOOP(n - 2, REFER(a + row, a + row + 16, a + 8, a + 2 * row + 8,
					    b + row + 8), CELL, CELL, CELL, CELL, CELL);
	struct part two = LOOP(n - 2, REFER(b + row + 8, a + row + 8), CELL, CELL);
	struct part sweep = LOOP(n - 2, one, row, row, row, row, row);
	struct part back = LOOP(n - 2, two, row, row);

	return LOOP2(10, sweep, back, 0, 0, 0, 0, 0, 0, 0);
}

static struct part adi(uint64_t n)
{
	int64_t row = n * CELL;
	uint64_t x = matrix(0, n), a = matrix(1, n);
	struct part rows = LOOP(n - 1, REFER(x, a + 8, x + 8), CELL, CELL, CELL);
	struct part columns = LOOP(n - 1, REFER(x, a + row, x + row), row, row, row);
	struct part one = LOOP(n, rows, row, row, row), two = LOOP(n, columns, CELL, CELL, CELL);

	return LOOP2(10, one, two, 0, 0, 0, 0, 0, 0);
}

static struct part transpose(uint64_t n)
{
	int64_t row = n * CELL;
	struct part j = LOOP(n, REFER(matrix(0, n), matrix(1, n)), row, CELL);
	struct part i = LOOP(n, j, CELL, row);

	return LOOP(10, i, 0, 0);
}

/* y += A x, ten times. */
static struct part matvec(uint64_t n)
{
	struct part j = LOOP(n, REFER(matrix(0, n), matrix(1, n)), CELL, CELL);
	struct part i = LOOP2(n, j, REFER(matrix(2, n)), n * CELL, 0, CELL);

	return LOOP(10, i, 0, 0, 0);
}

static struct part triad(uint64_t n)
{
	struct part i = LOOP(n, REFER(matrix(0, 100) + 0, A + (1 << 26), A + (1 << 27)), CELL,
			     CELL, CELL);

	return LOOP(20, i, 0, 0, 0);
}

/* Ten dot products of columns with a vector, the vector reused. */
static struct part columns(uint64_t n)
{
	int64_t row = n * CELL;
	struct part i = LOOP(n, REFER(matrix(0, n), matrix(1, n)), row, CELL);
	struct part j = LOOP(n, i, CELL, 0);

	return LOOP(10, j, 0, 0);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static double rate(const struct trace_counts *counts, uint32_t n)
{
	uint64_t misses = outcomes_missed(counts->outcomes[n]);
	double accesses = misses + counts->outcomes[n][CLASS_HIT];

	return accesses ? 100 * misses / accesses : 0;
}

struct sum {
	double error[2], most[2];
	uint32_t count;
};

/* The thesis's sizes. */
static void plan_caches(struct hierarchy_plan *plan, uint32_t ways, uint32_t line)
{
	static const char *const sizes[] = { "16K", "64K" };
	char geometry[32];
	uint32_t n;

	*plan = (struct hierarchy_plan){ .levels = 2 };
	for (n = 0; n < 2; n++) {
		snprintf(geometry, sizeof(geometry), "%s,%u,%u", sizes[n], ways, line);
		cache_geometry_parse(&plan->level[n].geometry, geometry);
	}
}

/* CPU seconds of an analysis, left open. @plain: reference by reference */
static double analyse(struct trace_analysis *a, const struct part *part,
		      const struct hierarchy_plan *plan, bool plain)
{
	double begun;

	if (!analysis_open(a, plan, NULL, NULL, &libc_allocator))
		exit(1);
	a->plain = plain;
	begun = now();
	analysis_node(a, &shapes, part->shape, part->addresses);
	return now() - begun;
}

/* The same of an estimate. */
static double estimate(struct trace_estimate *e, const struct part *part,
		       const struct hierarchy_plan *plan)
{
	double begun;

	if (part->shape == SHAPE_NONE || !estimate_open(e, plan, &libc_allocator))
		exit(1);
	begun = now();
	if (estimate_node(e, &shapes, part->shape, part->addresses))
		puts(e->error);
	return now() - begun;
}

static double simulate(const struct part *part, const struct hierarchy_plan *plan)
{
	struct trace_analysis *a = malloc(sizeof(*a));
	double seconds = analyse(a, part, plan, true);

	analysis_close(a);
	free(a);
	return seconds;
}

static void run(const char *name, const struct part *part, uint64_t n,
		const struct hierarchy_plan *plan, struct sum *sum)
{
	struct trace_analysis *a = malloc(sizeof(*a));
	struct trace_estimate *e = malloc(sizeof(*e));
	struct trace_counts exact = { 0 }, estimated = { 0 };
	double exact_time, estimate_time, error;
	uint32_t i;

	estimate_time = estimate(e, part, plan);
	exact_time = analyse(a, part, plan, false);
	for (i = 0; i < part->slots; i++) {
		counts_add(&exact, &a->counts[i]);
		counts_add(&estimated, &e->counts[i]);
	}
	printf("%-16s %5llu %9.2g", name, (unsigned long long)n, (double)a->references);
	for (i = 0; i < 2; i++) {
		error = fabs(rate(&exact, i) - rate(&estimated, i));
		printf("  %6.2f %6.2f %6.2f", rate(&exact, i), rate(&estimated, i), error);
		sum->error[i] += error;
		sum->most[i] = error > sum->most[i] ? error : sum->most[i];
	}
	sum->count++;
	printf("  %6.2f  %9.6f %9.6f %9.6f\n",
	       estimate_cycles(&estimated, 2) / estimate_cycles(&exact, 2), simulate(part, plan),
	       exact_time, estimate_time);
	analysis_close(a);
	estimate_close(e);
	free(a);
	free(e);
}

static const struct kernel {
	const char *name;
	struct part (*make)(uint64_t n);
	uint64_t sizes[4];
} kernels[] = {
	{ "matrix product", matmul, { 32, 64, 100, 256 } },
	{ "blocked product", matmul_blocked, { 64, 96, 160, 256 } },
	{ "jacobi", jacobi, { 30, 100, 256, 500 } },
	{ "adi", adi, { 30, 100, 256, 500 } },
	{ "transpose", transpose, { 30, 100, 256, 500 } },
	{ "matrix x vector", matvec, { 30, 100, 256, 500 } },
	{ "columns x vector", columns, { 30, 100, 256, 500 } },
	{ "triad", triad, { 500, 2000, 10000, 100000 } },
};

static void print_head(void)
{
	printf("%-16s %5s %9s  %20s  %20s  %6s  %29s\n", "", "", "", "L1 misses, %",
	       "L2 misses, %", "", "CPU seconds");
	printf("%-16s %5s %9s  %6s %6s %6s  %6s %6s %6s  %6s  %9s %9s %9s\n", "kernel",
	       "size", "refs", "exact", "comp.", "error", "exact", "comp.", "error", "cycles",
	       "simulated", "exact", "comp.");
}

static void print_sum(const struct sum *sum)
{
	printf("error, mean and largest: L1 %.2f and %.2f, L2 %.2f and %.2f points\n",
	       sum->error[0] / sum->count, sum->most[0], sum->error[1] / sum->count, sum->most[1]);
}

/* Matrix products in other lines and ways. */
static void sweep(void)
{
	struct sum sum = { .count = 0 };
	struct hierarchy_plan plan;
	uint32_t line, ways;
	uint64_t n;
	char name[32];

	printf("\nThe thesis's sweep: matrix product, lines of 16 to 64 bytes, 2 to 8 ways\n");
	for (n = 100; n <= 200; n *= 2)
		for (line = 16; line <= 64; line *= 2)
			for (ways = 2; ways <= 8; ways *= 2) {
				struct part part = matmul(n);

				plan_caches(&plan, ways, line);
				snprintf(name, sizeof(name), "line %u, %u ways", line, ways);
				run(name, &part, n, &plan, &sum);
			}
	print_sum(&sum);
}

/* CPU seconds of growing sizes: simulated, exact, estimated. */
static void print_times(const struct kernel *kernel, uint64_t n, const struct hierarchy_plan *plan)
{
	struct trace_analysis *a = malloc(sizeof(*a));
	struct trace_estimate *e = malloc(sizeof(*e));
	struct part part = kernel->make(n);
	double estimated = estimate(e, &part, plan), exact = analyse(a, &part, plan, false);

	printf("%llu %.3g %.6f %.6f %.6f\n", (unsigned long long)n, (double)a->references,
	       simulate(&part, plan), exact, estimated);
	analysis_close(a);
	estimate_close(e);
	free(a);
	free(e);
}

static void figures(uint64_t largest, const struct hierarchy_plan *plan)
{
	static const uint64_t sizes[] = { 32, 48, 64, 96, 128, 192, 256, 384, 512 };
	uint32_t i, j;

	for (i = 0; i < 4; i++) {
		printf("%s# %s: size, references, simulated, exact, estimated\n",
		       i ? "\n\n" : "", kernels[i].name);
		for (j = 0; j < sizeof(sizes) / sizeof(*sizes) && sizes[j] <= largest; j++)
			print_times(&kernels[i], sizes[j], plan);
	}
}

int main(int argc, char **argv)
{
	struct sum sum = { .count = 0 };
	struct hierarchy_plan plan;
	uint32_t i, j;

	if (!shapes_open(&shapes, &libc_allocator))
		return 1;
	plan_caches(&plan, 4, 32);
	if (argc > 1) {
		if (!strcmp(argv[1], "sweep"))
			sweep();
		else
			figures(strtoull(argv[1], NULL, 10), &plan);
		shapes_close(&shapes);
		return 0;
	}
	print_head();
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		for (j = 0; j < 4; j++) {
			struct part part = kernels[i].make(kernels[i].sizes[j]);

			run(kernels[i].name, &part, kernels[i].sizes[j], &plan, &sum);
		}
	print_sum(&sum);
	sweep();
	shapes_close(&shapes);
	return 0;
}
