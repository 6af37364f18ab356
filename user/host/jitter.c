// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/memory.h"
#include "host/jitter.h"

#define LINE	64
#define LINES	4096			/* 256 KiB */
#define STRIDE	1667			/* lines; odd: all are visited; no prefetcher follows */
#define CALIBRATION_NS	50000000

struct jitter_walk {
	volatile uint8_t *lines;
	uint32_t at;
};

struct jitter_walk *jitter_walk_new(void)
{
	struct jitter_walk *walk = xcalloc(1, sizeof(*walk));

	walk->lines = xmalloc(LINES * LINE);
	memset((void *)walk->lines, 1, LINES * LINE);
	return walk;
}

void jitter_walk_free(struct jitter_walk *walk)
{
	free((void *)walk->lines);
	free(walk);
}

uint64_t jitter_khz(void)
{
	uint64_t from_ns = clock_ns(CLOCK_MONOTONIC_RAW), from = __rdtsc(), ns;

	do
		ns = clock_ns(CLOCK_MONOTONIC_RAW) - from_ns;
	while (ns < CALIBRATION_NS);
	return (__rdtsc() - from) * 1000000 / ns;
}

double jitter_ns(const struct jitter *jitter, uint64_t ticks)
{
	return jitter->khz ? ticks * 1e6 / jitter->khz : 0;
}

double jitter_noise(const struct jitter *jitter)
{
	return jitter->ticks ? (double)jitter->gap_ticks / jitter->ticks : 0;
}

/* 2^n ns and more; what is longer than the last class is in it. */
static unsigned int class_of(uint64_t ns)
{
	unsigned int n = ns ? 63 - __builtin_clzll(ns) : 0;

	return n < JITTER_CLASSES ? n : JITTER_CLASSES - 1;
}

void jitter_step(struct jitter *jitter, uint64_t ticks)
{
	jitter->ticks += ticks;
	jitter->steps++;
	if (ticks * 1000000 < jitter->least_ns * jitter->khz)
		return;
	jitter->gaps++;
	jitter->gap_ticks += ticks;
	if (ticks > jitter->longest_ticks)
		jitter->longest_ticks = ticks;
	jitter->classes[class_of(jitter_ns(jitter, ticks))]++;
}

void jitter_turn(struct jitter *jitter, struct jitter_walk *walk, uint64_t ms)
{
	uint64_t last = __rdtsc(), end = last + ms * jitter->khz, now;

	while (last < end) {
		walk->at = (walk->at + STRIDE) % LINES;
		(void)walk->lines[walk->at * LINE];
		now = __rdtsc();
		jitter_step(jitter, now - last);
		last = now;
	}
}
