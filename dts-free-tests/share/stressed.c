// SPDX-License-Identifier: GPL-2.0-only
/*
 * stressed STREAM PROFILE: the profile of a stream as a stressmark would measure it, beside it in
 * the shared cache, simulated exactly, at each occupancy.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "exact.h"
#include "share-model/stressed.h"
#include "sharing/profile-file.h"
#include "sharing/arena.h"

#define STRESS_INSTRUCTIONS	8	/* of ccsample stress, an access */

static struct cache_geometry geometry;

/* All sets once for each way. */
static struct stream stressmark(uint32_t ways)
{
	struct stream stream = { .name = "stressmark", .count = (uint64_t)ways * geometry.sets };
	uint32_t step = arena_step(geometry.sets), set = 0;
	uint64_t i;

	stream.accesses = calloc(stream.count, sizeof(*stream.accesses));
	stream.instructions = STRESS_INSTRUCTIONS * (double)stream.count;
	for (i = 0; i < stream.count; i++) {
		stream.accesses[i] = (struct access){
			LINE_PLACED | (i / geometry.sets * geometry.sets + set),
				STRESS_INSTRUCTIONS,
		};
		set = (set + step) % geometry.sets;
	}
	return stream;
}

/* Return: whether the stressmark could hold what it used. */
static bool run_beside(const struct stream *stream, uint32_t ways, struct stressed_run *run)
{
	struct stream other = stressmark(ways);
	struct runner runners[2] = {
		{ .stream = stream, .salt = random_of(1) },
		{ .stream = &other, .salt = random_of(2), .endless = true },
	};
	struct result results[2];
	double held = 0;

	exact_run(&geometry, POLICY_LRU, runners, ways ? 2 : 1, results);
	if (ways)
		held = ways * (1 - results[1].miss_ratio);
	free(other.accesses);
	*run = (struct stressed_run){ geometry.ways - held, results[0].miss_ratio,
				      1 / results[0].ipc };
	return stressed_holds(held, ways);
}

int main(int argc, char **argv)
{
	struct stressed_run runs[SHARE_WAYS_MAX + 1];
	double miss_ratios[SHARE_WAYS_MAX + 1], distances[SHARE_WAYS_MAX + 1], api, from;
	struct stressed_slope penalty;
	struct profile profile;
	struct stream stream;
	uint32_t count, i;

	if (argc != 3 || cache_geometry_parse(&geometry, SHARED_GEOMETRY))
		return 2;
	stream_read(&stream, argv[1]);
	api = stream.count / stream.instructions;
	for (count = 0; count <= geometry.ways; count++)
		if (!run_beside(&stream, count, &runs[count]))
			break;
	profile = (struct profile){
		.command = stream.name, .source = "stressmark, simulated", .level = 2,
		.cache = geometry, .instructions = stream.instructions, .ipc = 1 / runs[0].cpi,
		.distances = distances,
	};
	penalty = stressed_penalty(runs, count, api);
	from = stressed_miss_ratios(runs, count, geometry.ways, miss_ratios);
	stressed_distances(miss_ratios, geometry.ways, distances);
	for (i = 0; i <= geometry.ways; i++)
		distances[i] *= stream.count;
	profile.penalty = penalty.slope > 0 ? penalty.slope : CYCLES_MISS;	/* assumed, then */
	printf("%-16s penalty %6.1f +- %4.1f, from %.2f ways on\n", stream.name, penalty.slope,
	       penalty.error, from);
	return profile_write(&profile, argv[2]) < 0;
}
