// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdbool.h>

#include "base/clock.h"
#include "gain/latencies.h"

#define TURNS		200
#define TIMES		16		/* a turn runs its chain */
#define UNIT		3		/* cycles of a multiplication of integers */
#define MOST		20

const struct latencies latencies_typical = {
	{ [LATENCY_FORWARD] = 4, [LATENCY_FORWARD_VECTOR] = 4 },
};

/* Each takes what the one before it gave. */
#define CHAIN(instructions) \
	__asm__ volatile(".rept 64\n" instructions "\n.endr" \
			 : : : "eax", "ecx", "xmm0", "xmm1", "cc")

static void units(void)
{
	CHAIN("imul %%eax, %%eax");
}

static void additions(void)
{
	CHAIN("addsd %%xmm1, %%xmm0");
}

static void products(void)
{
	CHAIN("mulsd %%xmm1, %%xmm0");
}

static void fused(void)
{
	CHAIN("vfmadd231sd %%xmm1, %%xmm1, %%xmm0");
}

static void larger(void)
{
	CHAIN("maxsd %%xmm1, %%xmm0");
}

/* A comparison is one cycle of it. */
static void moves(void)
{
	CHAIN("cmp %%ecx, %%eax\n cmovl %%ecx, %%eax");
}

/* By two registers: the same place by the same one may be renamed, which programs' seldom is. */
static void forwards(void)
{
	uint64_t word = 0;

	__asm__ volatile(".rept 64\n mov %%eax, (%0)\n mov (%1), %%eax\n .endr"
			 : : "D"(&word), "S"(&word) : "eax", "memory");
}

static void vectors(void)
{
	uint64_t word = 0;

	__asm__ volatile(".rept 64\n movsd %%xmm0, (%0)\n movsd (%1), %%xmm0\n .endr"
			 : : "D"(&word), "S"(&word) : "xmm0", "memory");
}

typedef void chain_fn(void);

/* Infinities and what is no number take no time of their own; the smallest floats may. */
static double run(chain_fn *chain)
{
	uint64_t begin;

	__asm__ volatile("xorl %%eax, %%eax\n xorl %%ecx, %%ecx\n"
			 "pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1"
			 : : : "eax", "ecx", "xmm0", "xmm1");
	begin = now_ns();
	for (int i = 0; i < TIMES; i++)
		chain();
	return now_ns() - begin;
}

uint8_t latency_cycles(double chain, double unit)
{
	double cycles = unit > 0 ? round(UNIT * chain / unit) : 1;

	return fmin(fmax(cycles, 1), MOST);
}

void latencies_measure(struct latencies *latencies)
{
	static chain_fn *const chains[LATENCY_CLASSES] = {
		units, additions, products, fused, larger, moves, forwards, vectors,
	};
	bool skipped[LATENCY_CLASSES] = { [LATENCY_FUSED] = !__builtin_cpu_supports("fma") };
	double least[LATENCY_CLASSES];

	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < LATENCY_CLASSES; i++) {
			double ns = skipped[i] ? 0 : run(chains[i]);

			least[i] = turn ? fmin(least[i], ns) : ns;
		}
	for (int i = 0; i < LATENCY_CLASSES; i++)
		latencies->cycles[i] = skipped[i] ? 0 : latency_cycles(least[i], least[0]);
	latencies->cycles[LATENCY_TYPICAL] = 0;
	if (latencies->cycles[LATENCY_SIGNED] > 1)
		latencies->cycles[LATENCY_SIGNED]--;
}
