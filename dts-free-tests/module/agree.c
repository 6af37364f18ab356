// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do single samples of the module and those of stock perf tell the same?
 *
 *	agree RECORDING PERIOD < `perf script -F ip,addr`
 *
 * Both sampled a run of the same program, one in PERIOD events on average. Held
 * against each other: how many events there were, and which share of them had each
 * instruction and fell on each of 64 sets. Periods that are alike for a few records
 * make samples depend on one another: hence six standard errors, and 1%.
 * Prints what it found on one line; status 0: they agree.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/pass.h"

#define PLACES	4096	/* instructions by the low bits of their addresses: pages lie alike */
#define SETS	64
#define OURS	0
#define THEIRS	1

static uint64_t places[2][PLACES], sets[2][SETS], samples[2];
static double events[2];

static void take(int whose, uint64_t ip, uint64_t address)
{
	places[whose][ip % PLACES]++;
	sets[whose][address / 64 % SETS]++;
	samples[whose]++;
}

static void take_samples(void *context, const struct ccs_record *record)
{
	const struct ccs_samples *batch = (const void *)record;
	const struct ccs_sample *sample = (const void *)(batch + 1);

	events[OURS] += batch->events + batch->gap;
	for (uint32_t i = 0; i < batch->count; i++)
		take(OURS, sample[i].ip, sample[i].address);
}

static bool read_ours(const char *path)
{
	static const struct record_consumer consumer = { .take[CCS_SAMPLES] = take_samples };
	struct recording *recording = recording_open(path);

	if (!recording)
		return false;
	recording_pass(recording, &consumer, NULL);
	recording_close(recording);
	return true;
}

static void read_theirs(double period)
{
	uint64_t ip, address;

	while (scanf("%" SCNx64 "%" SCNx64, &address, &ip) == 2)
		take(THEIRS, ip, address);
	events[THEIRS] = samples[THEIRS] * period;
}

/* The largest difference of shares, in what is allowed. */
static double worst(const uint64_t *ours, const uint64_t *theirs, size_t count)
{
	double most = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		double a = (double)ours[i] / samples[OURS], b = (double)theirs[i] / samples[THEIRS];
		double both = (double)(ours[i] + theirs[i]) / (samples[OURS] + samples[THEIRS]);
		double error = sqrt(both * (1 - both) *
				    (1.0 / samples[OURS] + 1.0 / samples[THEIRS]));

		most = fmax(most, fabs(a - b) / (0.01 + 6 * error));
	}
	return most;
}

int main(int argc, char **argv)
{
	double instruction, set, ratio;

	if (argc != 3) {
		fprintf(stderr, "usage: agree RECORDING PERIOD < addresses and instructions\n");
		return 2;
	}
	if (!read_ours(argv[1]))
		return 2;
	read_theirs(atof(argv[2]));
	if (samples[OURS] < 1000 || samples[THEIRS] < 1000) {
		printf("too few samples: %" PRIu64 ", perf's %" PRIu64 "\n", samples[OURS],
		       samples[THEIRS]);
		return 1;
	}
	instruction = worst(places[OURS], places[THEIRS], PLACES);
	set = worst(sets[OURS], sets[THEIRS], SETS);
	ratio = events[OURS] / events[THEIRS];
	printf("%" PRIu64 " samples, perf's %" PRIu64 "; events %.3f of perf's; instructions "
	       "differ by %.2f, sets by %.2f of what may be\n", samples[OURS], samples[THEIRS],
	       ratio, instruction, set);
	return !(instruction < 1 && set < 1 && fabs(ratio - 1) < 0.03);
}
