// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the frequency of the host's time stamp counter in kHz: the guest's is the same, which a
 * guest on a busy host misjudges. How busy the host is does not matter here: of each place the
 * reading of the clock counts that took least.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define READINGS	1000
#define APART_NS	20000000

struct reading {
	uint64_t ticks, ns;
};

static struct reading read_both(void)
{
	uint64_t least = UINT64_MAX;
	struct reading best = { 0, 0 };

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = __rdtsc(), after;
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = before + least / 2;
		best.ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	}
	return best;
}

int main(void)
{
	struct timespec apart = { 0, APART_NS };
	struct reading first = read_both(), last;

	nanosleep(&apart, NULL);
	last = read_both();
	printf("%.0f\n", (last.ticks - first.ticks) * 1e6 / (last.ns - first.ns));
	return 0;
}
